import { expect, test } from 'vitest';
import { isMasked, maskedToken } from '../../../src/contract/bff/access-token.ts';

const token = 'k3Jx-9_aQ0ZpL7wTn2VbYc5RsUeHdGf8MiXo1qPvBt4';

test('a masked token shows its last four characters and not how long it was', () => {
  expect(maskedToken(token)).toBe('••••••••••••vBt4');
  expect(maskedToken('12345678')).toBe('••••••••••••5678');
});

test('of a short one nothing is shown, or half of it would be', () => {
  expect(maskedToken('1234567')).toBe('••••••••••••');
  expect(maskedToken('')).toBe('••••••••••••');
});

test('masking twice is masking once, and it shows which is which', () => {
  for (const one of [token, '1234567']) expect(maskedToken(maskedToken(one))).toBe(maskedToken(one));
  expect([isMasked(token), isMasked(maskedToken(token)), isMasked(maskedToken('x'))]).toEqual([
    false,
    true,
    true,
  ]);
});
