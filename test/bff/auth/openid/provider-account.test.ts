import { expect, test } from 'vitest';
import { claimAt, nameIn, roleOf } from '../../../../src/bff/auth/openid/provider-account.ts';

const claims = {
  roles: ['viewer'],
  realm_access: { roles: ['support'] },
  'https://desk.example/roles': ['manager'],
  resource_access: { 'subscriber-desk': { roles: 'support' } },
  text: 'a text',
};

test.each([
  ['roles', ['viewer']],
  ['realm_access.roles', ['support']],
  ['https://desk.example/roles', ['manager']],
  ['resource_access.subscriber-desk.roles', 'support'],
  ['realm_access.roles.0', 'support'],
  ['realm_access.none', undefined],
  ['none.roles', undefined],
  ['text.length', undefined],
  ['constructor', undefined],
  ['__proto__.constructor', undefined],
  ['', undefined],
])('the claim %s is found', (path, value) => {
  expect(claimAt(claims, path)).toEqual(value);
});

test.each([
  ['viewer', 'viewer'],
  [['viewer', 'manager', 'support'], 'manager'],
  [['support', 'x', 7, null], 'support'],
  [['Viewer', 'SUPPORT', ' manager'], null],
  [undefined, null],
  [null, null],
  [[], null],
  [7, null],
  ['managers', null],
  [{ role: 'manager' }, null],
  [[['manager']], null],
])('the highest role in %j is %s', (claim, role) => {
  expect(roleOf(claim)).toBe(role);
});

test.each([
  [{ preferred_username: ' kari ', email: 'k@example.com', name: 'Kari Nordmann' }, 'kari'],
  [{ preferred_username: 7, email: 'k@example.com', name: 'Kari Nordmann' }, 'k@example.com'],
  [{ preferred_username: 'a\nb', name: 'Kari Nordmann' }, 'Kari Nordmann'],
  [{ preferred_username: ' ', email: '\u{D800}' }, null],
  [{ preferred_username: '\u202Eirak', email: '\u200B\u3164', name: 'Kari' }, 'Kari'],
  [{ name: '🔑'.repeat(70) }, '🔑'.repeat(64)],
  [{}, null],
])('a user with the claims %j is called %s', (given, name) => {
  expect(nameIn(given)).toBe(name);
});
