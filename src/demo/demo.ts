import { apiBase, bffBase } from '../contract/bff/paths.ts';
import type { Role } from '../contract/bff/permission.ts';
import type { Bff } from '../bff/bff.ts';
import { createBffInTab } from './bff-in-tab.ts';
import { changesOf, completeDataSet, counts, openData, recordChanges, replayChanges } from './data.ts';
import {
  createColleagueEdit,
  createServiceClient,
  withPageFaults,
  withServiceFaults,
  type Fetch,
  type Switches,
} from './faults.ts';
import { hasHistory, planHistory } from './history.ts';
import type { Kept, Memory } from './memory.ts';
import { colleague, createPeople } from './people.ts';
import type { Fault, Settings } from './settings.ts';
import { createState, currentStep, type DemoState } from './state.ts';
import type { Present } from './shifted-date.ts';

interface DemoParts {
  settings: Settings;
  /** What an earlier page load of this tab stored. */
  kept: Kept | null;
  memory: Memory;
  present: Present;
  /** The origin of the page. */
  origin: string;
  random: (bytes: number) => Uint8Array;
  wait: (ms: number) => Promise<void>;
}

export interface Demo {
  /** Answers the page's requests like the BFF, with the faults that are on. */
  fetch: Fetch;
  state: DemoState;
  viewAs: (role: Role) => Promise<void>;
  turn: (fault: Fault, on: boolean) => Promise<void>;
  moveClock: (days: number) => Promise<void>;
  /** Ticks off the step of the scenario that this line shows to be done; see `Step`. */
  see: (line: string) => void;
  /**
   * Writes what colleagues did in the last two weeks, in a new demo, or the rest of it after a
   * reload. That takes a second or two, so the first view does not wait.
   *
   * @param pause called again and again, to let the page do something in between
   * @returns whether there is something new to see
   */
  writeHistory: (pause: () => Promise<unknown>) => Promise<boolean>;
  endScenario: () => Promise<void>;
  /** The link that the subscriber's players use. */
  playlistLink: (id: number) => Promise<string>;
  /** Stores the state of the demo for the next page load. */
  keep: () => Promise<void>;
  /** To be called about every minute. */
  runMaintenance: () => Promise<void>;
}

const day = 24 * 60 * 60_000;
const clock = () => Date.now();

/** The BFF with its service, accounts and faults. It starts over if the stored state is from another version. */
export function openDemo(parts: DemoParts): Promise<Demo> {
  const startNew = (error: unknown) => {
    if (parts.kept === null) throw error;
    return open({ ...parts, kept: null });
  };
  return open(parts).catch(startNew);
}

async function open(parts: DemoParts): Promise<Demo> {
  const { settings, kept, present, random } = parts;
  const data = await openData();
  const begunAt = kept?.begunAt ?? clock() - present.ahead();
  const { step, touched } = kept ?? { step: 0, touched: false };
  const state = createState({ ...settings, step, touched, signedIn: kept?.session !== null });
  const turn = (fault: Fault, on: boolean) => {
    const others = state.get().faults.filter((other) => other !== fault);
    state.change({ faults: on ? [...others, fault] : others });
  };
  const switches = {
    isOn: (fault: Fault) => state.get().faults.includes(fault),
    turnOff: (fault: Fault) => turn(fault, false),
  };
  const people = createPeople({
    db: data.bff.db,
    clock,
    random,
    session: kept?.session ?? null,
    onChange: (signedIn) => state.change({ signedIn }),
  });
  let history: Awaited<ReturnType<typeof planHistory>> = [];
  let pastSteps = kept?.pastSteps ?? 0;
  let pastStep: Promise<unknown> = Promise.resolve();
  const first = await createBffInTab({
    serviceDb: data.service.db,
    bffDb: data.bff.db,
    transport: people.transport,
    samples: counts[settings.data].each,
    samplesAt: begunAt,
    complete: async () => {
      await completeDataSet(data.service.db, settings.data, begunAt);
      if (hasHistory(settings.data)) history = await planHistory(data.service.db, begunAt);
      recordChanges(data);
      await (kept ? replayChanges(data, kept) : people.hire());
    },
    wrapExchange: (exchange) => withServiceFaults(exchange, { ...switches, chance: () => chanceOf(random) }),
    clock,
    random,
    log: () => undefined,
  });
  let bff: Bff = first;
  if (kept?.settings.role !== settings.role) await people.viewAs(settings.role);

  const keep = async () => {
    // Another user may have signed in, or the role may have changed.
    const role = await people.role();
    if (role !== null && role !== state.get().role) state.change({ role });
    const { signedIn: _, isKept: __, step, touched, ...now } = state.get();
    const done = { settings: now, step, touched };
    // What is stored has a change of the past whole, or not at all.
    await pastStep.catch(() => undefined);
    const changes = await changesOf(data);
    const written = { ...done, begunAt, session: people.session(), pastSteps, ...changes };
    state.change({ isKept: parts.memory.write(written) });
  };
  const see = (line: string) => {
    const { step } = state.get();
    if (currentStep(state.get())?.until.test(line)) state.change({ step: step + 1 });
  };
  const pageFetch = createPageFetch((request) => bff.fetch(request), { ...parts, ...switches, people, keep });
  return {
    async fetch(request) {
      const { method, url } = request;
      const { pathname } = new URL(url);
      if (isChange(method, pathname)) state.change({ touched: true });
      const answer = await pageFetch(request);
      see(`${method} ${pathname} ${answer.status}`);
      return answer;
    },
    state,
    see,
    async writeHistory(pause) {
      if (pastSteps >= history.length) return false;
      let time = begunAt;
      const past = await first.withClock(() => time);
      // Each time anew: at their own time, people would be signed out between two changes.
      const clientOf = (name: string) =>
        createServiceClient(async (request) => {
          const { send, signOut } = await people.signInOther(name, time);
          return past.fetch(send(request)).finally(signOut);
        }, parts.origin);
      for (const step of history.slice(pastSteps)) {
        await pause();
        pastStep = step({ clientOf, moveTo: (next) => void (time = next) });
        await pastStep;
        pastSteps += 1;
      }
      // One that knows no numbers of before.
      bff = await first.withClock(clock);
      await keep();
      return true;
    },
    async endScenario() {
      state.change({ scenario: 'none', step: 0, faults: [] });
      await keep();
    },
    async playlistLink(id) {
      const ofId = data.service.db.selectFrom('subscribers').select('access_token').where('id', '=', id);
      return `https://tv.example/${(await ofId.executeTakeFirst())?.access_token ?? ''}/playlist.m3u8`;
    },
    async turn(fault, on) {
      turn(fault, on);
      await keep();
    },
    keep,
    runMaintenance: () => bff.runMaintenance(),
    async viewAs(role) {
      await people.viewAs(role);
      state.change({ role });
      await keep();
    },
    async moveClock(days) {
      present.move(days * day);
      await people.extendSessions(days * day);
      state.change({ days: state.get().days + days });
      await keep();
    },
  };
}

/** Sends the page's requests through the faults to the BFF, and stores what they changed. */
function createPageFetch(
  fetch: Fetch,
  {
    people,
    keep,
    origin,
    ...parts
  }: Pick<DemoParts, 'origin' | 'wait'> &
    Switches & { people: ReturnType<typeof createPeople>; keep: () => Promise<void> },
): Fetch {
  const asColleague = async (request: Request) => fetch((await people.signInOther(colleague)).send(request));
  const remembering = async (request: Request) => {
    const answer = await fetch(request);
    // Before the page gets the answer, because it may reload at once.
    if (!['GET', 'HEAD'].includes(request.method)) await keep();
    return answer;
  };
  return withPageFaults(remembering, {
    ...parts,
    endSession: async () => {
      await people.endSession();
      await keep();
    },
    editMeanwhile: createColleagueEdit(createServiceClient(asColleague, origin)),
  });
}

/** Whether a request changes something that starting over loses. Finding a token and signing in do not. */
const isChange = (method: string, path: string) =>
  method !== 'GET' && (path.startsWith(apiBase) || path.startsWith(`${bffBase}/jobs`));

/** At least 0, below 1. */
const chanceOf = (random: DemoParts['random']) => (random(1)[0] ?? 0) / 256;
