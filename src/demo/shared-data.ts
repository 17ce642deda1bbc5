import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { BffTables } from '../bff/schema.ts';
import type { ServiceTables } from '../service/schema.ts';
import type { Data } from './data.ts';
import { createLender, openLentDatabase } from './lent-database.ts';
import { Settings } from './settings.ts';
import type { Store, Stored } from './store.ts';
import type { Access, Ask } from './tabs.ts';

const Facts = z.object({
  /** Which data set it is, and how many days its clock is ahead. */
  ...z.pick(Settings, { data: true, days: true }).shape,
  /** By which the BFF of each tab gets its token from the service of that tab. */
  clientSecret: z.string(),
});
type Facts = z.infer<typeof Facts>;

/** The data of a demo, in this tab or in another. */
export interface SharedData {
  serviceDb: Kysely<ServiceTables>;
  bffDb: Kysely<BffTables>;
  facts: Facts;
  /** Stores them for the next page load, or for the tab that takes over. @returns whether there was room */
  keep: () => Promise<boolean>;
  /** Moves the clock of all tabs, and stores that. */
  moveClockTo: (days: number) => Promise<void>;
  /** Deletes what is stored, unless another tab shows it. */
  forget: () => Promise<void>;
}

interface Parts {
  access: Extract<Access, { leads: true }>;
  data: Data;
  facts: Facts;
  store: Store;
  /** What is to be stored now. */
  takeStock: () => Promise<Stored>;
  /** Sets `facts.days`, and keeps the sessions alive. */
  setClock: (days: number) => Promise<void>;
  onClockMoved: (days: number) => void;
  onTabClosed: () => Promise<void>;
}

/** The data in this tab, which other tabs can use from now on. */
export function leadData({ access, data, facts, store, takeStock, ...on }: Parts): SharedData {
  const tabs = new Set<string>();
  const lenders = { service: createLender(data.service.db), bff: createLender(data.bff.db) };
  const keep = oneAfterTheOther(async () => store.write(await takeStock()));
  const moveClockTo = async (days: number) => {
    await on.setClock(days);
    on.onClockMoved(days);
    access.tell(days);
    await keep();
  };
  access.serve({
    async answer(tab, what, [first, ...rest]) {
      if (what === 'enter') {
        tabs.add(tab);
        return facts;
      }
      if (what === 'keep') return keep();
      if (what === 'moveClockTo') return moveClockTo(Number(first));
      const lender = first === 'bff' ? lenders.bff : lenders.service;
      if (what === 'lend') return lender.lend(tab);
      const [loan, sql, parameters] = rest;
      if (what === 'giveBack') return lender.giveBack(Number(loan));
      return lender.run(Number(loan), String(sql), Array.isArray(parameters) ? parameters : []);
    },
    forget(tab) {
      tabs.delete(tab);
      const isBack = Object.values(lenders).map((lender) => lender.forget(tab));
      void Promise.all(isBack).then(on.onTabClosed);
    },
  });
  const forget = async () => (tabs.size === 0 ? store.forget() : undefined);
  return { serviceDb: data.service.db, bffDb: data.bff.db, facts, keep, moveClockTo, forget };
}

/** The data in another tab. */
export async function followData(ask: Ask): Promise<SharedData> {
  return {
    facts: z.parse(Facts, await ask('enter')),
    serviceDb: openLentDatabase(ask, 'service'),
    bffDb: openLentDatabase(ask, 'bff'),
    keep: async () => (await ask('keep')) === true,
    moveClockTo: async (days) => void (await ask('moveClockTo', days)),
    forget: async () => undefined,
  };
}

/** Whoever asks while it is being done gets the next one, which is done once for all of them. */
function oneAfterTheOther<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | null = null;
  const start = () => {
    next = null;
    const started = work();
    running = started.catch(() => undefined);
    return started;
  };
  return () => (next ??= running.then(start));
}
