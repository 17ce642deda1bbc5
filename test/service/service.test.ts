import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { engine } from '../support/setup/database.ts';
import { startService, tokenRequest, type TestService } from '../support/service/harness.ts';
import { problemOf } from '../support/service/problem-of.ts';
import { anna, annaWhole } from '../support/service/people.ts';

/** A service whose database fails from now on. */
async function broken(): Promise<TestService> {
  const service = await startService();
  await service.db.schema.alterTable('subscribers').renameTo('gone').execute();
  return service;
}

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
  test('has a line for each request: its route, and never its address', async () => {
    const { send, log, client } = await startService();
    const { accessToken } = (await client.createSubscriber({ body: annaWhole })).data;
    log.length = 0;
    const headers = { 'X-Request-Id': 'request-1' };
    await send('GET', `/subscribers/by-token/${accessToken}?include=bundles`, { headers });
    await send('DELETE', '/subscribers', { headers });
    await send('HEAD', `/secret-${accessToken}`, { headers });
    const line = { level: 'info', event: 'request' };
    const facts = { ms: 0, requestId: 'request-1' };
    expect(log).toEqual([
      {
        ...line,
        facts: { ...facts, route: '/subscribers/by-token/{accessToken}', method: 'GET', status: 200 },
      },
      {
        ...line,
        facts: { ...facts, route: '/subscribers', method: 'DELETE', status: 405, code: 'method-not-allowed' },
      },
      { ...line, facts: { ...facts, route: 'none', method: 'HEAD', status: 404, code: 'no-such-address' } },
    ]);
  });

  test('contains nothing that was sent or answered, errors included', async () => {
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
  test('is a 500 that says nothing of its cause', async () => {
    const { send } = await broken();
    const { problem, detail } = await problemOf(await send('GET', '/subscribers/1'));
    expect(problem).toBe('500 internal-error');
    expect(detail).toBe(
      'Something went wrong on the server. Try again. If it happens again, give an administrator the request ID.',
    );
  });

  test('is logged with the request id and the source location', async () => {
    const { send, log } = await broken();
    await send('POST', '/subscribers', { body: anna, headers: { 'X-Request-Id': 'request-1' } });
    expect(log).toContainEqual({
      level: 'error',
      event: 'request-failed',
      facts: expect.objectContaining({
        requestId: 'request-1',
        error: expect.stringMatching(/^error$/i),
        stack: expect.arrayContaining([]),
      }),
    });
    expect(JSON.stringify(log)).toContain('src/service/subscribers/');
  });
});

test('GET /healthz answers 200 to anybody, and /readyz that it is not ready without its database', async () => {
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
