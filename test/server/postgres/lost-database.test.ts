import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { startService, type TestService } from '../../support/service/harness.ts';
import { anna } from '../../support/service/people.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import { createDatabase } from '../../support/setup/database.ts';

const key = { [changeHeaders.key]: 'a-key-for-a-lost-database' };
const create = ({ send }: TestService, headers: Record<string, string> = {}) =>
  send('POST', '/subscribers', { body: anna, headers });

/** A service, and another's connection to the same server. */
async function arrange() {
  const url = await createDatabase('service');
  const name = new URL(url).pathname.slice(1);
  const other = Object.assign(new URL(url), { pathname: '/postgres' }).href;
  const [db, admin] = [openPostgres<ServiceTables>(url), openPostgres(other)];
  onTestFinished(async () => void (await Promise.all([db.destroy(), admin.destroy()])));
  const service = await startService({ db });
  const open = (isOpen: boolean) =>
    sql`alter database ${sql.id(name)} allow_connections ${sql.raw(String(isOpen))}`.execute(admin);
  const lose = async () => {
    await open(false);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(admin);
  };
  return { service, lose, comeBack: () => open(true) };
}

test('nothing is acknowledged while the database is gone, and all goes on when it is back', async () => {
  const { service, lose, comeBack } = await arrange();
  const ready = async () => (await service.send('GET', '/readyz', { token: null })).status;
  await lose();
  // The first to meet a connection that was ended may not know it yet.
  await expect
    .poll(async () => (await problemOf(await create(service))).problem)
    .toBe('503 database-unavailable');
  expect((await problemOf(await service.send('GET', '/subscribers/1'))).problem).toBe(
    '503 database-unavailable',
  );
  expect((await problemOf(await create(service, key))).problem).toBe('503 database-unavailable');
  expect(await ready()).toBe(503);
  expect(service.log.map(({ event }) => event)).toContain('database-unavailable');
  await comeBack();
  expect(await ready()).toBe(200);
  expect((await create(service, key)).status).toBe(200);
});

test('a change whose commit breaks off is answered as not known, and safe to send again with its key', async () => {
  const { service } = await arrange();
  const { db } = service;
  await sql`create function break() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`.execute(db);
  await sql`create constraint trigger break after insert on subscribers deferrable initially deferred
    for each row execute function break()`.execute(db);
  for (const headers of [{}, key]) {
    const answer = await create(service, headers);
    expect(answer.headers.get('Retry-After')).toBe('30');
    const { problem, detail } = await problemOf(answer);
    expect(problem).toBe('503 change-unconfirmed');
    expect(detail).toContain('It is unclear whether the change was made');
  }
  await sql`drop trigger break on subscribers`.execute(db);
  const done = await create(service, key);
  const again = await create(service, key);
  expect([done.status, await again.text()]).toEqual([200, await done.text()]);
  expect((await service.client.listSubscribers({ query: {} })).data.totalCount).toBe(1);
});

test('a request waits for a connection while all are in use, but for five seconds at most', async () => {
  const { service } = await arrange();
  const requested = (path: string) => service.send('GET', path, { token: null });
  const free = Promise.withResolvers<void>();
  const taken = Array.from({ length: 10 }, () => {
    const holding = Promise.withResolvers<void>();
    const held = service.db.connection().execute(async () => {
      holding.resolve();
      await free.promise;
    });
    return { held, holding: holding.promise };
  });
  await Promise.all(taken.map(({ holding }) => holding));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = [service.send('GET', '/subscribers/1'), create(service, key), requested('/readyz')];
  while (vi.getTimerCount() < waiting.length) await new Promise(setImmediate);
  vi.advanceTimersByTime(5000);
  const [read, write, ready] = await Promise.all(waiting);
  expect([read && (await problemOf(read)).problem, write && (await problemOf(write)).problem]).toEqual([
    '503 database-unavailable',
    '503 database-unavailable',
  ]);
  expect([read?.headers.get('Retry-After'), ready?.status]).toEqual(['30', 503]);
  vi.useRealTimers();
  free.resolve();
  await Promise.all(taken.map(({ held }) => held));
  expect((await requested('/readyz')).status).toBe(200);
  expect((await create(service, key)).headers.get(changeHeaders.replayed)).toBe(null);
});
