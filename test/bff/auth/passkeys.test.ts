import { beforeEach, describe, expect, test } from 'vitest';
import { createBff } from '../../../src/bff/bff.ts';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { mostPasskeys, type PasskeyAssertion } from '../../../src/contract/bff/passkey.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { createAuthenticator, passkeyPage } from '../../support/bff/authenticator.ts';
import { ask, codeIn, credentialsOf, password } from '../../support/bff/browser.ts';
import { isIn, type Person } from '../../support/bff/person.ts';
import { setUpApp } from '../../support/bff/second-factor.ts';

let bff: TestDesk;
let person: Person;

beforeEach(async () => {
  bff = await createTestDesk({ transport: { kind: 'http', publicUrl: passkeyPage } });
  person = await bff.signIn('support');
});

const life = 5 * 60_000;
const start = async (by = person) => (await by.bff.startPasskey({ body: { password } })).data;
const addTo = async (by = person, key = createAuthenticator()) => {
  const { recoveryCodes } = (await by.bff.addPasskey({ body: key.create(await start(by)) })).data;
  return Object.assign(key, { recoveryCodes });
};
const state = async () => (await person.bff.getSecondFactor({})).data;
const post = (path: string, body: unknown, server: Pick<TestDesk, 'fetch'> = bff) =>
  server.fetch(ask('POST', path, { body, base: passkeyPage }));
const get = (path: string) => bff.fetch(ask('GET', path, { base: passkeyPage }));
const request = async () => (await (await get('/bff/session/passkey')).json()) as never;
const outcomeOf = async (response: Response) =>
  response.ok ? response.status : [response.status, await codeIn(response)];
const signIn = async (assertion: PasskeyAssertion, server: Pick<TestDesk, 'fetch'> = bff) =>
  outcomeOf(await post('/bff/session/passkey', assertion, server));
const wrong = [401, 'wrong-passkey'];
const operations = async () => {
  const { items } = (await (await bff.signIn('manager')).bff.listActivity({ query: {} })).data;
  return items.flatMap((item) =>
    item.kind === 'sign-in' && item.staff.name === 'support' ? [[item.operation, item.details]] : [],
  );
};

describe('adding a passkey', () => {
  test('binds it to the name of the address, and asks for one that checks who uses it', async () => {
    const options = await start();
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Subscriber Desk' },
      user: { name: 'support' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257]);
    expect(await bff.db.selectFrom('second_factors').select('id').execute()).toEqual([]);
  });

  test('answers recovery codes with the first second factor, and none with others', async () => {
    const first = await addTo();
    expect(first.recoveryCodes).toHaveLength(10);
    expect((await start()).excludeCredentials).toEqual([{ id: first.id, type: 'public-key' }]);
    expect((await addTo()).recoveryCodes).toEqual([]);
    const { passkeys, recoveryCodes, noPasskeys } = await state();
    const since = '2026-01-01T00:00:00.000Z';
    const row = { id: expect.any(String), name: 'Unknown browser', since, lastUsedAt: null };
    expect([passkeys, recoveryCodes, noPasskeys]).toEqual([[row, row], 10, null]);
  });

  test('keeps the recovery codes that came with an app', async () => {
    const app = await setUpApp(bff, person);
    expect((await addTo()).recoveryCodes).toEqual([]);
    const body = { ...credentialsOf('support'), code: app.recoveryCodes[0] };
    expect((await post('/bff/session', body)).status).toBe(200);
  });

  test.each([
    ['at another origin', { origin: 'http://localhost:9999' }],
    ['for another name', { rpId: 'elsewhere.example' }],
    ['without a check of who uses it', { verified: false }],
  ])('is refused for one that was made %s', async (_, change) => {
    const answer = createAuthenticator().create(await start(), change);
    expect(await outcomeOf(await person.ask('POST', '/bff/passkeys', answer))).toEqual(wrong);
    expect((await state()).passkeys).toEqual([]);
  });

  test('takes five minutes at most, by the account that began, and once', async () => {
    const viewer = await bff.signIn('viewer');
    const add = async (by: Person, answer: unknown) =>
      outcomeOf(await by.ask('POST', '/bff/passkeys', answer));
    const answer = createAuthenticator().create(await start());
    expect(await add(viewer, answer)).toEqual(wrong);
    const late = createAuthenticator().create(await start());
    expect(await add(person, answer)).toBe(200);
    // Another passkey, but the same challenge.
    const { clientDataJSON } = answer.response;
    const { response, ...key } = createAuthenticator().create(await start());
    expect(await add(person, { ...key, response: { ...response, clientDataJSON } })).toEqual(wrong);
    bff.time.now += life;
    expect(await add(person, late)).toEqual(wrong);
  });

  test('of one account does not move it to another', async () => {
    const key = await addTo();
    const viewer = await bff.signIn('viewer');
    const again = key.create(await start(viewer));
    expect(await outcomeOf(await viewer.ask('POST', '/bff/passkeys', again))).toEqual(wrong);
  });

  test(`ends at ${mostPasskeys}`, async () => {
    for (let count = 0; count < mostPasskeys; count += 1) await addTo();
    const response = await person.ask('POST', '/bff/passkeys/options', { password });
    expect(await outcomeOf(response)).toEqual([409, 'no-passkeys']);
  });
});

describe('a passkey alone', () => {
  test('signs in with both factors, and is recorded so', async () => {
    const key = await addTo();
    await setUpApp(bff, person);
    const response = await post('/bff/session/passkey', key.get(await request()));
    expect(await response.json()).toMatchObject({ staff: { name: 'support' }, mustChangePassword: false });
    expect(response.headers.getSetCookie().join()).toContain('desk=');
    expect((await state()).passkeys).toMatchObject([{ lastUsedAt: '2026-01-01T00:00:30.000Z' }]);
    expect((await operations())[0]).toEqual(['signIn', { way: 'passkey' }]);
  });

  test.each([
    ['of a page elsewhere', { origin: 'https://elsewhere.example' }],
    ['for another name', { rpId: 'elsewhere.example' }],
    ['without a check of who uses it', { verified: false }],
    ['for another account', { userHandle: 'AAAA' }],
  ])('does not sign in by an answer %s', async (_, change) => {
    const key = await addTo();
    expect(await signIn(key.get(await request(), change))).toEqual(wrong);
    expect(await signIn(key.get(await request()))).toBe(200);
  });

  test('does not sign in by the signature of another key', async () => {
    const key = await addTo();
    const answer = key.get(await request());
    const { signature } = createAuthenticator().get(await request()).response;
    expect(await signIn({ ...answer, response: { ...answer.response, signature } })).toEqual(wrong);
    const failed = bff.db.selectFrom('failed_sign_ins').select(['name', 'times']);
    expect(await failed.execute()).toEqual([{ name: '', times: 1 }]);
  });

  test('answers each challenge once, and within five minutes', async () => {
    const key = await addTo();
    const answer = key.get(await request());
    expect([await signIn(answer), await signIn(answer)]).toEqual([200, wrong]);
    const challenge = await request();
    expect(await signIn(key.get(challenge))).toBe(200);
    // The counter has gone on, but the challenge is the same.
    expect(await signIn(key.get(challenge))).toEqual(wrong);
    const late = await request();
    bff.time.now += life;
    expect(await signIn(key.get(late))).toEqual(wrong);
  });

  test('answers no challenge for adding one', async () => {
    const key = await addTo();
    const { challenge } = await start();
    const answer = key.get({ challenge, rpId: 'localhost', timeout: 1, userVerification: 'required' });
    expect(await signIn(answer)).toEqual(wrong);
  });

  test('opens one session, at however many servers its answer is sent at once', async () => {
    // It counts nothing, so that the challenge alone decides.
    const key = await addTo();
    const answer = key.get(await request(), { counter: 0 });
    const other = createBff({ ...bff.deps, random: createDice(2).bytes });
    const outcomes = await Promise.all([bff, other, bff, other].map((server) => signIn(answer, server)));
    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1);
  });

  test.each([
    ['may stay 0', [0, 0, 200]],
    ['may go on', [3, 4, 200]],
    ['must not stay', [3, 3, wrong]],
    ['must not go back', [3, 2, wrong]],
    ['must not go back to 0', [3, 0, wrong]],
  ] as const)('has a counter that %s', async (_, [first, second, expected]) => {
    const key = await addTo();
    expect(await signIn(key.get(await request(), { counter: first }))).toBe(200);
    expect(await signIn(key.get(await request(), { counter: second }))).toEqual(expected);
  });

  test('has a counter that two copies cannot use at once', async () => {
    const key = await addTo();
    const answers = [key.get(await request(), { counter: 5 }), key.get(await request(), { counter: 5 })];
    const outcomes = await Promise.all(answers.map((answer) => signIn(answer)));
    expect(outcomes.filter((outcome) => outcome === 200)).toHaveLength(1);
  });

  test.each([
    ['is disabled', { disabled: 1 }],
    ['has a one-time password', { must_change_password: 1 }],
    ['has moved to single sign-on', { issuer: 'https://id.example' }],
    ['has no role', { role: 'none' as const }],
  ])('does not open an account that %s', async (_, change) => {
    const key = await addTo();
    await bff.db.updateTable('staff').set(change).where('name', '=', 'support').execute();
    expect(await signIn(key.get(await request()))).toEqual(wrong);
  });

  test('that is copied to another account opens none', async () => {
    const key = await addTo();
    const other = bff.db.selectFrom('staff').select('id').where('name', '=', 'manager');
    const { id } = await other.executeTakeFirstOrThrow();
    await bff.db.updateTable('second_factors').set({ staff_id: id }).execute();
    const userHandle = Buffer.from(id).toString('base64url');
    expect(await signIn(key.get(await request(), { userHandle }))).toEqual(wrong);
  });

  test('is limited by address, as wrong passwords are', async () => {
    const key = await addTo();
    const bad = key.get(await request(), { origin: 'https://elsewhere.example' });
    for (let count = 0; count < signInRateLimit.address; count += 1) expect(await signIn(bad)).toEqual(wrong);
    expect(await signIn(key.get(await request()))).toEqual([429, 'too-many-attempts']);
    const from = bff.fetch(
      ask('POST', '/bff/session/passkey', { body: key.get(await request()), base: passkeyPage }),
      { address: '192.0.2.1' },
    );
    expect((await from).status).toBe(200);
  });
});

describe('a passkey besides the password', () => {
  const signInWith = async (passkey?: PasskeyAssertion, name = 'support') =>
    post('/bff/session', { ...credentialsOf(name), ...(passkey && { passkey }) });

  test('is asked for, and is the second factor', async () => {
    const key = await addTo();
    const asked = await signInWith();
    expect([asked.status, await asked.json()]).toMatchObject([
      401,
      { type: expect.stringMatching(/code-needed$/), errors: { passkey: [expect.any(String)] } },
    ]);
    expect((await signInWith(key.get(await request()))).status).toBe(200);
    expect((await operations())[0]).toEqual(['signIn', { way: 'password', secondFactor: 'passkey' }]);
  });

  test('is not asked for where there is none', async () => {
    await setUpApp(bff, person);
    expect(await (await signInWith()).json()).not.toHaveProperty('errors');
  });

  test('must be one of the account, and its answer counts once', async () => {
    const [key, other] = [await addTo(), await addTo(await bff.signIn('viewer'))];
    expect(await outcomeOf(await signInWith(other.get(await request())))).toEqual(wrong);
    const answer = key.get(await request());
    expect(await outcomeOf(await signInWith(answer))).toBe(200);
    expect(await outcomeOf(await signInWith(answer))).toEqual(wrong);
    expect(await bff.db.selectFrom('failed_sign_ins').select('name').execute()).toEqual([
      { name: 'support' },
    ]);
  });

  test('has recovery codes that stand in for it', async () => {
    const { recoveryCodes } = await addTo();
    const body = { ...credentialsOf('support'), code: recoveryCodes[0] };
    expect((await post('/bff/session', body)).status).toBe(200);
  });
});

describe('changing passkeys', () => {
  const removal = async () => `/bff/passkeys/${(await state()).passkeys[0]?.id ?? ''}/removal`;

  test.each(['/bff/passkeys/options', 'removal'])('needs a proof: %s', async (path) => {
    await addTo();
    const to = path === 'removal' ? await removal() : path;
    for (const proof of [{}, { password: 'a wrong one' }, { code: '000000' }])
      expect((await person.ask('POST', to, proof)).status).toBe(422);
    expect((await state()).passkeys).toHaveLength(1);
    expect((await person.ask('POST', to, { password })).ok).toBe(true);
  });

  test('removes one for good, and the recovery codes with the last factor', async () => {
    const key = await addTo();
    expect((await person.ask('POST', await removal(), { password })).status).toBe(204);
    expect(await signIn(key.get(await request()))).toEqual(wrong);
    expect(await state()).toMatchObject({ passkeys: [], recoveryCodes: 0 });
    expect((await post('/bff/session', credentialsOf('support'))).status).toBe(200);
  });

  test('removes the last one only where a second factor is not asked for', async () => {
    const publicUrl = passkeyPage;
    bff = await createTestDesk({ requireSecondFactor: 'all', transport: { kind: 'http', publicUrl } });
    person = await bff.signIn('support');
    await addTo();
    const refused = await person.ask('POST', await removal(), { password });
    expect(await outcomeOf(refused)).toEqual([403, 'second-factor-needed']);
    await setUpApp(bff, person);
    expect((await person.ask('POST', await removal(), { password })).status).toBe(204);
  });

  test('removes none of another account', async () => {
    await addTo();
    const viewer = await bff.signIn('viewer');
    const response = await viewer.ask('POST', await removal(), { password });
    expect(await outcomeOf(response)).toEqual([404, 'no-such-passkey']);
    expect((await state()).passkeys).toHaveLength(1);
  });

  test('ends the other sessions, and is recorded', async () => {
    const other = await bff.signIn('support');
    await addTo();
    expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
    await person.ask('POST', await removal(), { password });
    const changes = (await operations()).filter(([operation]) => operation !== 'signIn');
    const details = { browser: 'Unknown browser' };
    expect(changes).toEqual([
      ['removePasskey', details],
      ['addPasskey', details],
    ]);
  });

  test('is for the provider, where that signs people in', async () => {
    await bff.db
      .updateTable('staff')
      .set({ issuer: 'https://id.example' })
      .where('name', '=', 'support')
      .execute();
    const response = await person.ask('POST', '/bff/passkeys/options', { password });
    expect(await outcomeOf(response)).toEqual([409, 'decided-elsewhere']);
  });

  test('by a manager who resets the password leaves no way in by a passkey', async () => {
    const key = await addTo();
    await (await manageHere()).ask('POST', `/bff/staff/${await idOf('support')}/one-time-password`);
    expect(await signIn(key.get(await request()))).toEqual(wrong);
  });
});

const manageHere = () => bff.signIn('manager');
const idOf = async (name: string) => {
  const found = bff.db.selectFrom('staff').select('id').where('name', '=', name);
  return (await found.executeTakeFirstOrThrow()).id;
};

describe('where passkeys can be used', () => {
  const ways = async (base: string, desk = bff) =>
    (await desk.fetch(ask('GET', '/bff/sign-in-ways', { base }))).json();

  test('is the name of the own machine, not its number; offered once somebody has one', async () => {
    expect(await ways(passkeyPage)).toMatchObject({ passkeys: false });
    await addTo();
    expect(await ways(passkeyPage)).toMatchObject({ passkeys: true });
    const numeric = 'http://127.0.0.1:8080';
    expect(await ways(numeric)).toMatchObject({ passkeys: false });
    const response = await bff.fetch(ask('GET', '/bff/session/passkey', { base: numeric }));
    expect(await response.json()).toMatchObject({
      status: 409,
      detail:
        'Passkeys are bound to a name, and this address is a number. Open http://localhost:8080 to use them.',
    });
  });

  const answerAt = async (base: string) => {
    const desk = await createTestDesk({ transport: { kind: 'http', publicUrl: base } });
    return (await desk.fetch(ask('GET', '/bff/session/passkey', { base }))).json();
  };

  test('is a name with https', async () => {
    expect(await answerAt('https://desk.example')).toMatchObject({ rpId: 'desk.example' });
  });

  test.each(['http://desk.example', 'https://192.0.2.7'])('is not %s', async (base) => {
    const detail = expect.stringMatching(/need an address with https and a name/);
    expect(await answerAt(base)).toMatchObject({ detail });
  });

  test('is not the demo', async () => {
    const { noPasskeys } = (await bff.as('manager').bff.getSecondFactor({})).data;
    expect(noPasskeys).toMatch(/demo/);
  });
});
