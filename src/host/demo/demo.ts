import type { Kysely } from 'kysely';
import type { DeskTables } from '../../bff/store/schema.ts';
import type { Role } from '../../contract/permission.ts';
import type { ServiceTables } from '../../service/store/schema.ts';
import { openRecordedSqlite } from '../sql/wasm-sqlite.ts';
import type { Recorder } from '../sql/wasm-recorder.ts';
import { createColleague } from './colleague.ts';
import { createDeskInTab } from './desk-in-tab.ts';
import { troublePage, troubleService, type Fetch } from './faults.ts';
import type { Kept, Memory } from './memory.ts';
import { createPeople } from './people.ts';
import type { Fault, Settings } from './settings.ts';
import type { Present } from './shifted-date.ts';
import { createState, type State } from './state.ts';
import { counts, expireAll, lastIdOf, multiply, setLastId } from './subscribers.ts';

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
  turn: (fault: Fault, on: boolean) => void;
  moveClock: (days: number) => Promise<void>;
  /** Writes down where the demo is, for a page that comes after this one. */
  keep: () => Promise<void>;
  /** What has to be done every minute or so. */
  tend: () => Promise<void>;
}

const day = 24 * 60 * 60_000;
const clock = () => Date.now();

/** The whole desk with its service and its people, and the switches of the demo. */
export async function openDemo(parts: DemoParts): Promise<Demo> {
  const { settings, kept, memory, present, random, wait } = parts;
  const [service, desk] = await Promise.all([
    openRecordedSqlite<ServiceTables>(),
    openRecordedSqlite<DeskTables>(),
  ]);
  const state = createState({ ...settings, signedIn: kept?.session !== null });
  const begunAt = kept?.begunAt ?? clock() - present.ahead();
  const people = createPeople({
    db: desk.db,
    clock,
    random,
    session: kept?.session ?? null,
    onTurn: (signedIn) => state.change({ signedIn }),
  });
  const isOn = (fault: Fault) => state.get().faults.includes(fault);
  const turn = (fault: Fault, on: boolean) =>
    state.change({
      faults: [...state.get().faults.filter((other) => other !== fault), ...(on ? [fault] : [])],
    });
  const bff = await createDeskInTab({
    serviceDb: service.db,
    deskDb: desk.db,
    visitor: people.visitor,
    samples: counts[settings.data].each,
    samplesAt: begunAt,
    complete: async () => {
      await multiply(service.db, counts[settings.data].times, begunAt);
      if (settings.data === 'expired-trials') await expireAll(service.db, begunAt);
      service.recorder.begin('subscribers');
      desk.recorder.begin();
      if (kept) await goOn(kept, { service, desk });
      else await people.hire();
    },
    between: (exchange) => troubleService(exchange, { isOn, chance: () => (random(1)[0] ?? 0) / 256 }),
    clock,
    random,
    log: () => undefined,
  });
  if (kept?.settings.role !== settings.role) await people.viewAs(settings.role);

  const keep = async () => {
    const { signedIn: _, isKept: __, ...now } = state.get();
    const lastId = await lastIdOf(service.db);
    const changes = { service: service.recorder.changes(), desk: desk.recorder.changes() };
    state.change({
      isKept: memory.write({ settings: now, begunAt, session: people.session(), lastId, ...changes }),
    });
  };
  const fetch = troublePage(
    async (request) => {
      const answer = await bff.fetch(request);
      // Before the page learns of it: whoever has seen an answer may reload.
      if (!['GET', 'HEAD'].includes(request.method)) await keep();
      return answer;
    },
    {
      isOn,
      turnOff: (fault) => turn(fault, false),
      wait,
      endSession: () => people.endSession(),
      editMeanwhile: createColleague(
        async (request) => bff.fetch(await people.asColleague(request)),
        parts.origin,
      ),
    },
  );
  return {
    fetch,
    state,
    turn,
    keep,
    tend: bff.tend,
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

interface Recorded<Tables> {
  db: Kysely<Tables>;
  recorder: Recorder;
}

async function goOn(
  kept: Kept,
  { service, desk }: { service: Recorded<ServiceTables>; desk: Recorded<DeskTables> },
): Promise<void> {
  service.recorder.replay(kept.service);
  await setLastId(service.db, kept.lastId);
  desk.recorder.replay(kept.desk);
}
