import { beforeEach, describe, expect, it, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../../support/desk.ts';
import { silentProvider } from '../../../support/bff/silent-provider.ts';
import { outcomeOf } from '../../../support/bff/browser.ts';
import { trySignIn, type Person } from '../../../support/bff/person.ts';
import { codeAt, codeLife, setUpApp } from '../../../support/bff/second-factor.ts';

let bff: TestDesk;
let person: Person;
beforeEach(async () => {
  bff = await createTestDesk({ singleSignOn: silentProvider });
  person = await bff.signIn('support');
});

const appPath = '/bff/second-factor/app';
const codesPath = '/bff/second-factor/recovery-codes';
const requests = [
  ['POST', appPath],
  ['DELETE', appPath],
  ['POST', codesPath],
] as const;

const state = async () => (await person.bff.getSecondFactor({})).data;
const begin = async () => (await person.bff.setUpApp({})).data;
const codeNow = (key: string) => codeAt(key, bff.time.now);
const signIn = async (code?: string) => (await trySignIn(bff, 'support', { code })).status;
const operations = async () => {
  const { items } = (await (await bff.signIn('manager')).bff.listActivity({ query: {} })).data;
  const others = items.filter(({ operation, staff }) => operation !== 'signIn' && staff.name === 'support');
  return others.map(({ operation }) => operation);
};
/** The fields that an answer complains about. */
async function fieldsOf(answer: Response | Promise<Response>): Promise<string[]> {
  const { status, errors = {} }: { status: number; errors?: object } = await (await answer).json();
  return [String(status), ...Object.keys(errors)];
}

describe('an authenticator app', () => {
  it('is used from its confirmation on, which answers ten recovery codes', async () => {
    const { key, setup, uri } = await begin();
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    expect(decodeURIComponent(uri)).toBe(
      `otpauth://totp/Subscriber Desk:support?issuer=Subscriber Desk&secret=${key}&algorithm=SHA1&digits=6&period=30`,
    );
    expect([await signIn(), (await state()).app]).toEqual([200, null]);
    const response = await person.ask('PUT', appPath, { setup, code: codeNow(key) });
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const { recoveryCodes }: { recoveryCodes: string[] } = await response.json();
    expect(recoveryCodes).toHaveLength(10);
    expect(await state()).toEqual({
      app: { since: '2026-01-01T00:00:00.000Z', lastUsedAt: null },
      passkeys: [],
      noPasskeys: expect.any(String),
      recoveryCodes: 10,
    });
    bff.time.now += codeLife;
    expect([await signIn(), await signIn(codeNow(key))]).toEqual([401, 200]);
    expect(await state()).toMatchObject({ app: { lastUsedAt: '2026-01-01T00:00:30.000Z' } });
    expect(await operations()).toEqual(['setUpSecondFactor']);
  });

  it('is confirmed by its code, within 15 minutes, by the account that began', async () => {
    const { key, setup } = await begin();
    const viewer = await bff.signIn('viewer');
    const confirm = (by: Person, change: object = {}) =>
      fieldsOf(by.ask('PUT', appPath, { setup, code: codeNow(key), ...change }));
    expect(await confirm(person, { code: '000000' })).toEqual(['422', 'code']);
    expect(await confirm(person, { setup: 'made.up' })).toEqual(['422', 'setup']);
    expect(await confirm(viewer)).toEqual(['422', 'setup']);
    bff.time.now += 15 * 60_000;
    expect(await confirm(person)).toEqual(['422', 'setup']);
    expect([(await state()).app, await signIn()]).toEqual([null, 200]);
  });

  it('is confirmed once, so that its recovery codes stay those of the first answer', async () => {
    const { key, setup } = await begin();
    const confirm = (text = setup) => person.ask('PUT', appPath, { setup: text, code: codeNow(key) });
    const { recoveryCodes }: { recoveryCodes: string[] } = await (await confirm()).json();
    bff.time.now += codeLife;
    expect(await fieldsOf(confirm())).toEqual(['422', 'setup']);
    // The same key, however its text is written.
    for (const text of [`${setup}.more`, setup.replace('.', ' .'), ` ${setup}`])
      expect(await fieldsOf(confirm(text)), text).toEqual(['422', 'setup']);
    expect([await signIn(recoveryCodes[0]), (await state()).recoveryCodes]).toEqual([200, 9]);
  });

  it('takes the place of a former one, and its recovery codes those of before', async () => {
    const previous = await setUpApp(bff, person);
    const next = await setUpApp(bff, person);
    expect([await signIn(previous.code()), await signIn(previous.recoveryCodes[0])]).toEqual([401, 401]);
    expect([await signIn(next.code()), (await state()).recoveryCodes]).toEqual([200, 10]);
  });

  it('is not asked for any more once it is removed, and the recovery codes are gone', async () => {
    await setUpApp(bff, person);
    expect((await person.ask('DELETE', appPath)).status).toBe(204);
    expect(await state()).toMatchObject({ app: null, recoveryCodes: 0 });
    expect([await signIn(), await bff.rows('recovery_codes')]).toEqual([200, []]);
    const renewal = person.bff.renewRecoveryCodes({});
    await expect(renewal).rejects.toMatchObject({ code: 'second-factor-needed' });
    expect(await operations()).toEqual(['removeSecondFactor', 'setUpSecondFactor']);
  });

  it('gets new recovery codes in place of the former ones', async () => {
    const app = await setUpApp(bff, person);
    const { recoveryCodes } = (await person.bff.renewRecoveryCodes({})).data;
    expect([await signIn(app.recoveryCodes[0]), await signIn(recoveryCodes[0])]).toEqual([401, 200]);
    expect([await signIn(app.code()), (await state()).recoveryCodes]).toEqual([200, 9]);
    expect(await operations()).toEqual(['renewRecoveryCodes', 'setUpSecondFactor']);
  });
});

test('an account of single sign-on has its second factor at the provider, and is told so', async () => {
  await bff.changeAccount('support', { issuer: 'https://id.example' });
  const detail = 'You sign in with single sign-on. Your provider does this: set up a second factor there.';
  for (const [method, path] of requests) {
    const response = await person.ask(method, path);
    expect(await response.json()).toMatchObject({ status: 409, detail });
  }
});

test('a user without an account has nothing to set up', async () => {
  const visitor = bff.as('manager');
  expect((await visitor.bff.getSecondFactor({})).data).toMatchObject({ app: null, recoveryCodes: 0 });
  expect(await outcomeOf(visitor.ask('POST', appPath))).toBe('403 not-allowed');
});
