import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLender, openLentDatabase } from '../../src/demo/lent-database.ts';
import type { Ask, Host, TabListener } from '../../src/demo/tabs.ts';
import { openWasmSqlite } from '../../src/server/sql/wasm-sqlite.ts';
import {
  codeOf,
  createStorage,
  nameIn,
  newKey,
  noteOf,
  openTab,
  readWhole,
  saveNote,
} from '../support/demo/tab.ts';

interface Tables {
  thing: { id: number };
}

describe('a database that is lent to other tabs', () => {
  async function openLent() {
    const db = await openWasmSqlite<Tables>();
    await db.schema.createTable('thing').addColumn('id', 'integer').execute();
    const lender = createLender(db);
    const askAs =
      (tab: string): Ask =>
      async (what, _, loan, text, parameters) => {
        if (what === 'lend') return lender.lend(tab);
        if (what === 'giveBack') return lender.giveBack(Number(loan));
        return lender.run(Number(loan), String(text), parameters as unknown[]);
      };
    return { db, lender, openIn: (tab: string) => openLentDatabase<Tables>(askAs(tab), 'service') };
  }
  const ids = async (db: Awaited<ReturnType<typeof openLent>>['db']) =>
    (await db.selectFrom('thing').select('id').orderBy('id').execute()).map(({ id }) => id);

  it('has the transactions of all tabs one after the other', async () => {
    const { db, openIn } = await openLent();
    const addAfterLast = (tab: typeof db) =>
      tab.transaction().execute(async (tx) => {
        const { last } = await tx
          .selectFrom('thing')
          .select(sql<number>`coalesce(max(id), 0)`.as('last'))
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('thing')
          .values({ id: last + 1 })
          .execute();
      });
    await Promise.all([openIn('two'), db, openIn('three'), openIn('two')].map(addAfterLast));
    expect(await ids(openIn('two'))).toEqual([1, 2, 3, 4]);
  });

  it('rolls back what a tab has not committed that is closed', async () => {
    const { db, lender, openIn } = await openLent();
    await new Promise<void>((inserted) => {
      void openIn('two')
        .transaction()
        .execute(async (tx) => {
          await tx.insertInto('thing').values({ id: 1 }).execute();
          inserted();
          await new Promise(() => undefined);
        });
    });
    await lender.forget('two');
    expect(await ids(db)).toEqual([]);
    await openIn('three').insertInto('thing').values({ id: 2 }).execute();
    expect(await ids(db)).toEqual([2]);
  });

  it('refuses as it refuses its own tab', async () => {
    const { openIn } = await openLent();
    await expect(sql`select * from nowhere`.execute(openIn('two'))).rejects.toThrow('no such table: nowhere');
  });
});

/** A second tab beside one that leads, which closes when the second has asked it for something. */
async function openSecondTab(settings: Parameters<typeof openTab>[0] = {}) {
  const storage = createStorage();
  let host: Host | null = null;
  let second: TabListener | null = null;
  let closing: { when: 'before' | 'after'; what: string } | null = null;
  const leads = { leads: true, serve: (given: Host) => void (host = given), tell: () => undefined } as const;
  const first = await openTab(settings, { storage, join: ({ onAccess }) => onAccess(leads) });
  await first.keep();
  const close = () => {
    closing = null;
    // The browser gives the lock to the second, for which all that it has asked has failed.
    queueMicrotask(() => second?.onAccess(leads));
    throw new Error('The tab that has the data was closed.');
  };
  const ask: Ask = async (what, ...given) => {
    if (closing?.what === what && closing.when === 'before') close();
    const answer = await host?.answer('second', what, given);
    if (closing?.what === what) close();
    return answer;
  };
  const join = (listener: TabListener) => {
    second = listener;
    listener.onAccess({ leads: false, ask });
  };
  const tab = await openTab(
    { role: 'support', ...settings },
    { storage: { ...createStorage(), shared: storage }, join },
  );
  return {
    first,
    tab,
    closeSecond: () => host?.forget('second'),
    closeFirst: (when: 'before' | 'after', what: string) => void (closing = { when, what }),
  };
}

describe('a tab beside the one that leads', () => {
  it('shows what the other does, as somebody else', async () => {
    const { first, tab } = await openSecondTab();
    await saveNote(first, 'From the first.');
    expect(await noteOf(tab)).toBe('From the first.');
    expect(await Promise.all([first, tab].map(nameIn))).toEqual(['Marit', 'Ingrid']);
  });

  it.each([
    ['before the change is stored', 'before', 'keep'],
    ['after the change is stored', 'after', 'keep'],
    ['in the middle of the change', 'before', 'run'],
  ] as const)('takes over %s, which is made once', async (_, when, what) => {
    const { tab, closeFirst } = await openSecondTab();
    const key = newKey();
    closeFirst(when, what);
    expect(await codeOf(saveNote(tab, 'Once.', key))).toBe('unreachable');
    await saveNote(tab, 'Once.', key);
    expect(await noteOf(tab)).toBe('Once.');
    expect(await nameIn(tab)).toBe('Ingrid');
    const { items } = (await tab.bff.listActivity({ query: { subscriberId: 1 } })).data;
    expect(items.map(({ outcome }) => outcome)).toEqual(['done']);
  });

  it('takes over with the clock that the other has moved, and stays signed in', async () => {
    const { tab, closeFirst } = await openSecondTab();
    closeFirst('after', 'moveClockTo');
    await expect(tab.moveClock(7)).rejects.toThrow('was closed');
    expect(await nameIn(tab)).toBe('Ingrid');
    expect(tab.state.get().days).toBe(7);
  });

  it('reads again what was being read', async () => {
    const { tab, closeFirst } = await openSecondTab();
    closeFirst('before', 'run');
    expect((await readWhole(tab)).data.id).toBe(1);
  });

  it('leaves its jobs to the other when it closes', async () => {
    const { first, tab, closeSecond } = await openSecondTab({ data: '2000', role: 'manager' });
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    const { id } = (await tab.bff.createJob({ body: { kind: 'delete', targets: { ids } } })).data;
    closeSecond();
    const state = async () => (await first.bff.getJob({ params: { id } })).data.state;
    // A lease ends after a minute.
    await expect.poll(state, { timeout: 45_000 }).toBe('ready');
  });
});
