import { describe, expect, test } from 'vitest';
import { createClientAddress, isTrustable } from '../../../src/server/http/client-address.ts';

test.each([undefined, '198.51.100.7', '10.0.0.1, 198.51.100.7'])(
  'without a trusted proxy the address is the peer’s, whatever is forwarded: %j',
  (forwardedFor) => {
    expect(createClientAddress([])('192.0.2.1', forwardedFor)).toBe('192.0.2.1');
    expect(createClientAddress(['10.0.0.0/8'])('192.0.2.1', forwardedFor)).toBe('192.0.2.1');
  },
);

describe('behind a trusted proxy', () => {
  const addressOf = createClientAddress(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']);

  test.each([
    ['198.51.100.7', '198.51.100.7'],
    ['203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['203.0.113.9, 198.51.100.7,10.1.2.3 , 192.0.2.1', '198.51.100.7'],
    ['198.51.100.7:4711', '198.51.100.7'],
    ['[2001:DB9::7]:4711', '2001:db9::7'],
    ['2001:db9::7, 2001:db8::1', '2001:db9::7'],
    ['::ffff:198.51.100.7', '198.51.100.7'],
  ])('of %j the rightmost that is none of ours counts: %s', (forwardedFor, address) => {
    expect(addressOf('10.0.0.1', forwardedFor)).toBe(address);
  });

  test.each([undefined, '', 'unknown', '198.51.100.7, unknown', '198.51.100.7, 999.0.0.1', ','])(
    'the proxy itself counts where it names nobody: %j',
    (forwardedFor) => {
      expect(addressOf('10.0.0.1', forwardedFor)).toBe('10.0.0.1');
    },
  );

  test('a request that comes from within counts as the first of ours', () => {
    expect(addressOf('10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3');
  });

  test('a peer that speaks IPv4 over an IPv6 socket is the same peer', () => {
    expect(addressOf('::ffff:10.0.0.1', '198.51.100.7')).toBe('198.51.100.7');
    expect(addressOf('::ffff:198.51.100.1', '203.0.113.9')).toBe('198.51.100.1');
  });
});

test('a peer that is gone has no address', () => {
  expect(createClientAddress([])(undefined, '198.51.100.7')).toBe('unknown');
});

test.each(['192.0.2.1', '10.0.0.0/8', '::1', '2001:db8::/32', '0.0.0.0/0'])('%s can be trusted', (text) => {
  expect(isTrustable(text)).toBe(true);
});

test.each(['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '10.0.0/8', '*'])(
  '%j is neither an address nor a range',
  (text) => {
    expect(isTrustable(text)).toBe(false);
  },
);
