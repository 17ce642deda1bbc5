import { beforeEach, describe, expect, it } from 'vitest';
import { attemptLimits } from '../../../../src/bff/auth/attempts.ts';
import { diskFull } from '../../../../src/server/sql/refusals.ts';
import { createTestDesk, type TestDesk } from '../../../support/desk.ts';
import { ask, outcomeOf, password } from '../../../support/bff/browser.ts';
import { isIn, manage, meanwhile, statusOfSignIn, type Person } from '../../../support/bff/person.ts';

const fresh = 'nine tired otters sing';

let bff: TestDesk;
let person: Person;
beforeEach(async () => {
  bff = await createTestDesk();
  person = await bff.signIn('support');
});

const change = (body: object = {}) =>
  person.ask('PUT', '/bff/password', { password, newPassword: fresh, ...body });

describe('a changed password', () => {
  it('signs in from then on, and is in no log and no answer', async () => {
    const response = await change();
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ staff: { name: 'support' }, mustChangePassword: false });
    expect(await statusOfSignIn(bff, 'support')).toBe(401);
    expect(await statusOfSignIn(bff, 'support', fresh)).toBe(200);
    for (const secret of [password, fresh]) expect(JSON.stringify(bff.logs) + text).not.toContain(secret);
  });

  it('ends every other session, and this one goes on under a new id', async () => {
    const [other, stranger] = [await bff.signIn('support'), await bff.signIn('viewer')];
    const before = person.cookie();
    await change();
    expect(person.cookie()).not.toBe(before);
    expect(await Promise.all([person, other, stranger].map(isIn))).toEqual([true, false, true]);
    const withBefore = ask('GET', '/bff/session', { headers: { Cookie: before } });
    expect((await bff.fetch(withBefore)).status).toBe(401);
  });
});

describe('what is done when the counting of attempts fails', () => {
  /** A server whose database takes back no attempt: an upsert counts them, and only this updates them. */
  const openServer = () => {
    const isUpdate = (node: object) =>
      'kind' in node && node.kind === 'UpdateQueryNode' && JSON.stringify(node).includes('"attempts"');
    const db = bff.db.withPlugin({
      transformQuery({ node }) {
        if (isUpdate(node)) throw diskFull(new Error('canary'));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    return bff.openReplica({ db });
  };

  it('is answered as done: a changed password', async () => {
    const body = { password, newPassword: fresh };
    const request = ask('PUT', '/bff/password', { body, headers: { Cookie: person.cookie() } });
    expect(await outcomeOf(openServer().fetch(request))).toBe('200');
    expect(await statusOfSignIn(bff, 'support', fresh)).toBe(200);
    expect(bff.logs).toContainEqual(expect.objectContaining({ event: 'attempt-not-taken-back' }));
  });

  it('is answered as done: a sign-in by a one-time password, which is used up', async () => {
    const { oneTimePassword } = await (await manage(bff)).add('nina', 'viewer');
    expect(await statusOfSignIn(openServer(), 'nina', oneTimePassword)).toBe(200);
  });
});

describe('a password', () => {
  it('stays where the change is not as it should be, and all sessions go on', async () => {
    const other = await bff.signIn('support');
    const wrong: [body: object, field: string][] = [
      [{ password: 'a wrong one' }, 'password'],
      [{ password: '' }, 'password'],
      [{ password: undefined }, 'password'],
      [{ newPassword: password }, 'newPassword'],
      [{ newPassword: 'Support-Support-Support' }, 'newPassword'],
      [{ name: 'manager' }, 'name'],
    ];
    for (const [body, field] of wrong) {
      const response = await change(body);
      const { errors }: { errors: object } = await response.json();
      expect([response.status, Object.keys(errors)], JSON.stringify(body)).toEqual([422, [field]]);
    }
    expect(await statusOfSignIn(bff, 'support')).toBe(200);
    expect([await isIn(person), await isIn(other)]).toEqual([true, true]);
  });

  it('stays where somebody guesses it, which counts like guessing at sign-in', async () => {
    for (let count = 0; count < attemptLimits.password.account; count += 1)
      expect((await change({ password: 'a wrong one' })).status).toBe(422);
    const hashes = bff.passwords.verified;
    const response = await change();
    expect(await outcomeOf(response)).toBe('429 too-many-attempts');
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(bff.passwords.verified).toBe(hashes);
    expect(await statusOfSignIn(bff, 'support')).toBe(429);
    // One row, which becomes one entry of the journal.
    expect(await bff.rows('failed_sign_ins')).toMatchObject([
      { name: 'support', times: attemptLimits.password.account },
    ]);
  });

  it('is that of a manager who gave the account another one at the same time', async () => {
    const manager = await manage(bff);
    meanwhile(bff, 'hash', () => manager.reset('support'));
    expect(await outcomeOf(change())).toBe('401 not-signed-in');
    expect([await statusOfSignIn(bff, 'support', fresh), await isIn(person)]).toEqual([401, false]);
  });
});
