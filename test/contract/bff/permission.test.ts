import { describe, expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { allowedTo, may, permissions, roles, whyNot } from '../../../src/contract/bff/permission.ts';
import { staffApi, staffOperations } from '../../../src/contract/bff/staff-api.ts';

const readers = ['listSubscribers', 'getSubscriber', 'getSubscriberByToken', 'listStatuses', 'listActivity'];
const changers = ['createSubscriber', 'updateSubscriber', 'regenerateToken', 'undoChange', 'seeAccessToken'];

test('each role may do what its place in the house says', () => {
  expect(allowedTo('viewer').toSorted()).toEqual(readers.toSorted());
  expect(allowedTo('support').toSorted()).toEqual([...readers, ...changers].toSorted());
  expect(allowedTo('manager').toSorted()).toEqual(permissions.toSorted());
});

test('what a role decides about is an operation, a row of the desk’s own table, or how much is seen', () => {
  const known = [...staffOperations, ...Object.keys(bffApi), 'seeAccessToken', 'seeAllActivity'];
  expect(permissions.filter((permission) => !known.includes(permission))).toEqual([]);
  expect(permissions).toEqual(expect.arrayContaining(staffOperations));
});

test('each role may do all that the role below it may, and more', () => {
  for (const [place, role] of roles.entries()) {
    const below = roles[place - 1];
    if (!below) continue;
    expect(new Set(allowedTo(role)).isSupersetOf(new Set(allowedTo(below)))).toBe(true);
    expect(allowedTo(role).length).toBeGreaterThan(allowedTo(below).length);
  }
});

test('staff reach every operation but the one by which the desk itself gets in', () => {
  expect(staffOperations).toEqual(Object.keys(api).filter((name) => name !== 'issueToken'));
  expect(staffApi).not.toHaveProperty('issueToken');
});

test('a viewer may do nothing that needs the scope to write', () => {
  for (const operation of staffOperations.filter((name) => may('viewer', name)))
    expect(api[operation].scope).toBe('subscribers:read');
});

describe.each(permissions)('%s', (permission) => {
  test('is open to managers, and to those whose list names it', () => {
    expect(may('manager', permission)).toBe(true);
    for (const role of roles) expect(may(role, permission)).toBe(allowedTo(role).includes(permission));
  });

  test('has a sentence for those who may not', () => {
    expect(whyNot(permission)).toMatch(
      /^Only (staff|support staff and managers|managers) can [a-z ]+\. Ask a manager\.$/,
    );
  });
});

test('the sentence names the least role that may', () => {
  expect(whyNot('deleteSubscriber')).toBe('Only managers can delete subscribers. Ask a manager.');
  expect(whyNot('updateSubscriber')).toBe(
    'Only support staff and managers can change subscribers. Ask a manager.',
  );
});
