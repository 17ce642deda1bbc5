import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  hasFilter,
  readAddress,
  searchStrings,
  toAddress,
  toListQuery,
  usualPageSize,
  withFilter,
} from '../../../src/app/subscriber/list-address.ts';
import { pageSizes, sortOrders } from '../../../src/contract/service/list-rules.ts';

const { parseSearch, stringifySearch } = searchStrings;
const read = (search: string) => readAddress(parseSearch(search));

/** Any state of the list, including defaults. */
const state = fc.record(
  {
    username: fc.string({ unit: 'grapheme', maxLength: 30 }),
    email: fc.string({ maxLength: 30 }),
    status: fc.nat(),
    expired: fc.boolean(),
    trial: fc.boolean(),
    sort: fc.constantFrom(...sortOrders),
    page: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    pageSize: fc.integer({ min: pageSizes.least, max: pageSizes.most }),
  },
  { requiredKeys: [] },
);

test('every state of the list can be read back from its address', () => {
  fc.assert(
    fc.property(state, (given) => {
      const address = readAddress(given);
      expect(read(stringifySearch(address))).toEqual(address);
    }),
    { seed: 20_260_601, numRuns: 1000 },
  );
});

test('any address is read as a valid list', () => {
  const words = fc.oneof(
    fc.constantFrom('', '0', '-1', '1e3', '2', 'true', 'username', '__proto__'),
    fc.string(),
  );
  const names = fc.oneof(
    fc.constantFrom('page', 'pageSize', 'sort', 'status', 'expired', 'trial'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.dictionary(names, words), (search) => {
      const address = readAddress(search);
      expect(readAddress(address)).toEqual(address);
      expect(address.page ?? 1).toBeGreaterThanOrEqual(1);
      expect(address.pageSize ?? pageSizes.usual).toBeLessThanOrEqual(pageSizes.most);
      expect([undefined, ...sortOrders]).toContain(address.sort);
    }),
    { seed: 20_260_602, numRuns: 1000 },
  );
});

describe('an address with nonsense', () => {
  test.each([
    ['?page=0&username=anna', { username: 'anna' }],
    ['?page=-3', {}],
    ['?page=2.5', {}],
    ['?page=two&pageSize=50', { pageSize: 50 }],
    ['?pageSize=100000', {}],
    ['?sort=password', {}],
    ['?expired=yes&trial=true', { trial: true }],
    ['?status=active', {}],
    ['?statuses=1,x', {}],
    ['?status=1&statuses=2,3', { statuses: '2,3' }],
    ['?username=', {}],
    ['?colour=red', {}],
    ['?username=a%00b', {}],
  ])('the address %s loses the nonsense and keeps the rest', (search, address) => {
    expect(read(search)).toEqual(address);
  });
});

test.each(['?page=1', `?pageSize=${pageSizes.usual}`])(
  'the default in %s is left out of addresses',
  (search) => {
    expect(stringifySearch(read(search))).toBe('');
  },
);

test('an address has words that a person can type', () => {
  expect(stringifySearch({ username: 'anna b', expired: true, page: 2, sort: undefined })).toBe(
    '?username=anna+b&expired=true&page=2',
  );
});

test('the query uses the names of the service', () => {
  expect(
    toListQuery({ username: 'a', status: 2, trial: true, sort: 'expiresAt_desc', pageSize: 50 }),
  ).toEqual({
    Username: 'a',
    StatusId: 2,
    IsTrial: true,
    SortBy: 'expiresAt_desc',
    PageSize: 50,
  });
});

describe('another filter', () => {
  it('starts at the first page and keeps the rest', () => {
    expect(withFilter({ page: 4, pageSize: 50, email: '@a' }, { expired: true })).toEqual({
      pageSize: 50,
      email: '@a',
      expired: true,
    });
  });

  it('can be removed again', () => {
    expect(withFilter({ expired: true, status: 1 }, { expired: undefined, status: undefined })).toEqual({});
  });
});

describe('the expiry in an address', () => {
  test.each([
    ['?expired=false', { ExpiresFrom: 'now' }],
    ['?expiresFrom=now', { ExpiresFrom: 'now' }],
    ['?expiresFrom=-7d&expiresTo=now', { ExpiresFrom: '-7d', ExpiresTo: 'now' }],
    ['?expired=false&expiresTo=7d', { ExpiresFrom: 'now', ExpiresTo: '7d' }],
    ['?expired=true&expiresFrom=-30d', { Expired: true, ExpiresFrom: '-30d' }],
    ['?expired=false&expiresFrom=2026-06-01T00:00:00Z', { ExpiresFrom: '2026-06-01T00:00:00.000Z' }],
    ['?expiresFrom=2026-02-30T00:00:00Z&expiresTo=yesterday&expired=true', { Expired: true }],
    ['?trial=false', { IsTrial: false }],
    ['?statuses=1,3', { StatusIds: '1,3' }],
  ])('%s is the query %o, and a view of that query has the same address', (search, query) => {
    expect(toListQuery(read(search))).toEqual(query);
    expect(toAddress(query)).toEqual(read(search));
    expect(hasFilter(read(search))).toBe(true);
  });

  test('those who have not expired have one address', () => {
    expect(stringifySearch(read('?expiresFrom=now'))).toBe('?expired=false');
    expect(stringifySearch(read('?expiresTo=7d&expired=false'))).toBe('?expiresFrom=now&expiresTo=7d');
  });
});

test('the page size is in an address with a page, and else only if it is not the usual one', () => {
  expect(read('?page=3')).toEqual({ page: 3, pageSize: pageSizes.usual });
  expect(withFilter({ page: 3, pageSize: pageSizes.usual }, {})).toEqual({});
  usualPageSize.set(50);
  expect(read('?page=3')).toEqual({ page: 3, pageSize: 50 });
  expect(read('')).toEqual({});
});

test('order, page and page size are not filters', () => {
  expect(hasFilter({ sort: 'username', page: 3, pageSize: 50 })).toBe(false);
  expect(hasFilter({ status: 0 })).toBe(true);
});
