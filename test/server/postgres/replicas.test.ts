import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { buildDashboard } from '../../../src/server/build/build.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { startCollector } from '../../support/server/collector.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { root } from '../../support/server/start-process.ts';
import { addressOf, signIn, startServer, totalCount } from '../../support/server/server-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

beforeAll(() => buildDashboard({ root, mode: 'app', say: () => {} }));

const password = 'chosen by the operator';
const annsOwn = 'what Ann has chosen';

/** Servers that start at the same moment on the same empty PostgreSQL databases, and share nothing else. */
async function startServers(env: Record<string, string> = {}, oneDatabase = false) {
  const [bff, service] = [await createDatabase(), await createDatabase()];
  const urls = { DATABASE_URL: bff, SERVICE_DATABASE_URL: oneDatabase ? bff : service };
  const start = () =>
    startServer(join(temporaryFolder(), 'none'), { ...urls, SAMPLE_SUBSCRIBERS: '25', ...env });
  const processes = [start(), start()] as const;
  const [one, other] = await Promise.all([addressOf(processes[0]), addressOf(processes[1])]);
  return { one, other, processes, urls };
}

/** Asks another server with the session of this one, as a load balancer would. */
function askWith(cookie: string) {
  return async (url: string, path: string, method = 'GET', body?: object) => {
    const type = body && { 'Content-Type': 'application/json' };
    const headers = { 'X-CSRF': '1', Origin: url, Cookie: cookie, ...type };
    return fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  };
}
type Ask = ReturnType<typeof askWith>;

describe('two servers that start at the same moment', () => {
  test('make samples, the first account and its password once, and are both ready', async () => {
    const { one, other, processes } = await startServers();
    const [, oneTime = ''] = await Promise.any(
      processes.map(({ errorLine }) => errorLine(/with the one-time password (\S+)$/)),
    );
    for (const url of [one, other]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const first = askWith((await signIn(one, oneTime)).cookie);
    expect((await signIn(other, oneTime)).status).toBe(401);
    expect((await first(other, '/bff/password', 'PUT', { newPassword: password })).status).toBe(200);
    for (const url of [one, other]) {
      const { ask } = await signIn(url, password);
      expect(await totalCount(await ask('/api/subscribers'))).toBe(25);
    }
    const said = processes.map(({ output, complaints }) => output() + complaints()).join('');
    expect(said.match(/the one-time password /g)).toHaveLength(1);
  });

  test('may share one database for both of its parts', async () => {
    const { one, other } = await startServers({ MANAGER_PASSWORD: password }, true);
    for (const url of [one, other]) {
      const { ask } = await signIn(url, password);
      expect(await totalCount(await ask('/api/subscribers'))).toBe(25);
    }
  });

  test('start again on what is there', async () => {
    const collector = await startCollector();
    const { one, processes, urls } = await startServers({ MANAGER_PASSWORD: password, ...collector.env });
    await (await signIn(one, password)).ask('/api/subscribers');
    // Traces have the statements of both databases.
    for (const name of ['SELECT sessions', 'SELECT subscribers'])
      expect((await collector.span(name)).attributes).toHaveProperty('db.system.name', 'postgresql');
    for (const each of processes) each.signal('SIGTERM');
    for (const each of processes) expect((await each.ended).code).toBe(0);
    const again = startServer(join(temporaryFolder(), 'none'), urls);
    const { ask } = await signIn(await addressOf(again), password);
    expect(await totalCount(await ask('/api/subscribers'))).toBe(25);
    expect(again.output() + again.complaints()).not.toContain('password');
  });
});

describe('two servers on one PostgreSQL', () => {
  test('share sessions: signed in at one is in at the other, and signed out at one is out at the other', async () => {
    const { one, other } = await startServers({ MANAGER_PASSWORD: password });
    const { cookie } = await signIn(one, password);
    const ask = askWith(cookie);
    expect((await ask(other, '/bff/session')).status).toBe(200);
    expect(await totalCount(await ask(other, '/api/subscribers'))).toBe(25);
    expect((await ask(other, '/bff/session', 'DELETE')).status).toBe(204);
    expect((await ask(one, '/api/subscribers')).status).toBe(401);
  });

  test.each<[string, (one: string, ask: Ask, other: Ask) => Promise<Response>]>([
    ['signed out', (one, ask) => ask(one, '/bff/session', 'DELETE')],
    [
      'disabled',
      async (one, _, other) => {
        const staff: { id: string; name: string }[] = await (await other(one, '/bff/staff')).json();
        const id = staff.find(({ name }) => name === 'Ann')?.id ?? '';
        return other(one, `/bff/staff/${id}`, 'PUT', { disabled: true });
      },
    ],
    [
      'given another password',
      (one, ask) =>
        ask(one, '/bff/password', 'PUT', { password: annsOwn, newPassword: 'another that Ann has chosen' }),
    ],
  ])('%s at one, a session has ended at the other by the next request', async (_, end) => {
    const { one, other } = await startServers({ MANAGER_PASSWORD: password });
    const manager = askWith((await signIn(one, password)).cookie);
    const added = await (await manager(one, '/bff/staff', 'POST', { name: 'Ann', role: 'manager' })).json();
    const first = askWith((await signIn(one, added.oneTimePassword, 'Ann')).cookie);
    await first(one, '/bff/password', 'PUT', { password: added.oneTimePassword, newPassword: annsOwn });
    const ann = askWith((await signIn(other, annsOwn, 'Ann')).cookie);
    expect((await ann(other, '/api/subscribers')).status).toBe(200);
    expect((await ann(one, '/api/subscribers')).status).toBe(200);
    expect((await end(one, ann, manager)).ok).toBe(true);
    const statuses = await Promise.all(
      [one, other].map(async (url) => (await ann(url, '/bff/session')).status),
    );
    expect(statuses).toEqual([401, 401]);
  });

  test('share the limits of sign-in, also for guesses that come to both at once', async () => {
    const { one, other } = await startServers({ MANAGER_PASSWORD: password });
    const guess = async (url: string): Promise<number> => {
      const { status } = await signIn(url, 'a wrong password');
      // It waited too long to be looked at, and was told to come again.
      return status === 503 ? guess(url) : status;
    };
    const guesses = Array.from({ length: 3 * signInRateLimit.account }, (_, turn) =>
      guess(turn % 2 === 0 ? one : other),
    );
    const statuses = await Promise.all(guesses);
    expect(statuses.filter((status) => status === 401)).toHaveLength(signInRateLimit.account);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * signInRateLimit.account);
    for (const url of [one, other]) expect((await signIn(url, password)).status).toBe(429);
  });

  test('keep no file of their own', async () => {
    const folder = join(temporaryFolder(), 'none');
    const [bff, service] = [await createDatabase(), await createDatabase()];
    await addressOf(startServer(folder, { DATABASE_URL: bff, SERVICE_DATABASE_URL: service }));
    expect(existsSync(folder)).toBe(false);
  });

  test('when one is killed under load, the other answers on and nothing acknowledged is lost', async () => {
    const { one, other, processes, urls } = await startServers({ MANAGER_PASSWORD: password });
    const { cookie } = await signIn(one, password);
    const ask = askWith(cookie);
    const acknowledged = await writeUntilKilled(8, (id) => {
      const write = ask(one, `/api/subscribers/${id}/regenerate-token`, 'POST');
      return write.then(async (answer) => answer.ok && (await answer.text()) !== '');
    });
    expect((await processes[0].ended).code).toBeNull();
    expect(await versionsIn(urls.SERVICE_DATABASE_URL)).toEqual(
      acknowledged.map((times) => expect.toSatisfy((version) => [times, times + 1].includes(version - 1))),
    );
    expect(await totalCount(await ask(other, '/api/subscribers'))).toBe(25);
    // Another subscriber: one with a change whose server is gone stays blocked until the change is reconciled.
    expect((await ask(other, '/api/subscribers/9/regenerate-token', 'POST')).status).toBe(200);

    /** Each writer has a record of its own; when all have got going, the server is killed. Returns how many changes each was told were done. */
    async function writeUntilKilled(writers: number, write: (id: number) => Promise<boolean>) {
      const counts = Array<number>(writers).fill(0);
      const writer = async (index: number) => {
        while (await write(index + 1).catch(() => false)) {
          counts[index] = (counts[index] ?? 0) + 1;
          if (counts.every((count) => count > 2)) processes[0].signal('SIGKILL');
        }
      };
      await Promise.all(counts.map((_, index) => writer(index)));
      return counts;
    }
  });
});

/** How often each of the first eight records was written, counted from 1. */
async function versionsIn(url: string): Promise<number[]> {
  const db = openPostgres(url);
  onTestFinished(() => db.destroy());
  const query = sql<{ version: number }>`select version from subscribers where id <= 8 order by id`;
  return (await query.execute(db)).rows.map(({ version }) => version);
}
