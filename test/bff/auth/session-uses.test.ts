import { expect, test } from 'vitest';
import { ask, signIn } from '../../support/bff/browser.ts';
import { openStaffedDesk, type Desk } from '../../support/bff/desk.ts';

const minute = 60_000;

/** A desk with three who have been signed in for a while, and when each of them was last seen. */
async function arrange() {
  const desk = await openStaffedDesk();
  const began = desk.time.now;
  const cookies: string[] = [];
  for (const name of ['viewer', 'support', 'manager'] as const) cookies.push(await signIn(desk, name));
  desk.time.now += 10 * minute;
  const use = (who: number) =>
    desk.fetch(ask('GET', '/bff/session', { headers: { Cookie: cookies[who] ?? '' } }));
  return { desk, began, use, seen: () => seenAt(desk, began) };
}

/** In ms after the beginning, each time once. */
async function seenAt({ db }: Desk, began: number): Promise<number[]> {
  const rows = await db.selectFrom('sessions').select('seen_at').execute();
  return rows.map((row) => row.seen_at - began).toSorted((one, other) => one - other);
}

test('the uses of many sessions within a second are written at once', async () => {
  const { desk, use, seen } = await arrange();
  await use(0);
  expect(await seen()).toEqual([0, 0, 10 * minute]);
  desk.time.now += 400;
  await Promise.all([use(1), use(2)]);
  expect(await seen()).toEqual([0, 0, 10 * minute]);
  desk.time.now += 600;
  await use(0);
  expect(await seen()).toEqual([10 * minute, 10 * minute + 400, 10 * minute + 400]);
});

test('a use that nobody came after is written when the desk is tended', async () => {
  const { desk, use, seen } = await arrange();
  await use(0);
  await use(1);
  desk.time.now += minute;
  await desk.runMaintenance();
  expect(await seen()).toEqual([0, 10 * minute, 10 * minute]);
});
