import { expect, it } from 'vitest';
import { countryCodes } from '../../../src/contract/service/countries.ts';
import { limits } from '../../../src/contract/service/limits.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
import { problemOf } from '../../support/service/problem-of.ts';
import type { Begin } from './subject.ts';

type Body = Readonly<Record<string, unknown>>;
type Values = Readonly<Record<string, readonly unknown[]>>;

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const addresses = (count: number) => numbered(count).map((last) => `192.0.2.${last}`);

/** Values that the rules of a field just allow. */
const accepted: Values = {
  maxConnections: [1, limits.connections],
  note: [`${'é'.repeat(limits.note - 2)}\n\t`],
  bundles: [numbered(limits.bundles), [Number.MAX_SAFE_INTEGER]],
  ipAddresses: [addresses(limits.ipAddresses), ['2001:db8::1', '2001:db8::/32', '10.0.0.0/8']],
  userAgents: [numbered(limits.userAgents).map((n) => String(n).padEnd(limits.userAgent, 'x'))],
  countries: [['SE', 'NO', 'DE'], [...countryCodes]],
  expiresAt: ['9999-12-31T23:59:59.999Z'],
};

/** Values that the rules just refuse. */
const refused: Values = {
  username: ['', '  ', 'a\u0007b', null, 7],
  email: ['anna', 'a@example.com,b@example.com'],
  expiresAt: [
    '2026-12-31T22:00:00',
    '2026-12-31',
    '2026-02-30T00:00:00Z',
    '10000-01-01T00:00:00Z',
    1_800_000_000,
  ],
  maxConnections: [0, limits.connections + 1, 1.5, '1'],
  isTrial: ['true'],
  hls: [1],
  mpegTs: [null],
  note: ['x'.repeat(limits.note + 1), 'a\u0000b'],
  bundles: [numbered(limits.bundles + 1), [0], [2 ** 53], [3, 4, 3]],
  ipAddresses: [addresses(limits.ipAddresses + 1), ['localhost'], ['2001:db8::1', '2001:0db8:0::1']],
  userAgents: [
    numbered(limits.userAgents + 1).map(String),
    [''],
    ['x'.repeat(limits.userAgent + 1)],
    ['a\nb'],
    ['a', 'a'],
  ],
  countries: [['no'], ['XX'], ['NO', 'NO'], 'NO'],
};

/** The rules of a body's fields, at their limits. */
export function fields(begin: Begin): void {
  it('is stored and answered as it came, up to its limits', async () => {
    const { send, anna, named } = await begin();
    for (const [field, values] of Object.entries(accepted))
      for (const [index, value] of values.entries()) {
        const username = named(`${field} ${index}`);
        const created = await send('POST', '/subscribers', { body: { ...anna, username, [field]: value } });
        const { id, [field]: stored } = (await created.json()) as Body;
        expect(stored, username).toEqual(value);
        const updated = await send('PUT', `/subscribers/${String(id)}`, { body: { [field]: value } });
        expect(await updated.json(), username).toHaveProperty(field, value);
      }
  });

  it('is refused by its name in a create and an update beyond them', async () => {
    const { send, client, anna, named } = await begin();
    const { id } = (await client.createSubscriber({ body: anna })).data;
    const another = { ...anna, username: named('Bert') };
    const namesIn = async (response: Response) => {
      const { problem, fields: named } = await problemOf(response);
      return `${problem} ${String([...new Set(named.map((name) => name.split('.')[0]))])}`;
    };
    for (const [field, values] of Object.entries(refused)) {
      const expected = { [`422 invalid-input ${field}`]: values };
      await expectOutcomes<unknown>(expected, async (value) =>
        namesIn(await send('POST', '/subscribers', { body: { ...another, [field]: value } })),
      );
      await expectOutcomes<unknown>(expected, async (value) =>
        namesIn(await send('PUT', `/subscribers/${id}`, { body: { [field]: value } })),
      );
    }
  });

  it('is trimmed in a username and an email, and an expiry is answered in UTC', async () => {
    const { client, anna } = await begin();
    const body = {
      username: `  ${anna.username} `,
      email: ` ${anna.email}  `,
      expiresAt: '2026-12-31T23:00:00+01:00',
    };
    const { data } = await client.createSubscriber({ body });
    expect(data).toMatchObject(anna);
    await expectOutcomes(
      {
        '2026-06-30T22:30:00.000Z': ['2026-07-01T00:30:00+02:00'],
        '2026-07-01T00:30:00.000Z': ['2026-07-01T00:30:00Z'],
        '2024-02-29T23:59:59.999Z': ['2024-02-29T23:59:59.999Z'],
      },
      async (expiresAt) =>
        (await client.updateSubscriber({ params: { id: data.id }, body: { expiresAt } })).data.expiresAt,
    );
  });

  it('is at most 64 characters in a username and 254 in an email, counted as people count', async () => {
    const { send, named, anna } = await begin();
    const fill = (length: number) => named('👍'.repeat(length - named('').length));
    await expectOutcomes<Body>(
      {
        200: [
          { username: fill(limits.username) },
          { username: named('mail'), email: longAddress(limits.email) },
        ],
        422: [
          { username: fill(limits.username + 1) },
          { username: named('more'), email: longAddress(limits.email + 1) },
        ],
      },
      async (body) => String((await send('POST', '/subscribers', { body: { ...anna, ...body } })).status),
    );
  });
}

const longAddress = (length: number) =>
  `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(length - 64 - 1 - 183 - 3)}.no`;
