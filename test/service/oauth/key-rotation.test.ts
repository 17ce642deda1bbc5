import { decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { createSigningKeys, rotateSigningKey } from '../../../src/service/oauth/signing-keys.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import { openTwice } from '../../support/setup/database.ts';
import { openStore, startService, type TestService } from '../../support/service/harness.ts';

const seconds = 1000;
const hour = 3600 * seconds;

/** Two services on one database, whose clocks go together. */
async function startTwo() {
  const [first, second] = await openTwice<ServiceTables>('service', serviceMigrations);
  const one = await startService({ db: first, seed: 1 });
  const other = await startService({ db: second, seed: 2 });
  const wait = (ms: number) => {
    one.time.now += ms;
    other.time.now += ms;
  };
  return { one, other, wait, rotate: () => rotate(one) };
}

const rotate = ({ db, time }: TestService) => rotateSigningKey({ db, clock: () => time.now });
const keyOf = (token: string) => decodeProtectedHeader(token).kid;
const isGood = async ({ send }: TestService, token: string) =>
  (await send('GET', '/subscribers', { token })).status === 200;

describe('after the signing key was rotated', () => {
  test('every replica signs with the new key within five seconds', async () => {
    const { one, other, wait, rotate } = await startTwo();
    const old = await one.token('subscribers:read');
    await rotate();
    wait(5 * seconds);
    const tokens = [await one.token('subscribers:read'), await other.token('subscribers:read')];
    const [first, second] = tokens.map(keyOf);
    expect(first).toBe(second);
    expect(first).not.toBe(keyOf(old));
  });

  test('a replica that has not looked again yet takes tokens of the new key at once', async () => {
    const { one, other, rotate } = await startTwo();
    const usual = await other.token('subscribers:read');
    await rotate();
    const { db, time } = one;
    const fresh = await startService({ db, seed: 3 });
    fresh.time.now = time.now;
    const token = await fresh.token('subscribers:read');
    expect(keyOf(token)).not.toBe(keyOf(usual));
    expect(await isGood(other, token)).toBe(true);
  });

  test('a replica does not ask the database for each key that somebody makes up', async () => {
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

  test('tokens of the old key are good to their end, and what it signs later is not', async () => {
    const { one, other, wait, rotate } = await startTwo();
    const old = await one.token('subscribers:read');
    await rotate();
    wait(hour - 1);
    expect(await isGood(one, old)).toBe(true);
    expect(await isGood(other, old)).toBe(true);
    wait(2 * 60 * seconds);
    const [key] = await one.db.selectFrom('signing_keys').selectAll().orderBy('generation').execute();
    expect(await createSigningKeys({ db: one.db, clock: () => one.time.now }).find(keyOf(old) ?? '')).toBe(
      null,
    );
    expect(key?.kid).toBe(keyOf(old));
  });

  test('the old key is deleted when the last of its tokens has ended', async () => {
    const { one, wait, rotate } = await startTwo();
    await one.token('subscribers:read');
    await rotate();
    const count = async () => (await one.db.selectFrom('signing_keys').select('kid').execute()).length;
    wait(hour);
    await one.token('subscribers:read');
    expect(await count()).toBe(2);
    wait(2 * 60 * seconds);
    await one.token('subscribers:read');
    expect(await count()).toBe(1);
  });
});

test('a service that has no key yet gets its first by rotation', async () => {
  const db = await openStore();
  await rotateSigningKey({ db, clock: () => 0 });
  const rows = await db.selectFrom('signing_keys').select(['kid', 'generation']).execute();
  expect(rows).toEqual([
    { kid: (await createSigningKeys({ db, clock: () => 0 }).current()).kid, generation: 1 },
  ]);
});
