import * as z from 'zod/mini';
import { describe, expect, it, test } from 'vitest';
import { Session } from '../../../src/contract/bff/session.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { Credentials } from '../../../src/contract/bff/password.ts';
import { staffNameLength } from '../../../src/contract/bff/staff.ts';
import { password } from '../../support/bff/browser.ts';
import { faultsOf, sentencesOf } from '../../support/contract/faults.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

const namesOf = (...given: Parameters<typeof faultsOf>) => [...new Set(Object.keys(faultsOf(...given)))];

describe('the credentials', () => {
  test('the credentials have the password as it is typed, and the name trimmed', () => {
    expect(z.decode(Credentials, { name: ' kari ', password: ' pass word ' })).toEqual({
      name: 'kari',
      password: ' pass word ',
    });
    // As long as the name of an account can be.
    const name = '𠮷'.repeat(staffNameLength);
    expect(z.decode(Credentials, { name, password })).toEqual({ name, password });
  });

  test('the credentials are refused if they are empty, too long or of another type, without repeating them', async () => {
    await expectOutcomes<object>(
      {
        'name: Enter your name.; password: Enter your password.': [{ name: ' ', password: '' }],
        'name: 65 characters, limit 64: remove 1.; password: Use at most 128 characters.': [
          { name: 'n'.repeat(65), password: 'p'.repeat(129) },
        ],
      },
      (credentials) => sentencesOf(Credentials, credentials),
    );
    const wrong = { name: {}, password: ['s3cret'], role: 'manager' };
    expect(namesOf(Credentials, wrong)).toEqual(['name', 'password', 'role']);
    expect(sentencesOf(Credentials, wrong)).not.toContain('s3cret');
  });
});

describe('the body of a find by token', () => {
  const { body } = bffApi.getSubscriberByToken;

  it('includes the lists that it names', () => {
    const accessToken = 'tok';
    expect(z.decode(body, { accessToken })).toEqual({ accessToken, include: [] });
    const include = ['bundles' as const];
    expect(z.decode(body, { accessToken, include })).toEqual({ accessToken, include });
  });

  it('refuses tokens that no path can hold, unknown lists and unknown fields', () => {
    for (const accessToken of ['', '.', '..', 'a\0b', 'a\r\nb', '\uD83D', 't'.repeat(257), null, ['tok']])
      expect(namesOf(body, { accessToken })).toEqual(['accessToken']);
    expect(sentencesOf(body, { accessToken: 5 })).toBe('accessToken: This must be text.');
    const unknown = { accessToken: 'tok', include: ['notes'], id: 7 };
    expect(namesOf(body, unknown)).toEqual(['include.0', 'id']);
  });
});

describe('a session', () => {
  it('names its operations by the contract’s own words, and may have extensions of a newer server', () => {
    const { can, extensions } = Session.shape;
    const names = ['IsTrial', 'AfterId', 'OfNextYear'];
    expect(z.decode(extensions, names)).toEqual(names);
    expect(faultsOf(extensions, [7])).not.toEqual({});
    expect(faultsOf(can, ['listSubscribers'])).toEqual({});
    expect(faultsOf(can, ['issueToken'])).not.toEqual({});
  });

  it('ends with an address of another site at most', () => {
    const { answer } = bffApi.signOut;
    expect(faultsOf(answer, { goOnTo: 'https://id.example/end?client_id=app' })).toEqual({});
    for (const goOnTo of ['javascript:alert(1)', 'data:text/html,x', '//id.example', '/sign-in', ''])
      expect(namesOf(answer, { goOnTo }), goOnTo).toEqual(['goOnTo']);
  });
});
