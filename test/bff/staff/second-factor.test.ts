import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { codeIn } from '../../support/bff/browser.ts';
import { isIn, manage, type Person } from '../../support/bff/person.ts';
import { setUpApp, signInWith } from '../../support/bff/second-factor.ts';

let bff: TestDesk;
let person: Person;
let manager: Awaited<ReturnType<typeof manage>>;
let app: Awaited<ReturnType<typeof setUpApp>>;

beforeEach(async () => {
  bff = await createTestDesk();
  person = await bff.signIn('support');
  app = await setUpApp(bff, person);
  manager = await manage(bff);
});

const hasFactor = async (name: string) => (await manager.find(name))?.secondFactor;
const resets = async () => {
  const { items } = (await manager.bff.listActivity({ query: { operation: 'resetSecondFactor' } })).data;
  return items.map((entry) => [entry.staff.name, 'account' in entry && entry.account?.name]);
};

describe('the second factor of an account, as managers see it', () => {
  test('is told for each account', async () => {
    expect([await hasFactor('support'), await hasFactor('viewer')]).toEqual([true, false]);
  });

  test('is reset: the password alone signs in, the recovery codes and all sessions are gone', async () => {
    const response = await manager.resetSecondFactor('support');
    expect(await response.json()).toMatchObject({ name: 'support', secondFactor: false });
    expect([await isIn(person), await hasFactor('support')]).toEqual([false, false]);
    expect((await signInWith(bff, 'support')).status).toBe(200);
    expect(await bff.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
    const known = bff.db
      .selectFrom('known_browsers')
      .innerJoin('staff', 'staff.id', 'known_browsers.staff_id');
    // That of the sign-in since.
    expect(await known.select('staff.id').where('staff.name', '=', 'support').execute()).toHaveLength(1);
    expect(await resets()).toEqual([['manager', 'support']]);
  });

  test.each([
    ['nothing', {}],
    ['a wrong password', { password: 'not the password' }],
    ['a code where there is no app', { code: '123456' }],
  ])('is not reset by who shows %s', async (_, proof) => {
    const response = await manager.resetSecondFactor('support', proof);
    expect([response.status, await codeIn(response)]).toEqual([422, 'invalid-input']);
    expect([await isIn(person), await hasFactor('support'), await resets()]).toEqual([true, true, []]);
  });

  test('is reset by a manager of single sign-on, who has no password here', async () => {
    await bff.db
      .updateTable('staff')
      .set({ issuer: 'https://id.example' })
      .where('name', '=', 'manager')
      .execute();
    expect((await manager.resetSecondFactor('support', {})).status).toBe(200);
  });

  test('is not reset where there is none: nothing ends and nothing is recorded', async () => {
    const viewer = await bff.signIn('viewer');
    expect((await manager.resetSecondFactor('viewer')).status).toBe(200);
    expect([await isIn(viewer), await resets()]).toEqual([true, []]);
  });

  test('is not one’s own, and not that of single sign-on', async () => {
    await setUpApp(bff, manager);
    const own = await manager.resetSecondFactor('manager');
    expect([own.status, await codeIn(own)]).toEqual([403, 'not-allowed']);
    await bff.db
      .updateTable('staff')
      .set({ issuer: 'https://id.example' })
      .where('name', '=', 'viewer')
      .execute();
    const provided = await manager.resetSecondFactor('viewer');
    expect([provided.status, await codeIn(provided)]).toEqual([409, 'decided-elsewhere']);
    expect(await hasFactor('manager')).toBe(true);
  });

  test('stays when the password is reset', async () => {
    const { oneTimePassword }: { oneTimePassword: string } = await (await manager.reset('support')).json();
    const change = { password: oneTimePassword };
    expect((await signInWith(bff, 'support', undefined, change)).status).toBe(401);
    expect((await signInWith(bff, 'support', app.code(), change)).status).toBe(200);
  });
});
