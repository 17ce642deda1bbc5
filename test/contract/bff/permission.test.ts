import { describe, expect, it, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { bffApi, proxiedApi } from '../../../src/contract/bff/api.ts';
import {
  may,
  permissions,
  disabledReason,
  type StaffOperation,
} from '../../../src/contract/bff/permission.ts';

const staffOperations = [...Object.keys(proxiedApi), 'getSubscriberByToken'] as StaffOperation[];

describe('a role', () => {
  it('may do nothing that needs the scope to write if it is that of viewers', () => {
    for (const operation of staffOperations.filter((name) => may('viewer', name)))
      expect(api[operation].access).toBe('subscribers:read');
  });
});

describe('a permission', () => {
  it('is an operation of the service, a row of the BFF’s own table, or how much is seen', () => {
    const seen = ['seeAccessToken', 'seeAllActivity', 'seeDeletedSubscribers'];
    // The one permission of a group of rows, or of what some of their records need.
    const shared = ['runJobs', 'shareViews', 'manageMessages'];
    const known = [...staffOperations, ...Object.keys(bffApi), ...seen, ...shared];
    expect(permissions.filter((permission) => !known.includes(permission))).toEqual([]);
    expect(permissions).toEqual(expect.arrayContaining(staffOperations));
  });

  it('has a sentence for those without it, which names the least role that may', () => {
    for (const permission of permissions)
      expect(disabledReason(permission)).toMatch(
        /^(Only staff can|Viewers can’t|Only managers can) [a-z ]+\.$/,
      );
    expect(disabledReason('deleteSubscriber')).toBe('Only managers can delete subscribers.');
    expect(disabledReason('updateSubscriber')).toBe('Viewers can’t change subscribers.');
  });
});

test('staff reach every operation of the service but those by which the BFF itself signs in and counts', () => {
  expect([...staffOperations, 'issueToken', 'getStatistics'].toSorted()).toEqual(Object.keys(api).toSorted());
});
