import { describe, expect, it } from 'vitest';
import { createRouter, wrongMethod } from '../../../src/contract/http/router.ts';

const rows = [
  { method: 'GET', path: '/people' },
  { method: 'POST', path: '/people' },
  { method: 'GET', path: '/people/by-name/{name}' },
  { method: 'POST', path: '/people/{id}/wake' },
];
const find = createRouter(rows);

describe('a route', () => {
  it('is found by its method and path, with the values in its path decoded once, or as they came', () => {
    const { route, values, path } = find('GET', '/people/by-name/a%2Fb%20%252E');
    expect([route, path]).toEqual([rows[2], '/people/by-name/{name}']);
    expect(values).toEqual({ name: 'a/b %2E' });
    expect(find('POST', '/people/%zz/wake').values).toEqual({ id: '%zz' });
  });

  it('is found by the method where two templates fit the path, by HEAD as by GET', () => {
    expect(find('GET', '/people/by-name/wake').route).toBe(rows[2]);
    expect(find('POST', '/people/by-name/wake').route).toBe(rows[3]);
    expect(find('HEAD', '/people').route).toBe(rows[0]);
  });

  it('is not found by a method that the path does not take, and those it takes are named', () => {
    const { route, path, allowedMethods } = find('DELETE', '/people');
    expect([route, path, allowedMethods]).toEqual([null, '/people', ['GET', 'HEAD', 'POST']]);
    expect(wrongMethod(allowedMethods)).toMatchObject({
      code: 'method-not-allowed',
      particulars: { headers: { Allow: 'GET, HEAD, POST' } },
    });
  });

  it('is not found at any other address', () => {
    const near = [
      '/',
      '/people/',
      '//people',
      '/people//wake',
      '/People',
      '/people/by-name/a/b',
      '/people%2F',
    ];
    for (const path of near)
      expect(() => find('GET', path), path).toThrow(expect.objectContaining({ code: 'no-such-address' }));
  });
});
