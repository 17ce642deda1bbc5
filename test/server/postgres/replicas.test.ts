import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { StaffMember } from '../../../src/contract/bff/staff.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { ask } from '../../support/bff/browser.ts';
import type { Person } from '../../support/bff/person.ts';
import { startCollector } from '../../support/server/collector.ts';
import { openServer } from '../../support/server/in-process.ts';
import { addressOf, signIn, startServer, totalCount } from '../../support/server/server-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { person } from '../../support/people.ts';

const password = 'chosen by the operator';
const annsOwn = 'what Ann has chosen';

/** Environment of servers on the same empty PostgreSQL databases. They share nothing else. */
async function createEnv(env: Record<string, string> = { MANAGER_PASSWORD: password }) {
  const [DATABASE_URL, SERVICE_DATABASE_URL] = [await createDatabase(), await createDatabase()];
  const DATA_DIR = join(temporaryFolder(), 'none');
  return { DATA_DIR, DATABASE_URL, SERVICE_DATABASE_URL, SAMPLE_SUBSCRIBERS: '25', ...env };
}

/** Servers that start at the same moment. */
async function openBoth(env: Record<string, string>) {
  const servers = await Promise.all([openServer(env), openServer(env)]);
  return { servers, one: servers[0].url, other: servers[1].url };
}

type Session = Pick<Person, 'fetch'>;

/** Asks another server with the session of this one, as a load balancer would. */
const askAt = (person: Session, base: string, method: string, path: string, body?: unknown) =>
  person.fetch(ask(method, path, { base, body }));

async function countAt(url: string): Promise<number> {
  const manager = await signIn(url, password);
  return totalCount(await manager.ask('GET', '/api/subscribers'));
}

describe('a start of two servers at the same moment', () => {
  it('makes samples, the first account and its password once, and both are ready', async () => {
    const { servers, one, other } = await openBoth(await createEnv({}));
    const said = servers.map(({ output, complaints }) => output() + complaints()).join('');
    const [, oneTime = ''] = /with the one-time password (\S+)$/m.exec(said) ?? [];
    for (const url of [one, other]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const first = await signIn(one, oneTime);
    expect((await signIn(other, oneTime)).status).toBe(401);
    const chosen = { newPassword: password };
    expect((await askAt(first, other, 'PUT', '/bff/password', chosen)).status).toBe(200);
    expect([await countAt(one), await countAt(other)]).toEqual([25, 25]);
    expect(said.match(/the one-time password /g)).toHaveLength(1);
  });

  it('keeps no file, and what is there for the next start', async () => {
    const env = await createEnv();
    const collector = await startCollector();
    const first = await openServer({ ...env, ...collector.env });
    expect(await countAt(first.url)).toBe(25);
    // Traces have the statements of both databases.
    for (const name of ['SELECT sessions', 'SELECT subscribers'])
      expect((await collector.span(name)).attributes).toHaveProperty('db.system.name', 'postgresql');
    await first.stop();
    const again = await openServer({ ...env, MANAGER_PASSWORD: 'another of the operator' });
    expect(await countAt(again.url)).toBe(25);
    expect(again.output() + again.complaints()).not.toContain('password');
    expect(existsSync(env.DATA_DIR)).toBe(false);
  });
});

/** Two servers for what needs none of its own, with one database for both of their parts. */
const env = await createEnv();
const { one, other } = await openBoth({ ...env, SERVICE_DATABASE_URL: env.DATABASE_URL });

test('a session ends at both servers by the next request, whatever ends it at one of them', async () => {
  const manager = await signIn(one, password);
  const chosen = { password: annsOwn, newPassword: 'another that Ann has chosen' };
  const ways: Record<string, (id: string, ann: Session, elsewhere: Session) => Promise<Response>> = {
    'signed out': (_, ann) => askAt(ann, one, 'DELETE', '/bff/session'),
    disabled: (id) => manager.ask('PUT', `/bff/staff/${id}`, { disabled: true }),
    'given another password': (_, __, elsewhere) => askAt(elsewhere, one, 'PUT', '/bff/password', chosen),
  };
  for (const [name, end] of Object.entries(ways)) {
    const added = await (await manager.ask('POST', '/bff/staff', { name, role: 'manager' })).json();
    const first = await signIn(one, added.oneTimePassword, name);
    await first.ask('PUT', '/bff/password', { password: added.oneTimePassword, newPassword: annsOwn });
    const ann = await signIn(other, annsOwn, name);
    const staff: StaffMember[] = await (await manager.ask('GET', '/bff/staff')).json();
    const statuses = () =>
      Promise.all([one, other].map(async (url) => (await askAt(ann, url, 'GET', '/bff/session')).status));
    expect([name, ...(await statuses())]).toEqual([name, 200, 200]);
    const { id = '' } = staff.find((member) => member.name === name) ?? {};
    expect((await end(id, ann, first)).ok, name).toBe(true);
    expect([name, ...(await statuses())]).toEqual([name, 401, 401]);
  }
});

test('a change that comes to both servers at once with the same key is done once', async () => {
  const manager = await signIn(one, password);
  const headers = { [changeHeaders.key]: 'the-same-key-at-both' };
  const body = person('once-only');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, turn) =>
      manager.fetch(ask('POST', '/api/subscribers', { base: turn % 2 ? one : other, body, headers })),
    ),
  );
  const texts = await Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`));
  expect(new Set(texts).size).toBe(1);
  expect(answers.filter((answer) => answer.headers.has(changeHeaders.replayed))).toHaveLength(19);
  expect(await totalCount(await manager.ask('GET', '/api/subscribers?Username=once-only'))).toBe(1);
});

test('the other of two servers answers on when one is killed under load, and nothing acknowledged is lost', async () => {
  const env = await createEnv();
  const killed = startServer(env.DATA_DIR, env);
  const manager = await signIn(await addressOf(killed), password);
  const other = await openServer(env);
  const acknowledged = Array<number>(8).fill(0);
  /** Each writer has a record of its own; when all have got going, the server is killed. */
  const write = async (index: number) => {
    const regenerate = async () => {
      const answer = await manager.ask('POST', `/api/subscribers/${index + 1}/regenerate-token`);
      return answer.ok && (await answer.text()) !== '';
    };
    while (await regenerate().catch(() => false)) {
      acknowledged[index] = (acknowledged[index] ?? 0) + 1;
      if (acknowledged.every((count) => count > 2)) killed.signal('SIGKILL');
    }
  };
  await Promise.all(acknowledged.map((_, index) => write(index)));
  expect((await killed.ended).code).toBeNull();
  expect(await versionsIn(env.SERVICE_DATABASE_URL)).toEqual(
    acknowledged.map((times) => expect.toSatisfy((version) => [times, times + 1].includes(version - 1))),
  );
  expect(await totalCount(await askAt(manager, other.url, 'GET', '/api/subscribers'))).toBe(25);
  // Another subscriber: one with a change whose server is gone stays blocked until the change is reconciled.
  const renewed = await askAt(manager, other.url, 'POST', '/api/subscribers/9/regenerate-token');
  expect(renewed.status).toBe(200);
});

/** Number of writes of each of the first eight records, counted from 1. */
async function versionsIn(url: string): Promise<number[]> {
  const db = openPostgres(url);
  onTestFinished(() => db.destroy());
  const query = sql<{ version: number }>`select version from subscribers where id <= 8 order by id`;
  return (await query.execute(db)).rows.map(({ version }) => version);
}
