import { expect, test } from 'vitest';
import { readField } from '../../support/contract/faults.ts';

test.each([
  '0.0.0.0',
  '192.0.2.1',
  '255.255.255.255',
  '192.0.2.0/24',
  '0.0.0.0/0',
  '192.0.2.1/32',
  '::',
  '::1',
  '2001:db8::1',
  '2001:DB8:0:0:0:0:0:1',
  '::ffff:192.0.2.1',
  '2001:db8::/32',
  '::/0',
  '::1/128',
])('%s is an address or a range', (text) => {
  expect(readField('ipAddresses', [text])).toEqual([text]);
});

test('blanks around an address are cut off', () => {
  expect(readField('ipAddresses', [' 192.0.2.1\n'])).toEqual(['192.0.2.1']);
});

test.each([
  '',
  '192.0.2',
  '192.0.2.1.1',
  '192.0.2.256',
  '192.0.2.01',
  '0x7f.0.0.1',
  '2130706433',
  '192.0.2.1:80',
  '192.0.2.-1',
  '192.0.2.0/33',
  '192.0.2.0/',
  '192.0.2.0/08',
  '192.0.2.0/24/24',
  '192.0.2.0/255.255.255.0',
  '192.0.2.1-192.0.2.9',
  '192.0.2.*',
  '1::2::3',
  '12345::',
  ':::',
  'g::1',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '[::1]',
  'fe80::1%eth0',
  '::1%25eth0',
  '::1/129',
  '::1/',
  '::1/ 5',
  '::1/1e1',
  '::1]:80/x[',
  '::1]@[::1/64',
  '::\t1',
  '192.0.2.1\0',
  'localhost',
  'example.com',
  '１９２.0.2.1',
])('%j is neither an address nor a range', (text) => {
  expect(readField('ipAddresses', [text])).toEqual({ refused: ['ipAddresses.0'] });
});

test.each([
  ['::1', '0:0:0:0:0:0:0:1'],
  ['2001:db8::a', '2001:DB8::A'],
  ['2001:db8::/32', '2001:0db8:0::/32'],
  ['::ffff:192.0.2.1', '::ffff:c000:201'],
  ['192.0.2.1', '192.0.2.1'],
])('%s and %s are one and the same', (first, second) => {
  expect(readField('ipAddresses', [first, second])).toEqual({ refused: ['ipAddresses.1'] });
});

test.each([
  ['::1', '::2'],
  ['::1', '::1/64'],
  ['2001:db8::/32', '2001:db8::/48'],
])('%s and %s are two, each kept as it was typed', (first, second) => {
  expect(readField('ipAddresses', [first, second])).toEqual([first, second]);
});
