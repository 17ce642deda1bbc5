import type { Role } from '../contract/bff/permission.ts';
import { createColleague } from './colleague.ts';
import { createDeskInTab } from './desk-in-tab.ts';
import { changesOf, goOn, openData, record } from './data.ts';
import { troublePage, troubleService, type Fetch, type Switches } from './faults.ts';
import type { Kept, Memory } from './memory.ts';
import { createPeople } from './people.ts';
import type { Fault, Settings } from './settings.ts';
import type { Present } from './shifted-date.ts';
import { createState, type State } from './state.ts';
import { counts, shape } from './subscribers.ts';

export interface DemoParts {
  settings: Settings;
  /** What an earlier page of this tab left. */
  kept: Kept | null;
  memory: Memory;
  present: Present;
  /** Where the page believes the desk to be. */
  origin: string;
  random: (bytes: number) => Uint8Array;
  wait: (ms: number) => Promise<void>;
}

export interface Demo {
  /** Answers the page's requests as the desk would, with the faults that are switched on. */
  fetch: Fetch;
  state: State;
  viewAs: (role: Role) => Promise<void>;
  turn: (fault: Fault, on: boolean) => Promise<void>;
  moveClock: (days: number) => Promise<void>;
  /** Writes down where the demo is, for a page that comes after this one. */
  keep: () => Promise<void>;
  /** What has to be done every minute or so. */
  runMaintenance: () => Promise<void>;
}

const day = 24 * 60 * 60_000;
const clock = () => Date.now();

/**
 * The whole desk with its service and its people, and the switches of the demo. Where what was kept does not fit any
 * more, as after another version, it begins anew.
 */
export function openDemo(parts: DemoParts): Promise<Demo> {
  const anew = (error: unknown) => {
    if (parts.kept === null) throw error;
    return open({ ...parts, kept: null });
  };
  return open(parts).catch(anew);
}

async function open(parts: DemoParts): Promise<Demo> {
  const { settings, kept, present, random } = parts;
  const data = await openData();
  const begunAt = kept?.begunAt ?? clock() - present.ahead();
  const state = createState({ ...settings, signedIn: kept?.session !== null });
  const turn = (fault: Fault, on: boolean) => {
    const others = state.get().faults.filter((other) => other !== fault);
    state.change({ faults: on ? [...others, fault] : others });
  };
  const switches = {
    isOn: (fault: Fault) => state.get().faults.includes(fault),
    turnOff: (fault: Fault) => turn(fault, false),
  };
  const people = createPeople({
    db: data.desk.db,
    clock,
    random,
    session: kept?.session ?? null,
    onTurn: (signedIn) => state.change({ signedIn }),
  });
  const bff = await createDeskInTab({
    serviceDb: data.service.db,
    deskDb: data.desk.db,
    transport: people.transport,
    samples: counts[settings.data].each,
    samplesAt: begunAt,
    complete: async () => {
      await shape(data.service.db, settings.data, begunAt);
      record(data);
      await (kept ? goOn(data, kept) : people.hire());
    },
    between: (exchange) => troubleService(exchange, { ...switches, chance: () => chanceOf(random) }),
    clock,
    random,
    log: () => undefined,
  });
  if (kept?.settings.role !== settings.role) await people.viewAs(settings.role);

  const keep = async () => {
    // Somebody else may have signed in, or been given another role.
    const role = await people.role();
    if (role !== null && role !== state.get().role) state.change({ role });
    const { signedIn: _, isKept: __, ...now } = state.get();
    const written = { settings: now, begunAt, session: people.session(), ...(await changesOf(data)) };
    state.change({ isKept: parts.memory.write(written) });
  };
  return {
    fetch: createPageFetch(bff.fetch, { ...parts, ...switches, people, keep }),
    state,
    async turn(fault, on) {
      turn(fault, on);
      await keep();
    },
    keep,
    runMaintenance: bff.runMaintenance,
    async viewAs(role) {
      await people.viewAs(role);
      state.change({ role });
      await keep();
    },
    async moveClock(days) {
      present.move(days * day);
      await people.outliveLeap(days * day);
      state.change({ days: state.get().days + days });
      await keep();
    },
  };
}

/** What the page's requests go through: the faults, the desk, and the memory of what they changed. */
function createPageFetch(
  desk: Fetch,
  {
    people,
    keep,
    origin,
    ...place
  }: Pick<DemoParts, 'origin' | 'wait'> &
    Switches & { people: ReturnType<typeof createPeople>; keep: () => Promise<void> },
): Fetch {
  const asColleague = async (request: Request) => desk(await people.asColleague(request));
  const remembering = async (request: Request) => {
    const answer = await desk(request);
    // Before the page learns of it: whoever has seen an answer may reload.
    if (!['GET', 'HEAD'].includes(request.method)) await keep();
    return answer;
  };
  return troublePage(remembering, {
    ...place,
    endSession: async () => {
      await people.endSession();
      await keep();
    },
    editMeanwhile: createColleague(asColleague, origin),
  });
}

/** From 0, below 1. */
const chanceOf = (random: DemoParts['random']) => (random(1)[0] ?? 0) / 256;
