import { describe, expect, it, test } from 'vitest';
import { countryCodes } from '../../../src/contract/service/countries.ts';
import { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { faultsOf, outcomeOf } from '../../support/contract/faults.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';

describe('expiresAt', () => {
  it('is a time of a zone, stored in UTC, in milliseconds', async () => {
    await expectOutcomes(
      {
        '"2026-12-31T22:00:00.000Z"': ['2026-12-31T22:00:00Z', '2026-12-31T22:00:00-00:00'],
        '"2026-12-31T16:30:00.000Z"': ['2026-12-31T22:00:00+05:30'],
        '"2027-01-01T09:00:00.000Z"': ['2026-12-31T22:00:00-11:00'],
        '"2026-12-31T22:00:00.500Z"': ['2026-12-31T22:00:00.5Z'],
        '"2026-12-31T22:00:00.123Z"': ['2026-12-31T22:00:00.123999999Z'],
        '"2024-02-29T00:00:00.000Z"': ['2024-02-29T00:00:00Z'],
        '"2000-02-29T00:00:00.000Z"': ['2000-02-29T00:00:00Z'],
        '"0001-01-01T00:00:00.000Z"': ['0001-01-01T00:00:00Z'],
        accepted: ['9999-12-31T23:59:59.999Z'],
        '"9999-12-31T22:59:59.000Z"': ['9999-12-31T23:59:59+01:00'],
      },
      outcomeOf('expiresAt'),
    );
  });

  it('is no other text, no day or year that there is not, and no number', async () => {
    const refused = {
      'without a zone, a time or the T': ['2026-12-31T22:00:00', '2026-12-31', '2026-12-31 22:00:00Z'],
      'with an offset that is none': ['2026-12-31T22:00:00+0530', '2026-12-31T22:00:00+24:00'],
      'on a day that there is not': [
        '2026-02-30T00:00:00Z',
        '2026-04-31T00:00:00Z',
        '2025-02-29T00:00:00Z',
        '1900-02-29T00:00:00Z',
        '2026-13-01T00:00:00Z',
      ],
      'at a time that there is not': ['2026-12-31T24:00:00Z', '2016-12-31T23:59:60Z'],
      'in the year 10000': ['10000-01-01T00:00:00Z', '+010000-01-01T00:00:00Z', '9999-12-31T23:59:59-01:00'],
      'in the year 0': ['0000-12-31T00:00:00Z', '0001-01-01T00:00:00+01:00'],
      'with other characters': ['2026-12-31T22:00:00Z\n', '2026-12-31T22:00:00Z\0', '٢٠٢٦-12-31T22:00:00Z'],
      'not a text, or an empty one': [1_798_754_400_000, null, ''],
    };
    await expectOutcomes<unknown>(
      { 'refused: expiresAt': Object.values(refused).flat() },
      outcomeOf('expiresAt'),
    );
  });
});

describe('a list', () => {
  it('names a value that it has twice by its index', () => {
    for (const [name, list] of [
      ['bundles', [7, 8, 7]],
      ['ipAddresses', ['192.0.2.1', '192.0.2.2', ' 192.0.2.1 ']],
      ['countries', ['NO', 'SE', 'NO']],
    ] as const)
      expect(faultsOf(UpdateBody, { [name]: list })).toEqual({
        [`${name}.2`]: [`${String(list[0])} is in the list twice. Remove one.`],
      });
  });

  it('names every faulty value, and not the good ones between them', () => {
    const bundles = [1, 0, 2, -0, -1, 1.5, 2 ** 53, Infinity, '3', null, Number.MAX_SAFE_INTEGER];
    const faulty = [1, 3, 4, 5, 6, 7, 8, 9].map((index) => `bundles.${index}`);
    expect(outcomeOf('bundles')(bundles)).toBe(`refused: ${faulty.join(', ')}`);
    expect(outcomeOf('bundles')([1, Number.MAX_SAFE_INTEGER])).toBe('accepted');
  });
});

test('a country is one of the 249 codes of ISO 3166-1, each with a name of its own', async () => {
  const codes = [...countryCodes];
  expect(codes).toHaveLength(249);
  expect(codes).toEqual(codes.toSorted());
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(new Set(codes.map((code) => names.of(code))).size).toBe(249);
  const written = ['no', 'No', 'NOR', 'N', '', ' NO', 'NO\n', 'constructor', 578];
  const others = ['XX', 'XK', 'EU', 'UK', 'SU', 'ZZ'];
  await expectOutcomes<unknown>({ 'refused: countries.0': [...written, ...others] }, (code) =>
    outcomeOf('countries')([code]),
  );
});

describe('an IP address or range', () => {
  it('is an IPv4 or IPv6 address as people write it, with the length of a prefix', async () => {
    const accepted = {
      'an IPv4 address': ['0.0.0.0', '192.0.2.1', '255.255.255.255'],
      'an IPv4 range': ['192.0.2.0/24', '0.0.0.0/0', '192.0.2.1/32'],
      'an IPv6 address': ['::', '::1', '2001:db8::1', '2001:DB8:0:0:0:0:0:1', '::ffff:192.0.2.1'],
      'an IPv6 range': ['2001:db8::/32', '::/0', '::1/128'],
    };
    const refused = {
      'not four bytes': ['', '192.0.2', '192.0.2.1.1', '192.0.2.256', '192.0.2.01', '192.0.2.-1'],
      'another way to write an address': [
        '0x7f.0.0.1',
        '2130706433',
        '192.0.2.1:80',
        '192.0.2.1\0',
        '１９２.0.2.1',
      ],
      'another range of IPv4': ['192.0.2.0/33', '192.0.2.0/', '192.0.2.0/08', '192.0.2.0/24/24'],
      'another way to write a range': ['192.0.2.0/255.255.255.0', '192.0.2.1-192.0.2.9', '192.0.2.*'],
      'not eight groups': [
        '1::2::3',
        '12345::',
        ':::',
        'g::1',
        '1:2:3:4:5:6:7',
        '1:2:3:4:5:6:7:8:9',
        '::\t1',
      ],
      'more than an address': ['[::1]', 'fe80::1%eth0', '::1%25eth0', '::1]:80/x[', '::1]@[::1/64'],
      'another range of IPv6': ['::1/129', '::1/', '::1/ 5', '::1/1e1'],
      'a name': ['localhost', 'example.com'],
    };
    await expectOutcomes(
      {
        accepted: Object.values(accepted).flat(),
        '["192.0.2.1"]': [' 192.0.2.1\n'],
        'refused: ipAddresses.0': Object.values(refused).flat(),
      },
      (text) => outcomeOf('ipAddresses')([text]),
    );
  });

  it('is the same in another spelling, and another one with another range', async () => {
    await expectOutcomes<string[]>(
      {
        'refused: ipAddresses.1': [
          ['::1', '0:0:0:0:0:0:0:1'],
          ['2001:db8::a', '2001:DB8::A'],
          ['2001:db8::/32', '2001:0db8:0::/32'],
          ['::ffff:192.0.2.1', '::ffff:c000:201'],
          ['192.0.2.1', '192.0.2.1'],
        ],
        accepted: [
          ['::1', '::2'],
          ['::1', '::1/64'],
          ['2001:db8::/32', '2001:db8::/48'],
        ],
      },
      outcomeOf('ipAddresses'),
    );
  });
});
