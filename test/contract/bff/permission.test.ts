import { describe, expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { bffApi, proxiedApi } from '../../../src/contract/bff/api.ts';
import {
  allowedTo,
  may,
  permissions,
  roles,
  whyNot,
  type StaffOperation,
} from '../../../src/contract/bff/permission.ts';

const staffOperations = [...Object.keys(proxiedApi), 'getSubscriberByToken'] as StaffOperation[];
const readers = ['listSubscribers', 'getSubscriber', 'getSubscriberByToken', 'listStatuses', 'listActivity'];
const seen = ['seeAccessToken', 'seeAllActivity', 'seeDeletedSubscribers'];
/** The one permission of a group of rows, or of what some of their records need. */
const shared = ['runJobs', 'shareViews', 'manageMessages'];
const changers = [
  'createSubscriber',
  'updateSubscriber',
  'regenerateToken',
  'undoChange',
  'seeAccessToken',
  'seeDeletedSubscribers',
];

test('each role may do what its row of the table says', () => {
  expect(allowedTo('viewer').toSorted()).toEqual(readers.toSorted());
  expect(allowedTo('support').toSorted()).toEqual([...readers, ...changers].toSorted());
  expect(allowedTo('manager').toSorted()).toEqual(permissions.toSorted());
});

test('a permission is an operation of the service, a row of the BFF’s own table, or how much is seen', () => {
  const known = [...staffOperations, ...Object.keys(bffApi), ...seen, ...shared];
  expect(permissions.filter((permission) => !known.includes(permission))).toEqual([]);
  expect(permissions).toEqual(expect.arrayContaining(staffOperations));
});

test('each role may do all that the role below it may, and more', () => {
  for (const [index, role] of roles.entries()) {
    const below = roles[index - 1];
    if (!below) continue;
    expect(new Set(allowedTo(role)).isSupersetOf(new Set(allowedTo(below)))).toBe(true);
    expect(allowedTo(role).length).toBeGreaterThan(allowedTo(below).length);
  }
});

test('staff reach every operation of the service but the one by which the BFF itself signs in', () => {
  const reached = [...staffOperations, 'issueToken'].toSorted();
  expect(reached).toEqual(Object.keys(api).toSorted());
});

test('an operation of the service needs the permission of its own name', () => {
  for (const [name, { access }] of Object.entries(proxiedApi)) expect(access).toBe(name);
  expect(bffApi.getSubscriberByToken.access).toBe('getSubscriberByToken');
});

test('a viewer may do nothing that needs the scope to write', () => {
  for (const operation of staffOperations.filter((name) => may('viewer', name)))
    expect(api[operation].access).toBe('subscribers:read');
});

describe.each(permissions)('%s', (permission) => {
  test('is open to managers, and to the roles whose list names it', () => {
    expect(may('manager', permission)).toBe(true);
    for (const role of roles) expect(may(role, permission)).toBe(allowedTo(role).includes(permission));
  });

  test('has a sentence for roles without it', () => {
    expect(whyNot(permission)).toMatch(/^(Only staff can|Viewers cannot|Only managers can) [a-z ]+\.$/);
  });
});

test('the sentence names the least role that may', () => {
  expect(whyNot('deleteSubscriber')).toBe('Only managers can delete subscribers.');
  expect(whyNot('updateSubscriber')).toBe('Viewers cannot change subscribers.');
});
