import { describe, expect, it, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { fillPath, type Endpoint } from '../../../src/contract/http/endpoint.ts';

test('a path template is filled with each value as one segment, also one with the signs of a replacement', () => {
  expect(fillPath('/subscribers/{id}/regenerate-token', { id: 7 })).toBe('/subscribers/7/regenerate-token');
  expect(fillPath('/by-token/{accessToken}', { accessToken: 'a/b?c#d;e%2F å\\' })).toBe(
    '/by-token/a%2Fb%3Fc%23d%3Be%252F%20%C3%A5%5C',
  );
  expect(fillPath('/x/{name}', { name: '$&{name}' })).toBe('/x/%24%26%7Bname%7D');
});

describe('a row of the endpoint tables', () => {
  const rows: [string, Endpoint][] = [...Object.entries(api), ...Object.entries(bffApi)];

  it('has a parameter for each name in its path, and a body only if its method allows one', () => {
    const fault = ([, { path, params, body, method }]: [string, Endpoint]) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const shape = (params as { shape?: object } | undefined)?.shape ?? {};
      if (String(Object.keys(shape)) !== String(names)) return 'other parameters than in the path';
      return body && (method === 'GET' || method === 'DELETE') ? `a body for ${method}` : null;
    };
    expect(rows.length).toBeGreaterThan(50);
    const faults = rows.map((row) => [row[0], fault(row)]).filter(([, found]) => found !== null);
    expect(faults).toEqual([]);
  });

  it('shares method and path with no other', () => {
    const lines = rows.map(([, row]) => `${row.method} ${row.path}`);
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  });
});
