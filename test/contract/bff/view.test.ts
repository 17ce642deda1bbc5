import * as z from 'zod/mini';
import { describe, expect, test } from 'vitest';
import { ViewQuery } from '../../../src/contract/bff/view-bodies.ts';
import { AddViewBody, ChangeViewBody } from '../../../src/contract/bff/view-bodies.ts';
import { faultsOf } from '../../support/contract/faults.ts';

const token = 'Aa1-'.repeat(10) + 'xyz';
const query = {
  Username: 'ann',
  StatusId: '2',
  Expired: 'true',
  IsTrial: 'true',
  SortBy: 'expiresAt',
} as const;

test('the query of a view is written as in an address, and read back unchanged', () => {
  const read = z.decode(ViewQuery, query);
  expect(read).toEqual({ Username: 'ann', StatusId: 2, Expired: true, IsTrial: true, SortBy: 'expiresAt' });
  expect(z.encode(ViewQuery, read)).toEqual(query);
});

describe('a view', () => {
  test.each(['Page', 'PageSize', 'AccessToken', 'sort', '__proto__'])('has no %s', (member) => {
    const faults = faultsOf(AddViewBody, { name: 'Late', query: JSON.parse(`{"${member}":"2"}`) });
    expect(Object.keys(faults)).toEqual([`query.${member}`]);
  });

  test('refuses what the list would refuse', () => {
    const faults = faultsOf(ViewQuery, { StatusId: 'x', Expired: 'perhaps', SortBy: 'shoe', Email: 'a\0b' });
    expect(Object.keys(faults)).toEqual(['Email', 'StatusId', 'Expired', 'SortBy']);
  });

  test('holds no access token, wherever it might be put', () => {
    const body = {
      name: `of ${token}`,
      query: { Username: token, Email: `http://x.test/${token}/list.m3u` },
    };
    const faults = faultsOf(AddViewBody, body);
    expect(Object.keys(faults)).toEqual(['name', 'query.Username', 'query.Email']);
    expect(JSON.stringify(faults)).not.toContain(token);
  });

  test.each([
    ['', 'Enter a name.'],
    [' \t ', 'Enter a name.'],
    ['n'.repeat(65), '65 characters, limit 64: remove 1.'],
    ['a\nb', 'Remove line breaks and control characters.'],
  ])('is not named %j', (name, sentence) => {
    expect(faultsOf(AddViewBody, { name, query })).toEqual({ name: [sentence] });
  });

  test('takes a name of 64 characters, trimmed', () => {
    expect(z.decode(AddViewBody, { name: ` ${'é'.repeat(64)} `, query }).name).toBe('é'.repeat(64));
  });
});

test.each([-1, 1.5, 51, '1'])('a view is not moved to index %j', (place) => {
  expect(Object.keys(faultsOf(ChangeViewBody, { place }))).toEqual(['place']);
});

test('a change of a view refuses unknown fields, and a query that no view has', () => {
  expect(faultsOf(ChangeViewBody, { query, shared: true })).toEqual({});
  const faults = faultsOf(ChangeViewBody, { owner: 'ann', shared: 'yes', query: { ...query, Page: '2' } });
  expect(Object.keys(faults).toSorted()).toEqual(['owner', 'query.Page', 'shared']);
});
