import { sql } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { setProviderRole } from '../../../src/bff/auth/openid/provider-account.ts';
import { addFactor } from '../../../src/bff/auth/second-factor.ts';
import { createStaffAccounts } from '../../../src/bff/staff/store.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { lockRow } from '../../../src/bff/lock-row.ts';
import { noRole } from '../../../src/bff/schema.ts';
import { engine } from '../../support/setup/database.ts';
import { codeIn, outcomeOf } from '../../support/bff/browser.ts';
import { isIn, manage, meanwhile, statusOfSignIn } from '../../support/bff/person.ts';
import { recordEventOf, someone } from '../../support/bff/entries.ts';

let bff: TestDesk;
let manager: Awaited<ReturnType<typeof manage>>;

beforeEach(async () => {
  bff = await createTestDesk();
  manager = await manage(bff);
});

describe('the list of accounts', () => {
  it('is sorted by name, with the role, the state and the last sign-in of each', async () => {
    bff.time.now += 60_000;
    await bff.signIn('viewer');
    const list = await manager.list();
    expect(list.map(({ name }) => name)).toEqual(['colleague', 'manager', 'support', 'viewer']);
    expect(list[3]).toEqual({
      id: expect.any(String),
      name: 'viewer',
      role: 'viewer',
      disabled: false,
      singleSignOn: false,
      otherProvider: false,
      mustChangePassword: false,
      secondFactor: false,
      lastSignInAt: '2026-01-01T00:01:00.000Z',
    });
    expect(list[0]?.lastSignInAt).toBeNull();
  });
});

describe('a new account', () => {
  it('opens with a password that only the answer contains', async () => {
    const { staff, oneTimePassword } = await manager.add(' Åsa ', 'support');
    expect(staff).toMatchObject({ name: 'Åsa', role: 'support', disabled: false, mustChangePassword: true });
    expect(oneTimePassword).toMatch(/^([a-km-np-z2-9]{5}-){3}[a-km-np-z2-9]{5}$/);
    expect(await statusOfSignIn(bff, 'åsa', oneTimePassword)).toBe(200);
    const stored = JSON.stringify([await manager.list(), bff.logs]);
    expect(stored).not.toContain(oneTimePassword);
  });

  it.each([
    [{ name: 'a\nb', role: 'viewer' }, ['name']],
    [{ name: 'VIEWER', role: 'viewer' }, ['name']],
    [{ name: 'ann', role: 'owner' }, ['role']],
    [{ name: 'ann' }, ['role']],
    [{ name: 'ann', role: 'viewer', password: 'chosen by a manager' }, ['password']],
  ])('is refused by field for %j', async (body, fields) => {
    const response = await manager.ask('POST', '/bff/staff', body);
    const { errors }: { errors: object } = await response.json();
    expect([response.status, Object.keys(errors)]).toEqual([422, fields]);
  });

  it('is made once, even if its name is asked for many times at once', async () => {
    const tries = Array.from({ length: 10 }, () =>
      manager.ask('POST', '/bff/staff', { name: 'ann', role: 'viewer' }),
    );
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect([statuses.filter((status) => status === 200).length, new Set(statuses)]).toEqual([
      1,
      new Set([200, 422]),
    ]);
  });
});

describe('an account whose role changes', () => {
  it('has the new role from then on, and its sessions end', async () => {
    const person = await bff.signIn('viewer');
    expect(await (await manager.change('viewer', { role: 'support' })).json()).toMatchObject({
      role: 'support',
    });
    expect(await isIn(person)).toBe(false);
    const again = await bff.signIn('viewer');
    expect(await (await again.ask('GET', '/bff/session')).json()).toMatchObject({
      staff: { role: 'support' },
    });
  });

  it('keeps its sessions where nothing changes', async () => {
    const person = await bff.signIn('viewer');
    expect((await manager.change('viewer', { role: 'viewer', disabled: false })).status).toBe(200);
    expect(await isIn(person)).toBe(true);
  });
});

describe('a disabled account', () => {
  it('is signed out at once, cannot sign in, and can be enabled again', async () => {
    const person = await bff.signIn('viewer');
    expect((await manager.change('viewer', { disabled: true })).status).toBe(200);
    expect(await isIn(person)).toBe(false);
    expect(await statusOfSignIn(bff, 'viewer')).toBe(401);
    await manager.change('viewer', { disabled: false });
    expect(await isIn(person)).toBe(false);
    expect(await statusOfSignIn(bff, 'viewer')).toBe(200);
  });

  it('starts no session if it is disabled while its password is being checked', async () => {
    meanwhile(bff, 'verify', () => manager.change('viewer', { disabled: true }));
    expect(await statusOfSignIn(bff, 'viewer')).toBe(401);
    await manager.change('viewer', { disabled: false });
    expect(await bff.rows('sessions')).toHaveLength(1);
  });
});

describe('a manager whose account is disabled while a password is being hashed', () => {
  beforeEach(() => {
    meanwhile(bff, 'hash', () => bff.changeAccount('manager', { disabled: 1 }));
  });

  it('adds no account', async () => {
    expect(await outcomeOf(manager.ask('POST', '/bff/staff', { name: 'new', role: 'manager' }))).toBe(
      '401 not-signed-in',
    );
    expect((await bff.rows('staff')).map(({ name }) => name)).not.toContain('new');
  });

  it('gets nobody’s one-time password', async () => {
    expect(await outcomeOf(manager.reset('support'))).toBe('401 not-signed-in');
    expect(await statusOfSignIn(bff, 'support')).toBe(200);
  });
});

describe('the ended sessions of an account', () => {
  test('all sessions of an account end and are counted, and nobody else’s', async () => {
    const [first, second, other] = [
      await bff.signIn('viewer'),
      await bff.signIn('viewer'),
      await bff.signIn('support'),
    ];
    expect(await (await manager.endSessions('viewer')).json()).toEqual({ ended: 2 });
    expect([await isIn(first), await isIn(second), await isIn(other)]).toEqual([false, false, true]);
    expect(await statusOfSignIn(bff, 'viewer')).toBe(200);
  });

  test('sessions that had run out are not counted', async () => {
    await bff.signIn('viewer');
    bff.time.now += 29 * 60_000;
    await manager.ask('GET', '/bff/session');
    await bff.signIn('viewer');
    bff.time.now += 29 * 60_000;
    expect(await (await manager.endSessions('viewer')).json()).toEqual({ ended: 1 });
  });
});

describe('the last manager', () => {
  it.each([{ disabled: true }, { role: 'support' }, { role: 'viewer', disabled: true }])(
    'cannot become %j',
    async (change) => {
      await bff.hire('manager', 'former');
      await manager.change('former', { disabled: true });
      expect(await outcomeOf(manager.change('manager', change))).toBe('409 last-manager');
      expect(await manager.find('manager')).toMatchObject({ role: 'manager', disabled: false });
    },
  );

  it('is not replaced by one who has not chosen a password yet', async () => {
    const { oneTimePassword } = await manager.add('newcomer', 'manager');
    const change = () => manager.change('manager', { role: 'viewer' });
    expect(await codeIn(await change())).toBe('last-manager');
    bff.time.now += 60_000;
    const newcomer = await bff.signIn('newcomer', oneTimePassword);
    expect(await codeIn(await change())).toBe('last-manager');
    const body = { password: oneTimePassword, newPassword: 'nine tired otters sing' };
    expect((await newcomer.ask('PUT', '/bff/password', body)).status).toBe(200);
    expect((await change()).status).toBe(200);
  });

  it('is none who has not chosen a password yet: that account can be disabled', async () => {
    await manager.add('newcomer', 'manager');
    expect((await manager.change('newcomer', { disabled: true })).status).toBe(200);
  });

  it.each([-2, 2])(
    'is left when two reset each other at the same moment, whatever the clock does (%i days)',
    async (days) => {
      await bff.hire('manager', 'second');
      const managers = (await manager.list()).filter(({ role }) => role === 'manager');
      const accounts = createStaffAccounts({ ...bff.deps, recordEvent: recordEventOf(bff.deps) });
      bff.time.now += days * 24 * 60 * 60_000;
      const outcomes = await Promise.allSettled(
        managers.map(({ id }) => accounts.resetPassword(id, someone, async () => undefined)),
      );
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: 'last-manager' } }]);
      const remaining = (await accounts.list()).filter(
        (member) => member.role === 'manager' && !member.mustChangePassword,
      );
      expect(remaining).toHaveLength(1);
    },
  );

  it.each([{ role: 'viewer' as const }, { disabled: true }])(
    'is left when several managers change each other to %j at the same moment',
    async (change) => {
      for (const name of ['second', 'third']) await bff.hire('manager', name);
      const managers = (await manager.list()).filter(({ role }) => role === 'manager');
      // Past the guards, where requests that came at the same moment meet.
      const accounts = createStaffAccounts({ ...bff.deps, recordEvent: recordEventOf(bff.deps) });
      const outcomes = await Promise.allSettled(
        managers.map(({ id }) => accounts.change(id, change, someone)),
      );
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: 'last-manager' } }]);
      const remaining = (await accounts.list()).filter(
        ({ role, disabled }) => role === 'manager' && !disabled,
      );
      expect(remaining).toHaveLength(1);
    },
  );
});

test('changes of accounts at the same moment wait in one line: none is refused, to be tried again a second later', async () => {
  for (const name of ['second', 'third', 'fourth']) await bff.hire('manager', name);
  const ids = (await manager.list()).map(({ id }) => id);
  // By a copy without the repetition of transactions.
  const db = bff.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  });
  const accounts = createStaffAccounts({ ...bff.deps, db, recordEvent: recordEventOf(bff.deps) });
  const roles = ['viewer', 'manager'] as const;
  const changes = Array.from({ length: 4 }, () => ids.slice(1)).flat();
  const outcomes = await Promise.allSettled(
    changes.map((id, index) => accounts.change(id, { role: roles[index % 2] }, someone)),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
});

test('an account that a manager disables keeps the role that single sign-on takes away at the same moment', async () => {
  const { db } = bff;
  const viewer = await accountOf('viewer');
  const recordEvent = recordEventOf(bff.deps);
  const goOn = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const late: typeof recordEvent = async (tx, event) => {
    written.resolve();
    await goOn.promise;
    await recordEvent(tx, event);
  };
  const withdrawn = setProviderRole({ ...bff.deps, recordEvent: late }, viewer, null, 'r');
  await written.promise;
  const disabled = createStaffAccounts({ ...bff.deps, recordEvent }).change(
    viewer.id,
    { disabled: true },
    someone,
  );
  if (engine === 'postgres') await untilSomebodyWaits(db);
  goOn.resolve();
  expect([await withdrawn, await disabled]).toMatchObject([true, { role: null, disabled: true }]);
  const now = db.selectFrom('staff').select('role').where('id', '=', viewer.id);
  expect(await now.executeTakeFirst()).toEqual({ role: noRole });
});

test('a second factor that is being set up while a manager resets it is gone afterwards', async () => {
  const { db, deps } = bff;
  const person = await bff.signIn('support');
  const { id } = await accountOf('support');
  const goOn = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const added = db.transaction().execute(async (tx) => {
    await lockRow(tx, 'staff', { id });
    await addFactor(tx, { staffId: id, kind: 'totp', secret: 'sealed', counter: 0 }, deps);
    written.resolve();
    await goOn.promise;
  });
  await written.promise;
  const accounts = createStaffAccounts({ ...deps, recordEvent: recordEventOf(deps) });
  const reset = accounts.resetSecondFactor(id, someone);
  if (engine === 'postgres') await Promise.race([reset, untilSomebodyWaits(db)]);
  goOn.resolve();
  await Promise.all([added, reset]);
  expect((await manager.find('support'))?.secondFactor).toBe(false);
  expect(await isIn(person)).toBe(false);
});

const accountOf = (name: string) =>
  bff.db.selectFrom('staff').selectAll().where('name', '=', name).executeTakeFirstOrThrow();

/** Waits until a transaction waits for another one. */
async function untilSomebodyWaits(db: TestDesk['db']): Promise<void> {
  const waits = sql<{ waits: boolean }>`select exists (select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock') as waits`;
  await expect.poll(async () => (await waits.execute(db)).rows[0]?.waits).toBe(true);
}
