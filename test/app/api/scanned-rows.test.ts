import { describe, expect, test } from 'vitest';
import { createWalkedRows } from '../../../src/app/api/scanned-rows.ts';
import type { SortOrder } from '../../../src/contract/service/list-query.ts';
import { numbered } from '../../support/app/plain-service.ts';

const usernames = ['b', 'Ørjan', 'A', '\u{1F600}', 'ørjan2', 'a', '\uFF21'];
const rows = usernames.map((username, place) => ({
  ...numbered(place + 1),
  username,
  expiresAt: place % 2 === 0 ? '2026-06-01T12:00:00.001Z' : '2026-06-01T12:00:00.000Z',
}));
const { add, pageOf } = createWalkedRows();
add(rows.slice(0, 4));
pageOf({ SortBy: 'username' });
add(rows.slice(4));
const ids = (SortBy?: SortOrder) => pageOf({ ...(SortBy && { SortBy }) }).items.map(({ id }) => id);

describe('the order', () => {
  test.each([
    [undefined, [1, 2, 3, 4, 5, 6, 7]],
    ['username', [3, 6, 1, 2, 5, 7, 4]],
    ['username_desc', [4, 7, 5, 2, 1, 3, 6]],
    ['expiresAt', [2, 4, 6, 1, 3, 5, 7]],
    ['expiresAt_desc', [1, 3, 5, 7, 2, 4, 6]],
  ] as const)('by %s is the service’s, ties by id', (order, expected) => {
    expect(ids(order)).toEqual(expected);
  });
});

test('pages are cut as the service cuts them, and empty past the end', () => {
  expect(pageOf({ Page: 2, PageSize: 3 })).toMatchObject({
    page: 2,
    pageSize: 3,
    totalCount: 7,
    totalPages: 3,
  });
  expect(pageOf({ Page: 3, PageSize: 3 }).items.map(({ id }) => id)).toEqual([7]);
  expect(pageOf({ Page: 4, PageSize: 3 }).items).toEqual([]);
  expect(createWalkedRows().pageOf({})).toEqual({
    items: [],
    page: 1,
    pageSize: 25,
    totalCount: 0,
    totalPages: 0,
  });
});
