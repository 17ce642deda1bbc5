import { expect, test } from 'vitest';
import { createDice } from '../../src/service/samples/dice.ts';
import { createService } from '../../src/service/service.ts';
import { createSigningKeys } from '../../src/service/oauth/signing-keys.ts';
import { serviceMigrations } from '../../src/service/migrations.ts';
import type { ServiceTables } from '../../src/service/schema.ts';
import { openTwice } from '../support/setup/database.ts';
import { issuer, openStore, startService, type TestService } from '../support/service/harness.ts';
import { anna } from '../support/service/people.ts';

/** Two services, each with its own connection to one database. */
async function startTwo() {
  const [first, second] = await openTwice<ServiceTables>('service', serviceMigrations);
  const one = await startService({ db: first, seed: 1 });
  const other = await startService({ db: second, seed: 2 });
  return { one, other };
}

test('each of two services takes the tokens of the other', async () => {
  const { one, other } = await startTwo();
  for (const [issuing, asked] of [
    [one, other],
    [other, one],
  ] as const) {
    const token = await issuing.token('subscribers:read');
    expect((await asked.send('GET', '/subscribers', { token })).status).toBe(200);
  }
});

test('a token is good at a service that has never made one, as after a restart', async () => {
  const { db, time, token } = await startService();
  const old = await token('subscribers:read');
  const restarted = createService({
    db,
    clock: () => time.now,
    random: createDice(3).bytes,
    issuer,
    log: () => {},
  });
  const headers = { Authorization: `Bearer ${old}` };
  const response = await restarted.fetch(new Request(`${issuer}/subscribers`, { headers }));
  expect(response.status).toBe(200);
});

test('first starts that race end with one key, which all of them sign with and find', async () => {
  const db = await openStore();
  const racing = Array.from({ length: 5 }, () => createSigningKeys({ db, clock: () => 0 }));
  const keys = await Promise.all(racing.map((each) => each.current()));
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1);
  const kid = keys[0]?.kid ?? '';
  for (const each of racing) expect((await each.find(kid))?.kid).toBe(kid);
  expect(await db.selectFrom('signing_keys').select('kid').execute()).toEqual([{ kid }]);
});

test('of two services that regenerate one token at once, each old one finds nothing on the next request', async () => {
  const { one, other } = await startTwo();
  const { accessToken, id } = (await one.client.createSubscriber({ body: anna })).data;
  const params = { id };
  const statusAt = async (service: TestService, token: string) =>
    (await service.send('GET', `/subscribers/by-token/${token}`)).status;
  let current = accessToken;
  for (let round = 0; round < 500; round++) {
    // Twice in a round: in a race of the two services, and with a reader at the one while the other writes.
    const raced = await Promise.all([one, other].map(({ client }) => client.regenerateToken({ params })));
    const [first = '', second = ''] = raced.map(({ data }) => data.accessToken);
    const { data } = await one.client.getSubscriber({ params, query: {} });
    const last = data.accessToken;
    expect([first, second]).toContain(last);
    const over = [current, last === first ? second : first];
    for (const token of over)
      expect(await Promise.all([statusAt(one, token), statusAt(other, token)])).toEqual([404, 404]);

    const [writing, reading] = round % 2 === 0 ? [one, other] : [other, one];
    const status = statusAt(reading, last);
    const next = (await writing.client.regenerateToken({ params })).data.accessToken;
    expect(await statusAt(reading, last)).toBe(404);
    expect(await statusAt(reading, next)).toBe(200);
    expect([200, 404]).toContain(await status);
    current = next;
  }
});

test('of two services that write with one ETag at once, one wins', async () => {
  const { one, other } = await startTwo();
  let { etag } = await one.client.createSubscriber({ body: anna });
  for (let round = 0; round < 50; round++) {
    const headers = { 'If-Match': etag ?? '' };
    const answers = await Promise.all(
      [one, other].map((each, writer) =>
        each.send('PUT', '/subscribers/1', { headers, body: { note: `${round} by ${writer}` } }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
    etag = answers.find(({ ok }) => ok)?.headers.get('ETag') ?? null;
  }
});
