import { beforeEach, describe, expect, it, vi } from 'vitest';
import { attemptLimits } from '../../../src/bff/auth/attempts.ts';
import { mostPasskeys, type PasskeyAssertion } from '../../../src/contract/bff/passkey.ts';
import { databaseBusy } from '../../../src/server/sql/refusals.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { silentProvider } from '../../support/bff/silent-provider.ts';
import { createAuthenticator, passkeyPage as base } from '../../support/bff/authenticator.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { isIn, manage, trySignIn, type Person, type Tried } from '../../support/bff/person.ts';
import { setUpApp } from '../../support/bff/second-factor.ts';

const life = 5 * 60_000;
const wrong = '401 wrong-passkey';

let bff: TestDesk;
let person: Person;
const open = async (options: { requireSecondFactor?: 'all' } = {}) => {
  bff = await createTestDesk({
    ...options,
    singleSignOn: silentProvider,
    transport: { kind: 'http', publicUrl: base },
  });
  person = await bff.signIn('support');
};
beforeEach(() => open());

const start = async (by = person) => (await by.bff.startPasskey({})).data;
const addTo = async (by = person, key = createAuthenticator()) => {
  const { recoveryCodes } = (await by.bff.addPasskey({ body: key.create(await start(by)) })).data;
  return Object.assign(key, { recoveryCodes });
};
const add = (answer: unknown, by = person) => outcomeOf(by.ask('POST', '/bff/passkeys', answer));
const state = async () => (await person.bff.getSecondFactor({})).data;
const request = async () => (await person.bff.getPasskeyRequest({})).data;
const signIn = (body: PasskeyAssertion, { fetch }: Pick<TestDesk, 'fetch'> = bff, address = 'unknown') =>
  outcomeOf(fetch(ask('POST', '/bff/session/passkey', { body, base }), { address }));
const signInWith = (tried: Tried = {}, name = 'support') => trySignIn(bff, name, { base, ...tried });
const operations = async () => {
  const { items } = (await (await bff.signIn('manager')).bff.listActivity({ query: {} })).data;
  return items.flatMap((item) =>
    item.kind === 'sign-in' && item.staff.name === 'support' ? [[item.operation, item.details]] : [],
  );
};

describe('a new passkey', () => {
  it('is bound to the name of the address, and asked to check who uses it', async () => {
    const options = await start();
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Subscriber Desk' },
      user: { name: 'support' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    });
    expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257]);
    expect(await bff.rows('second_factors')).toEqual([]);
  });

  it('brings recovery codes as the first second factor, and none besides others', async () => {
    const first = await addTo();
    expect(first.recoveryCodes).toHaveLength(10);
    expect((await start()).excludeCredentials).toEqual([{ id: first.id, type: 'public-key' }]);
    expect((await addTo()).recoveryCodes).toEqual([]);
    const { passkeys, recoveryCodes, noPasskeys } = await state();
    const since = '2026-01-01T00:00:00.000Z';
    const row = { id: expect.any(String), name: 'Unknown browser', since, lastUsedAt: null };
    expect([passkeys, recoveryCodes, noPasskeys]).toEqual([[row, row], 10, null]);
    expect((await signInWith({ code: first.recoveryCodes[0] ?? '' })).status).toBe(200);
  });

  it('leaves the recovery codes that came with an app', async () => {
    const app = await setUpApp(bff, person);
    expect((await addTo()).recoveryCodes).toEqual([]);
    expect((await signInWith({ code: app.recoveryCodes[0] ?? '' })).status).toBe(200);
  });

  it.each([
    ['at another origin', { origin: 'http://localhost:9999' }],
    ['for another name', { rpId: 'elsewhere.example' }],
    ['without a check of who uses it', { verified: false }],
    ['in a frame of another site', { crossOrigin: true }],
    // Nobody asked for a certificate, and reading one may lead the server to any address that it names.
    ['with a certificate of its maker', { certified: true }],
  ])('is refused if it was made %s', async (_, change) => {
    expect(await add(createAuthenticator().create(await start(), change))).toBe(wrong);
    expect((await state()).passkeys).toEqual([]);
  });

  it('is added within five minutes, by the account that began, and once', async () => {
    const answer = createAuthenticator().create(await start());
    expect(await add(answer, await bff.signIn('viewer'))).toBe(wrong);
    const late = createAuthenticator().create(await start());
    expect(await add(answer)).toBe('200');
    // Another passkey, but the same challenge.
    const { clientDataJSON } = answer.response;
    const { response, ...key } = createAuthenticator().create(await start());
    expect(await add({ ...key, response: { ...response, clientDataJSON } })).toBe(wrong);
    // The same challenge once more, written in another way.
    const options = await start();
    expect(await add(createAuthenticator().create(options))).toBe('200');
    for (const challenge of [`${options.challenge}LmE`, `${options.challenge} `])
      expect(await add(createAuthenticator().create({ ...options, challenge })), challenge).toBe(wrong);
    bff.time.now += life;
    expect(await add(late)).toBe(wrong);
  });

  it('is not one of another account', async () => {
    const key = await addTo();
    const viewer = await bff.signIn('viewer');
    expect(await add(key.create(await start(viewer)), viewer)).toBe(wrong);
  });

  it(`is one of at most ${mostPasskeys}`, async () => {
    for (let count = 1; count < mostPasskeys; count += 1) await addTo();
    // Two windows begin with the last one.
    const last = [createAuthenticator().create(await start()), createAuthenticator().create(await start())];
    const added: string[] = [];
    for (const answer of last) added.push(await add(answer));
    expect(added).toEqual(['200', '409 no-passkeys']);
    const next = person.ask('POST', '/bff/passkey-options');
    expect(await outcomeOf(next)).toBe('409 no-passkeys');
  });
});

describe('a passkey alone', () => {
  it('signs in with both factors, and is recorded so', async () => {
    const key = await addTo();
    await setUpApp(bff, person);
    const body = key.get(await request());
    const response = await bff.fetch(ask('POST', '/bff/session/passkey', { body, base }));
    expect(await response.json()).toMatchObject({ staff: { name: 'support' }, mustChangePassword: false });
    expect(response.headers.getSetCookie().join()).toContain('desk=');
    expect((await state()).passkeys).toMatchObject([{ lastUsedAt: '2026-01-01T00:00:30.000Z' }]);
    expect((await operations())[0]).toEqual(['signIn', { way: 'passkey' }]);
  });

  it.each([
    ['of a page elsewhere', { origin: 'https://elsewhere.example' }],
    ['for another name', { rpId: 'elsewhere.example' }],
    ['without a check of who uses it', { verified: false }],
    ['of a frame in another site', { crossOrigin: true }],
    ['for another account', { userHandle: 'AAAA' }],
  ])('does not sign in by an answer %s', async (_, change) => {
    const key = await addTo();
    expect(await signIn(key.get(await request(), change))).toBe(wrong);
    expect(await signIn(key.get(await request()))).toBe('200');
  });

  it('does not sign in by the signature of another key', async () => {
    const answer = (await addTo()).get(await request());
    const { signature } = createAuthenticator().get(await request()).response;
    expect(await signIn({ ...answer, response: { ...answer.response, signature } })).toBe(wrong);
    expect(await bff.rows('failed_sign_ins')).toMatchObject([{ name: '', times: 1 }]);
  });

  it('answers each challenge once, and within five minutes', async () => {
    const key = await addTo();
    const answer = key.get(await request());
    expect([await signIn(answer), await signIn(answer)]).toEqual(['200', wrong]);
    const challenge = await request();
    // The counter goes on, but the challenge is the same.
    expect([await signIn(key.get(challenge)), await signIn(key.get(challenge))]).toEqual(['200', wrong]);
    const late = await request();
    bff.time.now += life;
    expect(await signIn(key.get(late))).toBe(wrong);
    expect(await bff.rows('used_challenges')).toHaveLength(3);
    bff.time.now += 2 * life;
    await bff.runMaintenance();
    expect(await bff.rows('used_challenges')).toEqual([]);
  });

  it('is not called wrong where the database is busy', async () => {
    const answer = (await addTo()).get(await request());
    vi.spyOn(bff.db, 'transaction').mockImplementationOnce(() => {
      throw databaseBusy(new Error('locked'));
    });
    expect([await signIn(answer), await bff.rows('failed_sign_ins')]).toEqual(['503 busy', []]);
    expect(await signIn(answer)).toBe('200');
  });

  it('answers no challenge for adding one', async () => {
    const key = await addTo();
    const { challenge } = await start();
    expect(await signIn(key.get({ ...(await request()), challenge }))).toBe(wrong);
  });

  it('opens one session, at however many servers its answer is sent at once', async () => {
    // It counts nothing, so that the challenge alone decides.
    const answer = (await addTo()).get(await request(), { counter: 0 });
    const other = bff.openReplica();
    const tries = Array.from({ length: 20 }, (_, index) => signIn(answer, index % 2 === 0 ? bff : other));
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(1);
  });

  it.each([
    ['may stay 0', [0, 0], '200'],
    ['may go on', [3, 4], '200'],
    ['must not stay', [3, 3], wrong],
    ['must not go back', [3, 2], wrong],
    ['must not go back to 0', [3, 0], wrong],
  ] as const)('has a counter that %s', async (_, [first, second], expected) => {
    const key = await addTo();
    expect(await signIn(key.get(await request(), { counter: first }))).toBe('200');
    expect(await signIn(key.get(await request(), { counter: second }))).toBe(expected);
  });

  it('has a counter that two copies cannot use at once', async () => {
    const key = await addTo();
    const answers = [key.get(await request(), { counter: 5 }), key.get(await request(), { counter: 5 })];
    const outcomes = await Promise.all(answers.map((answer) => signIn(answer)));
    expect(outcomes.filter((outcome) => outcome === '200')).toHaveLength(1);
  });

  it.each([
    ['is disabled', { disabled: 1 }],
    ['has a one-time password', { must_change_password: 1 }],
    ['has moved to single sign-on', { issuer: 'https://id.example' }],
    ['has no role', { role: 'none' as const }],
  ])('does not open an account that %s', async (_, change) => {
    const key = await addTo();
    await bff.changeAccount('support', change);
    expect(await signIn(key.get(await request()))).toBe(wrong);
  });

  it('opens no account to which it is copied in the database', async () => {
    const key = await addTo();
    const id = (await bff.rows('staff')).find(({ name }) => name === 'manager')?.id ?? '';
    await bff.db.updateTable('second_factors').set({ staff_id: id }).execute();
    const userHandle = Buffer.from(id).toString('base64url');
    expect(await signIn(key.get(await request(), { userHandle }))).toBe(wrong);
  });

  it('signs in beside a flood of answers from other addresses that are none of its', async () => {
    const key = await addTo();
    const { server, goOn } = openWaiting();
    const [unknown, options] = [createAuthenticator(), await request()];
    const junk = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' as const };
    const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' };
    const answers = Array.from({ length: 120 }, (_, index) =>
      signIn(
        index % 2 === 0 ? { ...junk, response } : unknown.get(options),
        server,
        `203.0.113.${index % 12}`,
      ),
    );
    // One is counted after the other, and few wait for it.
    expect(await Promise.race(answers)).toBe('503 busy');
    expect(await signIn(key.get(await request()), server)).toBe('200');
    goOn();
    await Promise.all(answers);
  });

  /** A server that counts no failure before it may go on. */
  function openWaiting() {
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    const counts = new WeakSet<object>();
    const db = bff.db.withPlugin({
      transformQuery({ node, queryId }) {
        if ('into' in node && JSON.stringify(node.into).includes('"failed_sign_ins"')) counts.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (counts.has(queryId)) await promise;
        return result;
      },
    });
    return { server: bff.openReplica({ db }), goOn };
  }

  it('is limited by address, as wrong passwords are, and goes on in a known browser', async () => {
    const key = await addTo();
    const bad = key.get(await request(), { origin: 'https://elsewhere.example' });
    const send = async (headers = {}) =>
      bff.fetch(ask('POST', '/bff/session/passkey', { body: key.get(await request()), base, headers }));
    const [, Cookie = ''] = (await send()).headers.getSetCookie();
    for (let count = 0; count < attemptLimits.passkey.address; count += 1)
      expect(await signIn(bad)).toBe(wrong);
    expect(await outcomeOf(send())).toBe('429 too-many-attempts');
    expect(await outcomeOf(send({ Cookie }))).toBe('200');
    expect(await signIn(key.get(await request()), bff, '192.0.2.1')).toBe('200');
  });
});

describe('a passkey besides the password', () => {
  it('is asked for, and is the second factor', async () => {
    const key = await addTo();
    const requested = await signInWith();
    expect([requested.status, await requested.json()]).toMatchObject([
      401,
      { type: expect.stringMatching(/code-needed$/), errors: { passkey: [expect.any(String)] } },
    ]);
    expect((await signInWith({ passkey: key.get(await request()) })).status).toBe(200);
    expect((await operations())[0]).toEqual(['signIn', { way: 'password', secondFactor: 'passkey' }]);
  });

  it('is not asked for where there is none', async () => {
    await setUpApp(bff, person);
    expect(await (await signInWith()).json()).not.toHaveProperty('errors');
  });

  it('must be one of the account, and its answer counts once', async () => {
    const [key, other] = [await addTo(), await addTo(await bff.signIn('viewer'))];
    const passkey = key.get(await request());
    for (const [answer, outcome] of [
      [other.get(await request()), wrong],
      [passkey, '200'],
      [passkey, wrong],
    ] as const)
      expect(await outcomeOf(signInWith({ passkey: answer }))).toBe(outcome);
    expect(await bff.rows('failed_sign_ins')).toMatchObject([{ name: 'support' }]);
  });
});

describe('a change of passkeys', () => {
  const removal = async () => `/bff/passkeys/${(await state()).passkeys[0]?.id ?? ''}`;
  const remove = async (by = person) => outcomeOf(by.ask('DELETE', await removal()));

  it('removes one for good, and the recovery codes with the last factor', async () => {
    const key = await addTo();
    expect([await remove(), await signIn(key.get(await request()))]).toEqual(['204', wrong]);
    expect(await state()).toMatchObject({ passkeys: [], recoveryCodes: 0 });
    expect((await signInWith()).status).toBe(200);
  });

  it('removes the last one only where a second factor is not asked for', async () => {
    await open({ requireSecondFactor: 'all' });
    await addTo();
    expect(await remove()).toBe('403 second-factor-needed');
    await setUpApp(bff, person);
    expect(await remove()).toBe('204');
  });

  it('removes none of another account', async () => {
    await addTo();
    expect(await remove(await bff.signIn('viewer'))).toBe('404 no-such-passkey');
    expect((await state()).passkeys).toHaveLength(1);
  });

  it('ends the other sessions, and is recorded', async () => {
    const other = await bff.signIn('support');
    await addTo();
    expect([await isIn(person), await isIn(other)]).toEqual([true, false]);
    await remove();
    const changes = (await operations()).filter(([operation]) => operation !== 'signIn');
    const details = { browser: 'Unknown browser' };
    expect(changes).toEqual([
      ['removePasskey', details],
      ['addPasskey', details],
    ]);
  });

  it('is for the provider, where that signs people in', async () => {
    await bff.changeAccount('support', { issuer: 'https://id.example' });
    const begun = person.ask('POST', '/bff/passkey-options');
    expect(await outcomeOf(begun)).toBe('409 decided-elsewhere');
  });

  it('leaves no way in by a passkey where a manager resets the password', async () => {
    const key = await addTo();
    const reset = await (await manage(bff)).reset('support');
    // A new password brings it back, so the manager is told.
    expect(await reset.json()).toMatchObject({ passkeys: 1 });
    expect(await signIn(key.get(await request()))).toBe(wrong);
  });
});

describe('the place for passkeys', () => {
  const read = async (path: string, at: string, server: Pick<TestDesk, 'fetch'> = bff) =>
    (await server.fetch(ask('GET', path, { base: at }))).json();
  const requestAt = (at: string) => {
    const server = bff.openReplica({ transport: { kind: 'http', publicUrl: at } });
    return read('/bff/session/passkey', at, server);
  };

  it('is the name of the own machine, not its number; offered once somebody has one', async () => {
    const isOffered = async (at: string) => (await read('/bff/sign-in-ways', at)).passkeys;
    const numeric = 'http://127.0.0.1:8080';
    expect(await isOffered(base)).toBe(false);
    await addTo();
    expect([await isOffered(base), await isOffered(numeric)]).toEqual([true, false]);
    expect(await read('/bff/session/passkey', numeric)).toMatchObject({
      status: 409,
      detail:
        'Passkeys are bound to a name, and this address is a number. Open http://localhost:8080 to use them.',
    });
  });

  it('is a name with https, and nothing else', async () => {
    expect(await requestAt('https://desk.example')).toMatchObject({ rpId: 'desk.example' });
    const detail = expect.stringMatching(/need an address with https and a name/);
    for (const at of ['http://desk.example', 'https://192.0.2.7'])
      expect(await requestAt(at)).toMatchObject({ detail });
  });

  it('is not the demo', async () => {
    const { noPasskeys } = (await bff.as('manager').bff.getSecondFactor({})).data;
    expect(noPasskeys).toMatch(/demo/);
  });
});
