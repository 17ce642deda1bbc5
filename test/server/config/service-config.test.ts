import { describe, expect, test } from 'vitest';
import { readConfig, serviceUrlAt } from '../../../src/server/config/config.ts';

const read = (env: Record<string, string>, file = '') => readConfig(env, () => file, 'service');

function errorsOf(env: Record<string, string>): string[] {
  try {
    read(env);
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : [];
  }
  return [];
}

const [one, other] = ['1', '2'].map((digit) => digit.repeat(32));

describe('SERVICE_CLIENTS', () => {
  test('names clients with their secrets and scopes, of which the first two colons separate', () => {
    const text = `crm:${one}:subscribers:read subscribers:write, shop:${other}:subscribers:read`;
    expect(read({ SERVICE_CLIENTS: text }).service.clients).toEqual([
      { id: 'crm', secrets: [one], scopes: ['subscribers:read', 'subscribers:write'] },
      { id: 'shop', secrets: [other], scopes: ['subscribers:read'] },
    ]);
  });

  test('names a client twice while one secret replaces the other', () => {
    const text = `crm:${one}:subscribers:read,crm:${other}:subscribers:read`;
    expect(read({ SERVICE_CLIENTS: text }).service.clients).toEqual([
      { id: 'crm', secrets: [one, other], scopes: ['subscribers:read'] },
    ]);
  });

  test('may come from a file, or be empty', () => {
    const fromFile = read({ SERVICE_CLIENTS_FILE: 'f' }, `crm:${one}:subscribers:read\n`);
    expect(fromFile.service.clients).toHaveLength(1);
    expect(read({ SERVICE_CLIENTS: '' }).service.clients).toEqual([]);
  });

  test.each([
    ['no secret', 'crm:subscribers:read'],
    ['a short secret', 'crm:secret:subscribers:read'],
    ['no scope', `crm:${one}:`],
    ['an unknown scope', `crm:${one}:subscribers:delete`],
    ['no id', `:${one}:subscribers:read`],
    ['an id that is none', `a b:${one}:subscribers:read`],
    ['a letter that no header takes', `crm:${'é'.repeat(32)}:subscribers:read`],
    ['an empty place', `crm:${one}:subscribers:read,`],
    ['three secrets of one client', Array<string>(3).fill(`crm:${one}:subscribers:read`).join(',')],
    ['two minds about its scopes', `crm:${one}:subscribers:read,crm:${other}:subscribers:write`],
  ])('with %s is refused, and not repeated', (_, text) => {
    const errors = errorsOf({ SERVICE_CLIENTS: text });
    expect(errors).toEqual([expect.stringMatching(/^Set SERVICE_CLIENTS to id:secret:scopes /)]);
    expect(errors.join()).not.toContain(one);
  });
});

describe('the address of the service', () => {
  test('follows from host and port on loopback', () => {
    expect(serviceUrlAt(read({}), 8081)).toBe('http://127.0.0.1:8081');
    expect(serviceUrlAt(read({ HOST: '::1' }), 4711)).toBe('http://[::1]:4711');
  });

  test('is what SERVICE_URL says, with a path but without a slash at its end', () => {
    const config = read({ HOST: '0.0.0.0', SERVICE_URL: 'https://api.example.com/v1/' });
    expect(serviceUrlAt(config, 8081)).toBe('https://api.example.com/v1');
  });

  test('must be given where it listens to other machines, and the desk’s own need not be', () => {
    expect(errorsOf({ HOST: '0.0.0.0' })).toEqual([expect.stringMatching(/^Set SERVICE_URL /)]);
  });

  test.each(['', 'api.example.com', 'https://api.example.com/?x', 'https://me@api.example.com', 'ftp://a'])(
    'is an address without a query: "%s"',
    (text) => {
      expect(errorsOf({ SERVICE_URL: text })).toEqual([expect.stringMatching(/^Set SERVICE_URL to /)]);
    },
  );
});
