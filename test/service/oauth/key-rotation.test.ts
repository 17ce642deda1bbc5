import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSigningKeys, rotateSigningKey } from '../../../src/service/oauth/signing-keys.ts';
import { openStore, startService, startTwo, type TestService } from '../../support/service/harness.ts';

const seconds = 1000;
const hour = 3600 * seconds;

/** Two services on one database, whose clocks go together and whose key was rotated after a token was issued. */
async function startRotated() {
  const { one, other } = await startTwo();
  const old = await one.token('subscribers:read');
  await rotateSigningKey({ db: one.db, clock: () => one.time.now });
  const wait = (ms: number) => {
    one.time.now += ms;
    other.time.now += ms;
  };
  return { one, other, old, wait };
}

const keyOf = (token: string) => decodeProtectedHeader(token).kid;
const isGood = async ({ send }: TestService, token: string) =>
  (await send('GET', '/subscribers', { token })).status === 200;

describe('a replica after the rotation of the signing key', () => {
  it('signs with the new key within five seconds, as every other', async () => {
    const { one, other, old, wait } = await startRotated();
    wait(5 * seconds);
    const [first, second] = [await one.token('subscribers:read'), await other.token('subscribers:read')];
    expect(keyOf(first)).toBe(keyOf(second));
    expect(keyOf(first)).not.toBe(keyOf(old));
  });

  it('accepts tokens of the new key at once, before it has looked again', async () => {
    const { one, other, old } = await startRotated();
    const { db, time } = one;
    const fresh = await startService({ db, seed: 3, time: { now: time.now } });
    const token = await fresh.token('subscribers:read');
    expect(keyOf(token)).not.toBe(keyOf(old));
    expect(await isGood(other, token)).toBe(true);
  });

  it('accepts tokens of the old key to their end, and none that it signs later', async () => {
    const { one, other, old, wait } = await startRotated();
    wait(hour - 1);
    expect(await isGood(one, old)).toBe(true);
    expect(await isGood(other, old)).toBe(true);
    wait(2 * 60 * seconds);
    const [key] = await one.db.selectFrom('signing_keys').selectAll().orderBy('generation').execute();
    expect(key?.kid).toBe(keyOf(old));
    const keys = createSigningKeys({ db: one.db, clock: () => one.time.now });
    expect(await keys.find(keyOf(old) ?? '')).toBe(null);
  });

  it('deletes the old key when the last of its tokens has ended', async () => {
    const { one, wait } = await startRotated();
    const count = async () => (await one.db.selectFrom('signing_keys').select('kid').execute()).length;
    wait(hour);
    await one.token('subscribers:read');
    expect(await count()).toBe(2);
    wait(2 * 60 * seconds);
    await one.token('subscribers:read');
    expect(await count()).toBe(1);
  });
});

describe('a service', () => {
  it('does not ask the database for each key that somebody makes up', async () => {
    const { db, time } = await startService();
    let reads = 0;
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        reads += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const keys = createSigningKeys({ db: counted, clock: () => time.now });
    const { kid } = await keys.current();
    reads = 0;
    for (let count = 0; count < 100; count += 1) expect(await keys.find('A'.repeat(43))).toBe(null);
    expect(reads).toBe(5);
    expect(await keys.find(kid)).toMatchObject({ kid });
    time.now += 5000;
    await keys.find('A'.repeat(43));
    expect(reads).toBeGreaterThan(5);
  });

  it('gets its first key by rotation if it has none yet', async () => {
    const db = await openStore();
    await rotateSigningKey({ db, clock: () => 0 });
    const rows = await db.selectFrom('signing_keys').select(['kid', 'generation']).execute();
    const { kid } = await createSigningKeys({ db, clock: () => 0 }).current();
    expect(rows).toEqual([{ kid, generation: 1 }]);
  });
});
