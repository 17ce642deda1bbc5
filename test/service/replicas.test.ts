import { describe, expect, it } from 'vitest';
import { createSeededRandom } from '../../src/service/samples/seeded-random.ts';
import { createService } from '../../src/service/http/service.ts';
import { createSigningKeys } from '../../src/service/oauth/signing-keys.ts';
import { engine } from '../support/setup/database.ts';
import { roundsOf } from '../support/setup/rounds.ts';
import { issuer, openStore, startTwo, type TestService } from '../support/service/harness.ts';
import { anna } from '../support/service/people.ts';

describe('one of two services on a database', () => {
  it('accepts the tokens of the other, and after a restart its own', async () => {
    const { one, other } = await startTwo();
    const token = await one.token('subscribers:read');
    for (const each of [one, other]) {
      const theirs = await each.token('subscribers:read');
      for (const { send } of [one, other])
        expect((await send('GET', '/subscribers', { token: theirs })).status).toBe(200);
    }
    const { db, time } = one;
    const random = createSeededRandom(3).bytes;
    const restarted = createService({ db, clock: () => time.now, random, issuer, log: () => {} });
    const headers = { Authorization: `Bearer ${token}` };
    expect((await restarted.fetch(new Request(`${issuer}/subscribers`, { headers }))).status).toBe(200);
  });

  it('finds nothing by a previous token on the next request, also if both regenerate it at once', async () => {
    const { one, other } = await startTwo();
    const { accessToken, id } = (await one.client.createSubscriber({ body: anna })).data;
    const params = { id };
    const statusAt = async (service: TestService, token: string) =>
      (await service.send('GET', `/subscribers/by-token/${token}`)).status;
    let current = accessToken;
    for (let round = 0; round < roundsOf(engine === 'sqlite' ? 200 : 50, 500); round++) {
      // Twice in a round: in a race of the two services, and with a reader at the one while the other writes.
      const raced = await Promise.all([one, other].map(({ client }) => client.regenerateToken({ params })));
      const [first = '', second = ''] = raced.map(({ data }) => data.accessToken);
      const last = (await one.client.getSubscriber({ params, query: {} })).data.accessToken;
      expect([first, second]).toContain(last);
      for (const token of [current, last === first ? second : first])
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

  it('lets one of two writes with one ETag win', async () => {
    const { one, other } = await startTwo();
    let { etag } = await one.client.createSubscriber({ body: anna });
    for (let round = 0; round < 50; round++) {
      const headers = { 'If-Match': etag ?? '' };
      const answers = await Promise.all(
        [one, other].map(({ send }, writer) =>
          send('PUT', '/subscribers/1', { headers, body: { note: `${round} by ${writer}` } }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
      etag = answers.find(({ ok }) => ok)?.headers.get('ETag') ?? null;
    }
  });
});

describe('one of several first starts that race', () => {
  it('ends with the key that all of them sign with and find', async () => {
    const db = await openStore();
    const racing = Array.from({ length: 5 }, () => createSigningKeys({ db, clock: () => 0 }));
    const [kid = '', ...others] = await Promise.all(racing.map(async (each) => (await each.current()).kid));
    expect(new Set(others)).toEqual(new Set([kid]));
    for (const each of racing) expect((await each.find(kid))?.kid).toBe(kid);
    expect(await db.selectFrom('signing_keys').select('kid').execute()).toEqual([{ kid }]);
  });
});
