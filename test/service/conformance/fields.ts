import { describe, expect, test } from 'vitest';
import { countryCodes } from '../../../src/contract/service/countries.ts';
import { limits } from '../../../src/contract/service/subscriber.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Caller } from './subject.ts';

type Body = Readonly<Record<string, unknown>>;

/** The rules of a body's fields, at their limits: what is just in, and what is just out. */
export function fields(begin: () => Promise<Caller>): void {
  test.each(taken)('%s is taken: %s', async (field, _, value) => {
    const { send, anna } = await begin();
    const body: Body = { ...anna, [field]: value };
    const created = await send('POST', '/subscribers', { body });
    expect(created.status).toBe(200);
    const { id, [field]: kept } = (await created.json()) as Record<string, unknown>;
    const updated = await send('PUT', `/subscribers/${String(id)}`, { body: { [field]: value } });
    expect(((await updated.json()) as Body)[field]).toEqual(kept);
    expect(kept).toEqual(value);
  });

  test.each(refused)('%s is refused by its name: %s', async (field, _, value) => {
    const { send, client, anna } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    for (const [method, path, body] of [
      ['POST', '/subscribers', { ...anna, [field]: value }],
      ['PUT', `/subscribers/${id}`, { [field]: value }],
    ] as const) {
      const { problem, fields: named } = await problemOf(await send(method, path, { body }));
      expect([problem, named.map((name) => name.split('.')[0])]).toEqual([
        '422 invalid-input',
        expect.arrayContaining([field]),
      ]);
    }
  });

  test.each([
    ['2026-07-01T00:30:00+02:00', '2026-06-30T22:30:00.000Z'],
    ['2026-07-01T00:30:00Z', '2026-07-01T00:30:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ])('expiresAt is answered in UTC: %s', async (expiresAt, answered) => {
    const { client, anna } = await begin();
    expect((await client.createSubscriber({ body: { ...anna, expiresAt } })).data.expiresAt).toBe(answered);
  });

  describe('username and email', () => {
    test('are trimmed', async () => {
      const { client, anna } = await begin();
      const body = { ...anna, username: `  ${anna.username} `, email: ` ${anna.email}  ` };
      expect((await client.createSubscriber({ body })).data).toMatchObject(anna);
    });

    test('are 64 and 254 characters at most, counted as people count', async () => {
      const { send, named, anna } = await begin();
      const fill = (letter: string, length: number) =>
        named(letter.repeat(length - Array.from(named('')).length));
      const status = async (body: Body) =>
        (await send('POST', '/subscribers', { body: { ...anna, ...body } })).status;
      expect(await status({ username: fill('👍', limits.username) })).toBe(200);
      expect(await status({ username: fill('👍', limits.username + 1) })).toBe(422);
      expect(await status({ username: named('mail'), email: longAddress(limits.email) })).toBe(200);
      expect(await status({ username: named('more'), email: longAddress(limits.email + 1) })).toBe(422);
    });
  });
}

const longAddress = (length: number) =>
  `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(length - 64 - 1 - 183 - 3)}.no`;

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const taken: [field: string, what: string, value: unknown][] = [
  ['maxConnections', '1', 1],
  ['maxConnections', '1000', limits.connections],
  ['note', '2,000 characters and line breaks', `${'é'.repeat(limits.note - 2)}\n\t`],
  ['bundles', '200', numbered(limits.bundles)],
  ['bundles', 'the largest number', [Number.MAX_SAFE_INTEGER]],
  ['ipAddresses', '100', numbered(limits.ipAddresses).map((last) => `192.0.2.${last}`)],
  ['ipAddresses', 'IPv6 and ranges', ['2001:db8::1', '2001:db8::/32', '10.0.0.0/8']],
  [
    'userAgents',
    '100 of 256 characters',
    numbered(limits.userAgents).map((n) => String(n).padEnd(limits.userAgent, 'x')),
  ],
  ['countries', 'in their order', ['SE', 'NO', 'DE']],
  ['countries', 'all 249', [...countryCodes]],
  ['expiresAt', 'the last of all', '9999-12-31T23:59:59.999Z'],
];

const refused: [field: string, what: string, value: unknown][] = [
  ['username', 'nothing', ''],
  ['username', 'blanks', '  '],
  ['username', 'a control character', 'a\u0007b'],
  ['username', 'null', null],
  ['username', 'a number', 7],
  ['email', 'no domain', 'anna'],
  ['email', 'two addresses', 'a@example.com,b@example.com'],
  ['expiresAt', 'no zone', '2026-12-31T22:00:00'],
  ['expiresAt', 'a date alone', '2026-12-31'],
  ['expiresAt', '30 February', '2026-02-30T00:00:00Z'],
  ['expiresAt', 'year 10000', '10000-01-01T00:00:00Z'],
  ['expiresAt', 'a number', 1_800_000_000],
  ['maxConnections', '0', 0],
  ['maxConnections', '1001', limits.connections + 1],
  ['maxConnections', 'a fraction', 1.5],
  ['maxConnections', 'a text', '1'],
  ['isTrial', 'a text', 'true'],
  ['hls', 'a number', 1],
  ['mpegTs', 'null', null],
  ['note', '2,001 characters', 'x'.repeat(limits.note + 1)],
  ['note', 'a control character', 'a\u0000b'],
  ['bundles', '201', numbered(limits.bundles + 1)],
  ['bundles', '0', [0]],
  ['bundles', '2^53', [2 ** 53]],
  ['bundles', 'one twice', [3, 4, 3]],
  ['ipAddresses', '101', numbered(limits.ipAddresses + 1).map((last) => `192.0.2.${last}`)],
  ['ipAddresses', 'no address', ['localhost']],
  ['ipAddresses', 'one in two spellings', ['2001:db8::1', '2001:0db8:0::1']],
  ['userAgents', '101', numbered(limits.userAgents + 1).map(String)],
  ['userAgents', 'an empty one', ['']],
  ['userAgents', '257 characters', ['x'.repeat(limits.userAgent + 1)]],
  ['userAgents', 'a line break', ['a\nb']],
  ['userAgents', 'one twice', ['a', 'a']],
  ['countries', 'lower case', ['no']],
  ['countries', 'no country', ['XX']],
  ['countries', 'one twice', ['NO', 'NO']],
  ['countries', 'a text', 'NO'],
];
