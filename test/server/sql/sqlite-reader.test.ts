import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';
import { openSlowReads, openSqliteReader } from '../../../src/server/sql/slow-reads.ts';
import { inSnapshot } from '../../../src/service/database.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { issuer, startService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import { openServiceFile } from '../../support/server/sqlite-file.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

/** A service on a file, with the thread for its slow reads. */
async function arrange() {
  const { db, file } = await openServiceFile();
  const { run, close } = openSlowReads<ServiceTables>({ file });
  const slowReads = await run(async (reader) => reader);
  onTestFinished(close);
  return { slowReads, run, ...(await startService({ db, runSlowRead: run })) };
}

/** Counts up to five millions, which takes SQLite long. */
const slow = sql<{ count: number }>`with recursive numbers(n) as
  (select 1 union all select n + 1 from numbers where n < 5000000) select count(*) as count from numbers`;

test('a slow read does not hold up the event loop', async () => {
  const { db, slowReads } = await arrange();
  let isDone = false;
  const reading = slow.execute(slowReads).then(({ rows }) => {
    isDone = true;
    return rows;
  });
  for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  expect(await db.selectFrom('subscriber_statuses').selectAll().execute()).toHaveLength(3);
  expect(isDone).toBe(false);
  expect(await reading).toEqual([{ count: 5_000_000 }]);
});

test('a list with a text and one far behind are read on the thread, and see what was written just before', async () => {
  const { client, slowReads } = await arrange();
  await client.createSubscriber({ body: anna });
  const list = async () => {
    const found = (await client.listSubscribers({ query: { Username: 'nn' } })).data;
    const behind = (await client.listSubscribers({ query: { Page: 1_000_000 } })).data;
    return [found.items.map(({ username }) => username), found.totalCount, behind.totalCount];
  };
  expect(await list()).toEqual([['Anna'], 1, 1]);
  await client.createSubscriber({ body: { ...anna, username: 'Hannah' } });
  expect(await list()).toEqual([['Anna', 'Hannah'], 2, 2]);
  await slowReads.destroy();
  await expect(client.listSubscribers({ query: { Username: 'nn' } })).rejects.toMatchObject({
    code: 'internal-error',
  });
  expect((await client.listSubscribers({ query: {} })).data.totalCount).toBe(2);
});

test('each of many who read at once has a snapshot to itself', async () => {
  const { db, run, client } = await arrange();
  await client.createSubscriber({ body: anna });
  const count = async (from: typeof db) =>
    (await from.selectFrom('subscribers').select('id').execute()).length;
  const counts = await Promise.all(
    [1, 2, 3].map((round) =>
      run((reader) =>
        inSnapshot(reader, async (snapshot) => {
          const before = await count(snapshot);
          await client.createSubscriber({ body: { ...anna, username: `Anna ${round}` } });
          return [before, await count(snapshot)];
        }),
      ),
    ),
  );
  expect(counts).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
  ]);
});

test('a slow list whose client has gone leaves the queue, and those behind it are answered', async () => {
  const { fetch, token, run, log } = await arrange();
  const headers = { Authorization: `Bearer ${await token('subscribers:read')}` };
  const held = Promise.withResolvers<void>();
  // Takes the one connection, so that the lists have to wait.
  const holding = run(() => held.promise);
  const client = new AbortController();
  const list = (signal: AbortSignal | null = null) =>
    fetch(new Request(`${issuer}/subscribers?Username=nn`, { headers, signal }));
  const running = list();
  const abandoned = list(client.signal);
  const behind = list();
  client.abort();
  expect((await abandoned).status).toBe(503);
  held.resolve();
  await holding;
  expect([(await running).status, (await behind).status]).toEqual([200, 200]);
  expect(log.filter(({ level }) => level === 'error')).toEqual([]);
});

test('an error of the engine is the same as without the thread', async () => {
  const { db, slowReads, send } = await arrange();
  await expect(sql`select * from gone`.execute(slowReads)).rejects.toThrow('no such table: gone');
  await expect(sql`delete from subscribers`.execute(slowReads)).rejects.toMatchObject({
    code: 'database-unavailable',
  });
  await db.schema.alterTable('subscribers').renameTo('gone').execute();
  expect((await problemOf(await send('GET', '/subscribers?Username=a'))).problem).toBe('500 internal-error');
});

test('a thread that cannot open its file fails only the query that started it, as a refusal', async () => {
  const file = join(temporaryFolder(), 'x.sqlite');
  const slowReads = openSqliteReader<ServiceTables>(file);
  onTestFinished(() => slowReads.destroy());
  const read = () => inSnapshot(slowReads, async (snapshot) => sql`select 1 as one`.execute(snapshot));
  await expect(read()).rejects.toMatchObject({ code: 'database-unavailable' });
  await expect(read()).rejects.toMatchObject({ code: 'database-unavailable' });
  await openNodeSqlite(file).destroy();
  expect((await read()).rows).toEqual([{ one: 1 }]);
});

test('the query under way and those behind it fail when the database is closed, and no other thread starts', async () => {
  const { slowReads, run } = await arrange();
  const reads = [1, 2, 3].map(() => run((reader) => slow.execute(reader)));
  const settled = Promise.allSettled(reads);
  await setImmediate();
  await slowReads.destroy();
  const reasons = (await settled).map((read) => (read.status === 'rejected' ? String(read.reason) : read));
  expect(reasons).toEqual([
    'Error: The thread sql/sqlite-reader-thread ended.',
    ...Array<string>(2).fill('Error: driver has already been destroyed'),
  ]);
});
