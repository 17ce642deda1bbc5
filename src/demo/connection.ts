import type { Kysely } from 'kysely';
import type { Bff } from '../bff/http/bff.ts';
import type { BffTables } from '../bff/schema.ts';
import type { ServiceTables } from '../service/schema.ts';
import { createBffInTab } from './bff-in-tab.ts';
import {
  changesOf,
  completeDataSet,
  counts,
  openData,
  recordChanges,
  releaseJobs,
  replayChanges,
} from './data.ts';
import { createServiceClient, withServiceFaults, type Switches } from './faults.ts';
import { hasHistory, planHistory } from './history.ts';
import { createPeople } from './people.ts';
import { followData, leadData, type SharedData } from './shared-data.ts';
import type { Present } from './shifted-date.ts';
import type { DemoState } from './state.ts';
import type { Store, Stored } from './store.ts';
import type { Access } from './tabs.ts';

/** What a tab has, wherever its data are. */
export interface Tab {
  state: DemoState;
  /** The id of its session. */
  session: string | null;
  switches: Switches;
  /** Where the data are kept. */
  store: Store;
  present: Present;
  /** The origin of the page. */
  origin: string;
  random: (bytes: number) => Uint8Array;
  /** Its address asks for another time than the tab had before. */
  asksForClock: boolean;
  /** Moves the clock of this tab. */
  moveTo: (days: number) => void;
}

/** The BFF and the service of a tab, on data in this tab or in another. */
export interface Connection {
  data: SharedData;
  /** Nobody has used these data before. */
  isNew: boolean;
  people: ReturnType<typeof createPeople>;
  bff: () => Bff;
  /** See `Demo`. */
  writeHistory: (pause: () => Promise<unknown>) => Promise<boolean>;
}

const day = 24 * 60 * 60_000;
const clock = () => Date.now();

/** Connects a tab with its data. They start over if what is stored is from another version. */
export async function connect(tab: Tab, access: Access): Promise<Connection> {
  if (!access.leads) return follow(tab, await followData(access.ask));
  const stored = await tab.store.read();
  const startNew = (error: unknown) => {
    if (stored === null) throw error;
    return lead(tab, access, null);
  };
  return lead(tab, access, stored).catch(startNew);
}

async function follow(tab: Tab, data: SharedData): Promise<Connection> {
  const people = createPeopleOf(tab, data.bffDb);
  const { clientSecret } = data.facts;
  const bff = await createBffInTab({ ...partsOf(tab, data, people), samples: 0, clientSecret });
  return { data, isNew: false, people, bff: () => bff, writeHistory: async () => false };
}

async function lead(
  tab: Tab,
  access: Extract<Access, { leads: true }>,
  stored: Stored | null,
): Promise<Connection> {
  const { data: dataSet, days } = tab.state.get();
  const data = await openData();
  const begunAt = stored?.begunAt ?? clock() - tab.present.ahead();
  const people = createPeopleOf(tab, data.bff.db);
  let history: Awaited<ReturnType<typeof planHistory>> = [];
  let pastSteps = stored?.pastSteps ?? 0;
  const first = await createBffInTab({
    ...partsOf(tab, { serviceDb: data.service.db, bffDb: data.bff.db }, people),
    samples: counts[dataSet].each,
    samplesAt: begunAt,
    complete: async () => {
      await completeDataSet(data.service.db, dataSet, begunAt);
      if (hasHistory(dataSet)) history = await planHistory(data.service.db, begunAt);
      recordChanges(data);
      await (stored ? replayChanges(data, stored) : people.hire());
    },
  });
  let bff: Bff = first;
  // What is stored has a change of the past whole, or not at all.
  const inTurn = createQueue();
  const facts = {
    data: dataSet,
    // The sessions that are stored belong to the clock that is stored.
    days: stored === null || tab.asksForClock ? days : stored.days,
    clientSecret: first.clientSecret,
  };
  const shared = leadData({
    access,
    data,
    facts,
    store: tab.store,
    takeStock: () =>
      inTurn(async () => ({ begunAt, days: facts.days, pastSteps, ...(await changesOf(data)) })),
    setClock: (next) =>
      inTurn(async () => {
        await people.extendSessions((next - facts.days) * day);
        facts.days = next;
      }),
    onClockMoved: tab.moveTo,
    async onTabClosed() {
      await releaseJobs(data);
      await bff.runMaintenance();
    },
  });
  return {
    data: shared,
    isNew: stored === null,
    people,
    bff: () => bff,
    async writeHistory(pause) {
      if (pastSteps >= history.length) return false;
      let time = begunAt;
      const past = await first.withClock(() => time);
      // Each time anew: at their own time, people would be signed out between two changes.
      const clientOf = (name: string) =>
        createServiceClient(async (request) => {
          const { send, signOut } = await people.signInOther(name, time);
          return past.fetch(send(request)).finally(signOut);
        }, tab.origin);
      for (const step of history.slice(pastSteps)) {
        await pause();
        await inTurn(async () => {
          await step({ clientOf, moveTo: (next) => void (time = next) });
          pastSteps += 1;
        });
      }
      // One that knows no numbers of before.
      bff = await first.withClock(clock);
      return true;
    },
  };
}

const createPeopleOf = (tab: Tab, db: Kysely<BffTables>) =>
  createPeople({
    db,
    clock,
    random: tab.random,
    session: tab.session,
    userAgent: navigator.userAgent,
    onChange(session) {
      tab.session = session;
      tab.state.change({ signedIn: session !== null });
    },
  });

const partsOf = (
  { random, switches }: Tab,
  { serviceDb, bffDb }: { serviceDb: Kysely<ServiceTables>; bffDb: Kysely<BffTables> },
  { transport }: ReturnType<typeof createPeople>,
): Pick<
  Parameters<typeof createBffInTab>[0],
  'serviceDb' | 'bffDb' | 'transport' | 'wrapExchange' | 'clock' | 'random' | 'log'
> => ({
  serviceDb,
  bffDb,
  transport,
  wrapExchange: (exchange) => withServiceFaults(exchange, { ...switches, chance: () => chanceOf(random) }),
  clock,
  random,
  log: () => undefined,
});

/** At least 0, below 1. */
const chanceOf = (random: Tab['random']) => (random(1)[0] ?? 0) / 256;

/** Does one work after the other. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
