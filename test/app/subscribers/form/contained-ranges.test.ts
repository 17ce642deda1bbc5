import fc from 'fast-check';
import { BlockList } from 'node:net';
import { expect, test } from 'vitest';
import { containedRanges } from '../../../../src/app/subscribers/form/contained-ranges.ts';

test.each([
  [['192.0.2.7', '192.0.2.0/24'], [['192.0.2.7', '192.0.2.0/24']]],
  [
    ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24'],
    [
      ['10.1.0.0/16', '10.0.0.0/8'],
      ['10.1.2.0/24', '10.0.0.0/8'],
    ],
  ],
  [['192.0.2.0/25', '192.0.2.128/25'], []],
  [['0.0.0.0/0', '2001:db8::1'], []],
  [['2001:db8::/32', '2001:DB8:0:0:1::1'], [['2001:DB8:0:0:1::1', '2001:db8::/32']]],
  [['::/0', 'fe80::1'], [['fe80::1', '::/0']]],
  // One that is written with bits behind its prefix is the same range.
  [['192.0.2.77/24', '192.0.2.1'], [['192.0.2.1', '192.0.2.77/24']]],
  [['192.0.2.0/24', 'nonsense', '300.1.2.3', '1::2::3'], []],
])('of %j these are contained: %j', (list, pairs) => {
  expect(containedRanges(list).map(({ inner, outer }) => [inner, outer])).toEqual(pairs);
});

test('an address is contained exactly where the platform says so', () => {
  const v4 = fc.ipV4().map((address) => [address, 32, 'ipv4'] as const);
  const v6 = fc.ipV6().map((address) => [address, 128, 'ipv6'] as const);
  const pair = fc.oneof(fc.tuple(v4, v4), fc.tuple(v6, v6));
  fc.assert(
    fc.property(pair, fc.nat(127), fc.nat(), ([[a, bits, family], [b]], prefix, flip) => {
      const fixed = prefix % bits;
      // Near enough for both answers to come up: the same address half of the time.
      const address = flip % 2 === 0 ? a : b;
      const platform = new BlockList();
      platform.addSubnet(a, fixed, family);
      const found = containedRanges([`${a}/${fixed}`, address]).some(({ inner }) => inner === address);
      expect(found).toBe(platform.check(address, family));
    }),
    { seed: 20_260_604, numRuns: 2000 },
  );
});
