import { expect, test } from 'vitest';
import { createRouter, wrongMethod } from '../../../src/contract/http/router.ts';

const rows = [
  { method: 'GET', path: '/people' },
  { method: 'POST', path: '/people' },
  { method: 'GET', path: '/people/by-name/{name}' },
  { method: 'POST', path: '/people/{id}/wake' },
];
const find = createRouter(rows);

test('a route is found by its method and path, with the values in its path decoded once', () => {
  const { route, values, path } = find('GET', '/people/by-name/a%2Fb%20%252E');
  expect([route, path]).toEqual([rows[2], '/people/by-name/{name}']);
  expect(values).toEqual({ name: 'a/b %2E' });
});

test('a value that is badly encoded stays as it came', () => {
  expect(find('POST', '/people/%zz/wake').values).toEqual({ id: '%zz' });
});

test('where two templates fit a path, the method decides', () => {
  expect(find('GET', '/people/by-name/wake').route).toBe(rows[2]);
  expect(find('POST', '/people/by-name/wake').route).toBe(rows[3]);
});

test('HEAD finds what GET finds', () => {
  expect(find('HEAD', '/people').route).toBe(rows[0]);
});

test('a path that takes other methods has no route, and says which methods it takes', () => {
  const { route, path, allowedMethods } = find('DELETE', '/people');
  expect([route, path, allowedMethods]).toEqual([null, '/people', ['GET', 'HEAD', 'POST']]);
  expect(wrongMethod(allowedMethods)).toMatchObject({
    code: 'method-not-allowed',
    particulars: { headers: { Allow: 'GET, HEAD, POST' } },
  });
});

test.each(['/', '/people/', '//people', '/people//wake', '/People', '/people/by-name/a/b', '/people%2F'])(
  '%s is no address',
  (path) => {
    expect(() => find('GET', path)).toThrow(expect.objectContaining({ code: 'no-such-address' }));
  },
);
