import { beforeEach, describe, expect, it } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { outcomeOf } from '../../support/bff/browser.ts';
import { trySignIn, isIn, manage, type Person } from '../../support/bff/person.ts';
import { setUpApp } from '../../support/bff/second-factor.ts';

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

describe('the second factor of an account that a manager resets', () => {
  it('is gone: the password alone signs in, the recovery codes and all sessions are gone too', async () => {
    expect([await hasFactor('support'), await hasFactor('viewer')]).toEqual([true, false]);
    const response = await manager.resetSecondFactor('support');
    expect(await response.json()).toMatchObject({ name: 'support', secondFactor: false });
    expect([await isIn(person), await hasFactor('support')]).toEqual([false, false]);
    expect(await bff.rows('recovery_codes')).toEqual([]);
    // That of the manager.
    expect(await bff.rows('known_browsers')).toHaveLength(1);
    expect((await trySignIn(bff, 'support')).status).toBe(200);
    expect(await resets()).toEqual([['manager', 'support']]);
  });

  it('ends nothing and is not recorded where there is none', async () => {
    const viewer = await bff.signIn('viewer');
    expect((await manager.resetSecondFactor('viewer')).status).toBe(200);
    expect([await isIn(viewer), await resets()]).toEqual([true, []]);
  });

  it('is not one’s own, and not that of single sign-on', async () => {
    await setUpApp(bff, manager);
    expect(await outcomeOf(manager.resetSecondFactor('manager'))).toBe('403 not-allowed');
    await bff.changeAccount('viewer', { issuer: 'https://id.example' });
    expect(await outcomeOf(manager.resetSecondFactor('viewer'))).toBe('409 decided-elsewhere');
    expect(await hasFactor('manager')).toBe(true);
  });

  it('stays when only the password is reset', async () => {
    const { oneTimePassword }: { oneTimePassword: string } = await (await manager.reset('support')).json();
    const change = { password: oneTimePassword };
    expect((await trySignIn(bff, 'support', change)).status).toBe(401);
    expect((await trySignIn(bff, 'support', { ...change, code: app.code() })).status).toBe(200);
  });
});
