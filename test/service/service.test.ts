import { sql } from 'kysely';
import { describe, expect, it, test } from 'vitest';
import { engine } from '../support/setup/database.ts';
import { startService, tokenRequest, type TestService } from '../support/service/harness.ts';
import { problemOf } from '../support/service/problem-of.ts';
import { anna, annaWhole } from '../support/service/people.ts';

/** From now on the database refuses changes with errors that quote what they were given. */
async function quoteInErrors({ db }: TestService): Promise<void> {
  if (engine === 'sqlite')
    await sql`create trigger quote before update on subscribers begin
      select raise(abort, new.access_token || new.email || new.note); end`.execute(db);
  else
    await sql`create function quote() returns trigger language plpgsql as $$ begin
        raise exception '%', new.access_token || new.email || new.note; end $$;
      create trigger quote before update on subscribers for each row execute function quote()`.execute(db);
}

describe('the log', () => {
  it('has a line for each request: its route, and never its address', async () => {
    const { send, log, client } = await startService();
    const { accessToken } = (await client.createSubscriber({ body: annaWhole })).data;
    log.length = 0;
    const headers = { 'X-Request-Id': 'request-1' };
    await send('GET', `/subscribers/by-token/${accessToken}?include=bundles`, { headers });
    await send('DELETE', '/subscribers', { headers });
    await send('HEAD', `/secret-${accessToken}`, { headers });
    const known = { ms: 0, requestId: 'request-1' };
    const lines = [
      { route: '/subscribers/by-token/{accessToken}', method: 'GET', status: 200 },
      { route: '/subscribers', method: 'DELETE', status: 405, code: 'method-not-allowed' },
      { route: 'none', method: 'HEAD', status: 404, code: 'no-such-address' },
    ];
    expect(log).toEqual(
      lines.map((details) => ({ level: 'info', event: 'request', details: { ...known, ...details } })),
    );
  });

  it('warns of no request whose client has gone, as of people who type on', async () => {
    const { fetchWithToken, log } = await startService();
    const signal = AbortSignal.abort();
    const list = new Request('http://service.test/subscribers?Username=a', { signal });
    expect((await fetchWithToken(list)).status).toBe(503);
    expect(log).toMatchObject([
      { level: 'info', event: 'request', details: { status: 503, clientGone: true } },
    ]);
  });

  it('contains nothing that was sent or answered, errors included', async () => {
    const service = await startService();
    const { data } = await service.client.createSubscriber({ body: annaWhole });
    await service.send('GET', `/subscribers?Username=${data.username}&Email=${data.email}`);
    await service.send('POST', '/subscribers', { body: annaWhole });
    await service.fetch(tokenRequest({ client_secret: 'canary-secret' }));
    await quoteInErrors(service);
    expect((await service.send('PUT', '/subscribers/1', { body: annaWhole })).status).toBe(500);
    const written = JSON.stringify(service.log);
    expect(written).toContain('request-failed');
    for (const canary of [data.accessToken, 'Anna', 'anna@', 'First line', '203.0.113', 'canary', 'eyJ'])
      expect(written).not.toContain(canary);
  });
});

describe('an unforeseen error', () => {
  it('is a 500 that says nothing of its cause, and is logged with the request id and its place', async () => {
    const { send, log, db } = await startService();
    await db.schema.alterTable('subscribers').renameTo('gone').execute();
    const headers = { 'X-Request-Id': 'request-1' };
    const answers = [
      await problemOf(await send('GET', '/subscribers/1')),
      await problemOf(await send('POST', '/subscribers', { body: anna, headers })),
    ];
    const problem = '500 internal-error';
    const [begin, end] = [
      'Something went wrong on the server.',
      'If it happens again, give an administrator the request ID.',
    ];
    expect(answers).toEqual([
      { problem, fields: [], detail: `${begin} Try again. ${end}` },
      {
        problem,
        fields: [],
        detail: `${begin} Check whether your change was made before you try again. ${end}`,
      },
    ]);
    expect(log).toContainEqual({
      level: 'error',
      event: 'request-failed',
      details: expect.objectContaining({ requestId: 'request-1', error: expect.stringMatching(/^error$/i) }),
    });
    expect(JSON.stringify(log)).toContain('src/service/subscribers/');
  });
});

describe('GET /subscriber-statuses', () => {
  it('answers all rows of the table, also those that a deployment added', async () => {
    const { client, db } = await startService();
    await db.insertInto('subscriber_statuses').values({ id: 9, name: 'Paused' }).execute();
    expect((await client.listStatuses({})).data).toEqual([
      { id: 1, name: 'Active' },
      { id: 2, name: 'Suspended' },
      { id: 3, name: 'Blocked' },
      { id: 9, name: 'Paused' },
    ]);
  });
});

test('GET /readyz answers 503 without the database, and GET /healthz still 200', async () => {
  const { send, db } = await startService();
  const readiness = async () => {
    const response = await send('GET', '/readyz', { token: null });
    return [response.status, await response.json()];
  };
  expect(await readiness()).toEqual([200, { ready: true }]);
  await db.schema.alterTable('subscriber_statuses').renameTo('gone').execute();
  expect(await readiness()).toEqual([503, { ready: false }]);
  expect((await send('GET', '/healthz', { token: null })).status).toBe(200);
});
