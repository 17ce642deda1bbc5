import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { Session } from '../../../src/contract/bff/session.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { Credentials } from '../../../src/contract/bff/credentials.ts';
import { faultsOf } from '../../support/contract/faults.ts';

describe('credentials', () => {
  test('keep the password as it is typed, and trim the name', () => {
    expect(z.decode(Credentials, { name: ' kari ', password: ' pass word ' })).toEqual({
      name: 'kari',
      password: ' pass word ',
    });
  });

  test('that are empty, too long or of another kind are refused, without repeating them', () => {
    expect(faultsOf(Credentials, { name: ' ', password: '' })).toEqual({
      name: ['Enter your name.'],
      password: ['Enter your password.'],
    });
    expect(faultsOf(Credentials, { name: 'n'.repeat(65), password: 'p'.repeat(129) })).toEqual({
      name: ['Use at most 64 characters.'],
      password: ['Use at most 128 characters.'],
    });
    expect(Object.keys(faultsOf(Credentials, { name: {}, password: ['s3cret'], role: 'manager' }))).toEqual([
      'name',
      'password',
      'role',
    ]);
  });
});

describe('the body of a find by token', () => {
  const { body } = bffApi.getSubscriberByToken;

  test('includes nothing unless it is asked to', () => {
    expect(z.decode(body, { accessToken: 'tok' })).toEqual({ accessToken: 'tok', include: [] });
    expect(z.decode(body, { accessToken: 'tok', include: ['bundles'] })).toEqual({
      accessToken: 'tok',
      include: ['bundles'],
    });
  });

  test.each(['', '.', '..', 'a\0b', 'a\r\nb', '\uD83D', 't'.repeat(257), null, ['tok']])(
    'refuses the token %j, which no path can hold',
    (accessToken) => {
      expect(new Set(Object.keys(faultsOf(body, { accessToken })))).toEqual(new Set(['accessToken']));
    },
  );

  test('says what is wrong with a token of another type', () => {
    expect(faultsOf(body, { accessToken: 5 })).toEqual({ accessToken: ['This must be text.'] });
  });

  test('refuses unknown lists and unknown fields', () => {
    expect(Object.keys(faultsOf(body, { accessToken: 'tok', include: ['notes'], id: 7 }))).toEqual([
      'include.0',
      'id',
    ]);
  });
});

test('a session names its operations and extensions by the contract’s own words', () => {
  const session = {
    staff: { id: '7', name: 'kari', role: 'viewer', singleSignOn: false },
    can: ['listSubscribers'],
    extensions: ['IsTrial', 'AfterId'],
    statusHelp: 'Status is set in the billing system.',
    trialDays: 7,
    canSignOut: true,
    canChangePassword: true,
    mustChangePassword: false,
    views: [],
  };
  expect(z.decode(Session, session as z.input<typeof Session>)).toEqual(session);
  expect(Object.keys(faultsOf(Session, { ...session, can: ['issueToken'], extensions: ['Other'] }))).toEqual([
    'can.0',
    'extensions.0',
  ]);
});

test.each(['javascript:alert(1)', 'data:text/html,x', '//id.example', '/sign-in', ''])(
  'a browser is never sent to %j after signing out',
  (goOnTo) => {
    expect(Object.keys(faultsOf(bffApi.signOut.answer, { goOnTo }))).toEqual(['goOnTo']);
    expect(faultsOf(bffApi.signOut.answer, { goOnTo: 'https://id.example/end?client_id=app' })).toEqual({});
  },
);
