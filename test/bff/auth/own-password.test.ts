import { beforeEach, describe, expect, test } from 'vitest';
import { signInRateLimit } from '../../../src/bff/auth/sign-in-rate-limit.ts';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, codeIn, password } from '../../support/bff/browser.ts';
import { isIn, manage, meanwhile, statusOfSignIn, type Person } from '../../support/bff/person.ts';

const fresh = 'nine tired otters sing';

let bff: TestDesk;
let person: Person;

beforeEach(async () => {
  bff = await createTestDesk();
  person = await bff.signIn('support');
});

const change = (body: object, by = person) =>
  by.ask('PUT', '/bff/password', { password, newPassword: fresh, ...body });

describe('a changed password', () => {
  test('signs in from then on', async () => {
    const response = await change({});
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ staff: { name: 'support' }, mustChangePassword: false });
    expect(await statusOfSignIn(bff, 'support')).toBe(401);
    expect(await statusOfSignIn(bff, 'support', fresh)).toBe(200);
  });

  test('ends every other session, and this one goes on under a new id', async () => {
    const other = await bff.signIn('support');
    const stranger = await bff.signIn('viewer');
    const before = person.cookie();
    await change({});
    expect(person.cookie()).not.toBe(before);
    expect(await isIn(person)).toBe(true);
    const withBefore = ask('GET', '/bff/session', { headers: { Cookie: before } });
    expect((await bff.fetch(withBefore)).status).toBe(401);
    expect([await isIn(other), await isIn(stranger)]).toEqual([false, true]);
  });

  test('is in no log and no answer', async () => {
    const answer = await change({});
    const said = JSON.stringify(bff.logs) + (await answer.text());
    for (const secret of [password, fresh]) expect(said).not.toContain(secret);
  });
});

describe('a password is not changed', () => {
  test.each([
    [{ password: 'a wrong one' }, 'password'],
    [{ password: '' }, 'password'],
    [{ password: undefined }, 'password'],
    [{ newPassword: 'x'.repeat(14) }, 'newPassword'],
    [{ newPassword: 'x'.repeat(129) }, 'newPassword'],
    [{ newPassword: password }, 'newPassword'],
    [{ newPassword: 'Support-Support-Support' }, 'newPassword'],
    [{ newPassword: 'passwordpassword' }, 'newPassword'],
    [{ name: 'manager' }, 'name'],
  ])('by %j', async (body, field) => {
    const other = await bff.signIn('support');
    const response = await change(body);
    const { errors }: { errors: object } = await response.json();
    expect([response.status, Object.keys(errors)]).toEqual([422, [field]]);
    expect(await statusOfSignIn(bff, 'support')).toBe(200);
    expect([await isIn(person), await isIn(other)]).toEqual([true, true]);
  });

  test('by guessing the current one, which counts like guessing at sign-in', async () => {
    for (let count = 0; count < signInRateLimit.account; count += 1)
      expect((await change({ password: 'a wrong one' })).status).toBe(422);
    const hashes = bff.passwords.verified;
    const response = await change({});
    expect([response.status, await codeIn(response)]).toEqual([429, 'too-many-attempts']);
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(bff.passwords.verified).toBe(hashes);
    expect(await statusOfSignIn(bff, 'support')).toBe(429);
  });

  test('where a manager gave the account another one at the same time', async () => {
    const manager = await manage(bff);
    meanwhile(bff, 'hash', () => manager.reset('support'));
    const response = await change({});
    expect([response.status, await codeIn(response)]).toEqual([401, 'not-signed-in']);
    expect(await statusOfSignIn(bff, 'support', fresh)).toBe(401);
    expect(await isIn(person)).toBe(false);
  });
});
