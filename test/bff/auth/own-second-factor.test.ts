import { beforeEach, describe, expect, test } from 'vitest';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { codeIn, password } from '../../support/bff/browser.ts';
import { isIn, type Person } from '../../support/bff/person.ts';
import { codeAt, codeLife, setUpApp, signInWith } from '../../support/bff/second-factor.ts';

let bff: TestDesk;
let person: Person;

beforeEach(async () => {
  bff = await createTestDesk();
  person = await bff.signIn('support');
});

const paths = {
  'setting an app up': '/bff/second-factor/app',
  'removing the app': '/bff/second-factor/app/removal',
  'new recovery codes': '/bff/second-factor/recovery-codes',
} as const;

const state = async () => (await person.bff.getSecondFactor({})).data;
const begin = async (by = person) => (await by.bff.setUpApp({ body: { password } })).data;
const codeNow = (key: string) => codeAt(key, bff.time.now);
const statusOfSignIn = async (code?: string) => (await signInWith(bff, 'support', code)).status;
const operations = async () => {
  const { items } = (await (await bff.signIn('manager')).bff.listActivity({ query: {} })).data;
  const others = items.filter(({ operation, staff }) => operation !== 'signIn' && staff.name === 'support');
  return others.map(({ operation }) => operation);
};
async function fieldsOf(response: Response): Promise<[number, string[]]> {
  const { errors = {} }: { errors?: object } = await response.json();
  return [response.status, Object.keys(errors)];
}

describe('an authenticator app', () => {
  test('is used from its confirmation on, which answers ten recovery codes', async () => {
    const { key, setup, uri } = await begin();
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    expect(decodeURIComponent(uri)).toBe(
      `otpauth://totp/Subscriber Desk:support?issuer=Subscriber Desk&secret=${key}&algorithm=SHA1&digits=6&period=30`,
    );
    expect([await statusOfSignIn(), (await state()).app]).toEqual([200, null]);
    const response = await person.ask('PUT', paths['setting an app up'], { setup, code: codeNow(key) });
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
    expect([await statusOfSignIn(), await statusOfSignIn(codeNow(key))]).toEqual([401, 200]);
    expect(await state()).toMatchObject({ app: { lastUsedAt: '2026-01-01T00:00:30.000Z' } });
    expect(await operations()).toEqual(['setUpSecondFactor']);
  });

  test.each([
    ['a wrong code', { code: '000000' }, 'code'],
    ['a setup of our own making', { setup: 'made.up' }, 'setup'],
  ])('is not used after %s', async (_, change, field) => {
    const { key, setup } = await begin();
    const body = { setup, code: codeNow(key), ...change };
    expect(await fieldsOf(await person.ask('PUT', paths['setting an app up'], body))).toEqual([422, [field]]);
    expect([(await state()).app, await statusOfSignIn()]).toEqual([null, 200]);
  });

  test('is confirmed within 15 minutes, by the account that began', async () => {
    const { key, setup } = await begin();
    const viewer = await bff.signIn('viewer');
    const confirm = (by: Person) =>
      by.ask('PUT', paths['setting an app up'], { setup, code: codeNow(key) }).then(fieldsOf);
    expect(await confirm(viewer)).toEqual([422, ['setup']]);
    bff.time.now += 15 * 60_000;
    expect(await confirm(person)).toEqual([422, ['setup']]);
    expect((await state()).app).toBeNull();
  });

  test('takes the place of a former one, and its recovery codes those of before', async () => {
    const former = await setUpApp(bff, person);
    const next = await setUpApp(bff, person);
    expect(await statusOfSignIn(former.code())).toBe(401);
    expect(await statusOfSignIn(former.recoveryCodes[0])).toBe(401);
    expect(await statusOfSignIn(next.code())).toBe(200);
    expect((await state()).recoveryCodes).toBe(10);
  });

  test('that is removed is not asked for any more, and the recovery codes are gone', async () => {
    const app = await setUpApp(bff, person);
    expect((await person.ask('POST', paths['removing the app'], { code: app.code() })).status).toBe(204);
    expect(await state()).toMatchObject({ app: null, recoveryCodes: 0 });
    expect(await statusOfSignIn()).toBe(200);
    expect(await bff.db.selectFrom('recovery_codes').selectAll().execute()).toEqual([]);
    expect(await operations()).toEqual(['removeSecondFactor', 'setUpSecondFactor']);
  });
});

describe('new recovery codes', () => {
  test('replace the former ones, and the app stays', async () => {
    const app = await setUpApp(bff, person);
    const { recoveryCodes } = (await person.bff.renewRecoveryCodes({ body: { password } })).data;
    expect(await statusOfSignIn(app.recoveryCodes[0])).toBe(401);
    expect(await statusOfSignIn(recoveryCodes[0])).toBe(200);
    expect(await statusOfSignIn(app.code())).toBe(200);
    expect((await state()).recoveryCodes).toBe(9);
    expect(await operations()).toEqual(['renewRecoveryCodes', 'setUpSecondFactor']);
  });

  test.each(['removing the app', 'new recovery codes'] as const)(
    'are for accounts with a second factor, as is %s',
    async (act) => {
      expect(await fieldsOf(await person.ask('POST', paths[act], { password }))).toEqual([422, ['password']]);
      expect(await operations()).toEqual([]);
    },
  );
});

describe('a changed second factor', () => {
  test('ends all other sessions of the account, and this one goes on', async () => {
    const [other, viewer] = [await bff.signIn('support'), await bff.signIn('viewer')];
    const app = await setUpApp(bff, person);
    expect([await isIn(person), await isIn(other), await isIn(viewer)]).toEqual([true, false, true]);
    await signInWith(bff, 'support', app.code());
    await person.bff.removeApp({ body: { password } });
    expect([await isIn(person), await isIn(viewer)]).toEqual([true, true]);
    const sessions = bff.db.selectFrom('sessions').innerJoin('staff', 'staff.id', 'sessions.staff_id');
    expect(await sessions.select('staff.name').where('staff.name', '=', 'support').execute()).toHaveLength(1);
  });

  test('forgets all browsers but this one, which is known under another id', async () => {
    await bff.signIn('support');
    const known = () => bff.db.selectFrom('known_browsers').select('key').execute();
    const before = await known();
    expect(before).toHaveLength(2);
    await setUpApp(bff, person);
    expect(await known()).toHaveLength(1);
    expect(before).not.toContainEqual((await known())[0]);
  });
});

describe.each(Object.entries(paths))('the proof for %s', (_, path) => {
  test('is none that is missing or wrong', async () => {
    const app = await setUpApp(bff, person);
    for (const [proof, field] of [
      [{}, 'password'],
      [{ password: '' }, 'password'],
      [{ password: 'a wrong one' }, 'password'],
      [{ code: '' }, 'code'],
      [{ code: '000000' }, 'code'],
    ] as const)
      expect(await fieldsOf(await person.ask('POST', path, proof))).toEqual([422, [field]]);
    expect(await operations()).toEqual(['setUpSecondFactor']);
    expect(await statusOfSignIn(app.code())).toBe(200);
  });

  test('is a code of the app or a recovery code too, each once', async () => {
    const app = await setUpApp(bff, person);
    for (const code of [app.code(), app.recoveryCodes[3] ?? '']) {
      expect((await signInWith(bff, 'support', code)).status).toBe(200);
      expect(await fieldsOf(await person.ask('POST', path, { code }))).toEqual([422, ['code']]);
    }
    expect((await person.ask('POST', path, { code: app.recoveryCodes[4] })).ok).toBe(true);
  });
});

test.each([
  ['passwords', signInRateLimit.account, { password: 'a wrong one' }],
  ['codes', signInRateLimit.codes, { code: '000000' }],
])('wrong %s are limited as at sign-in, and together with those', async (_, limit, wrong) => {
  const app = await setUpApp(bff, person);
  const prove = (proof: object) => person.ask('POST', paths['removing the app'], proof);
  for (let count = 0; count < limit; count += 1) expect((await prove(wrong)).status).toBe(422);
  const response = await prove('code' in wrong ? { code: app.code() } : { password });
  expect([response.status, await codeIn(response)]).toEqual([429, 'too-many-attempts']);
  expect(await statusOfSignIn(app.code())).toBe(429);
});

test('an account of single sign-on has its second factor at the provider, and is told so', async () => {
  await bff.db
    .updateTable('staff')
    .set({ issuer: 'https://id.example' })
    .where('name', '=', 'support')
    .execute();
  for (const path of Object.values(paths)) {
    const response = await person.ask('POST', path, { password });
    expect(await response.json()).toMatchObject({
      status: 409,
      detail: 'You sign in with single sign-on. Your provider does this: set up a second factor there.',
    });
  }
});

test('without an account there is nothing to set up', async () => {
  const visitor = bff.as('manager');
  expect((await visitor.bff.getSecondFactor({})).data).toMatchObject({ app: null, recoveryCodes: 0 });
  const response = await visitor.ask('POST', paths['setting an app up'], { password });
  expect([response.status, await codeIn(response)]).toEqual([403, 'not-allowed']);
});
