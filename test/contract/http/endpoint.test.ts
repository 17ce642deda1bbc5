import { describe, expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { fillPath, readParameters } from '../../../src/contract/http/endpoint.ts';

describe('a path template', () => {
  test('is filled with each value as one segment', () => {
    expect(fillPath('/subscribers/{id}/regenerate-token', { id: 7 })).toBe('/subscribers/7/regenerate-token');
    expect(fillPath('/by-token/{accessToken}', { accessToken: 'a/b?c#d;e%2F å\\' })).toBe(
      '/by-token/a%2Fb%3Fc%23d%3Be%252F%20%C3%A5%5C',
    );
  });

  test('takes a value with the signs of a replacement as it is', () => {
    expect(fillPath('/x/{name}', { name: '$&{name}' })).toBe('/x/%24%26%7Bname%7D');
  });
});

describe('query parameters', () => {
  test('are a text when given once, and a list when repeated; empty ones are absent', () => {
    const read = readParameters(new URLSearchParams('a=1&b=1&b=2&c=&d=&d=3'));
    expect({ ...read }).toEqual({ a: '1', b: ['1', '2'], d: '3' });
  });

  test('of the name __proto__ are names like any other', () => {
    const read = readParameters(new URLSearchParams('__proto__=x&__proto__=y&toString=z'));
    expect(Object.keys(read)).toEqual(['__proto__', 'toString']);
    expect(Object.getPrototypeOf(read)).toBeNull();
  });
});

const rows = [...Object.entries(api), ...Object.entries(bffApi)] as [
  string,
  Parameters<typeof Object.keys>[0] & Row,
][];
interface Row {
  method: string;
  path: string;
  summary: string;
  params?: { shape: object };
  body?: unknown;
  versioned?: true;
}

describe.each(rows)('the row %s', (_, row) => {
  test('has a parameter for each name in its path, and no other', () => {
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys(row.params?.shape ?? {})).toEqual(names);
  });

  test('has a body only if its method allows one', () => {
    expect(row.body !== undefined && (row.method === 'GET' || row.method === 'DELETE')).toBe(false);
  });

  test('has a summary of one line', () => {
    expect(row.summary).toMatch(/^[A-Z].*[^.]$/);
  });
});

test('no two rows share method and path', () => {
  const lines = rows.map(([, row]) => `${row.method} ${row.path}`);
  expect(new Set(lines).size).toBe(lines.length);
});
