import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rangeOf, readIpRange, type IpRange } from '../../../../src/contract/service/ip-range.ts';
import {
  contains,
  isInside,
  neighbourhoodOf,
  rangeText,
} from '../../../../src/app/record/connection/read-connection.ts';

const read = (text: string): IpRange => {
  const range = readIpRange(text);
  if (!range) throw new Error(`${text} is no address`);
  return range;
};

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7/24', '192.0.2.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:db8::ff/32', '2001:db8::/32'],
  ['::', '::'],
  ['::1', '::1'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:207', '192.0.2.7'],
])('the text %s is read as the addresses %s', (text, written) => {
  expect(rangeText(read(text))).toBe(written);
});

test.each(['', '192.0.2', '192.0.2.256', '192.0.2.7/33', '2001:db8', '1:2:3:4:5:6:7:8:9', 'localhost'])(
  'the text %j is no address',
  (text) => expect(readIpRange(text)).toBeNull(),
);

test.each([
  ['192.0.2.0/24', '192.0.2.255', true],
  ['192.0.2.0/24', '192.0.3.0', false],
  ['192.0.2.0/24', '192.0.2.0/25', true],
  ['192.0.2.0/25', '192.0.2.0/24', false],
  ['192.0.2.7', '192.0.2.7', true],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::', false],
  ['::/0', '192.0.2.7', false],
  ['192.0.2.0/24', '::ffff:192.0.2.7', true],
])('the addresses %s contain %s: %s', (outer, inner, expected) => {
  expect(contains(read(outer), read(inner))).toBe(expected);
});

test.each([
  ['192.168.1.5', true],
  ['10.20.30.40', true],
  ['172.31.255.255', true],
  ['172.32.0.0', false],
  ['fe80::1', true],
  ['fd12::1', true],
  ['203.0.113.7', false],
  ['2001:db8::1', false],
])('the address %s is inside a home: %s', (text, expected) => {
  expect(isInside(read(text))).toBe(expected);
});

test('the neighbourhood of an address is its /24, or its /64 for IPv6', () => {
  expect(rangeText(neighbourhoodOf(read('203.0.113.7')))).toBe('203.0.113.0/24');
  expect(rangeText(neighbourhoodOf(read('2001:db8:1:2:3:4:5:6')))).toBe('2001:db8:1:2::/64');
});

describe('the addresses around any address', () => {
  const address = fc.oneof(
    fc.record({ bits: fc.constant(32 as const), first: fc.bigInt(0n, 2n ** 32n - 1n) }),
    // Those below are IPv4 addresses in IPv6.
    fc.record({ bits: fc.constant(128 as const), first: fc.bigInt(2n ** 48n, 2n ** 128n - 1n) }),
  );

  test('the text of any address is read as the same address', () => {
    fc.assert(
      fc.property(address, ({ bits, first }) => {
        const whole = rangeOf({ bits, first, prefix: bits });
        expect(readIpRange(rangeText(whole))).toEqual(whole);
      }),
    );
  });

  test('each range around any address contains all smaller ranges around it', () => {
    fc.assert(
      fc.property(address, fc.nat(128), fc.nat(128), ({ bits, first }, one, other) => {
        const [few = 0, many = 0] = [one % (bits + 1), other % (bits + 1)].toSorted((a, b) => a - b);
        const outer = rangeOf({ bits, first, prefix: few });
        const inner = rangeOf({ bits, first, prefix: many });
        expect(contains(outer, inner)).toBe(true);
        expect(contains(inner, outer)).toBe(few === many);
      }),
    );
  });

  test('a range with another leading bit does not contain the address', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 1, max: 128 }), fc.nat(127), ({ bits, first }, most, bit) => {
        const prefix = Math.min(most, bits);
        const flipped = first ^ (1n << BigInt(bits - 1 - (bit % prefix)));
        const whole = rangeOf({ bits, first, prefix: bits });
        expect(contains(rangeOf({ bits, first: flipped, prefix }), whole)).toBe(false);
      }),
    );
  });
});
