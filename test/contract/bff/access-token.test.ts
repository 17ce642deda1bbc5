import { describe, expect, it } from 'vitest';
import { isMasked, maskedToken } from '../../../src/contract/bff/access-token.ts';

const token = 'k3Jx-9_aQ0ZpL7wTn2VbYc5RsUeHdGf8MiXo1qPvBt4';

describe('a masked token', () => {
  it('shows its last four characters but not its length, and nothing of a short one', () => {
    expect(maskedToken(token)).toBe('••••••••••••vBt4');
    expect(maskedToken('12345678')).toBe('••••••••••••5678');
    // Or half of it would be shown.
    for (const short of ['1234567', '']) expect(maskedToken(short)).toBe('••••••••••••');
  });

  it('shows that it is one, and is the same when it is masked again', () => {
    expect(isMasked(token)).toBe(false);
    for (const one of [token, '1234567']) {
      expect(isMasked(maskedToken(one))).toBe(true);
      expect(maskedToken(maskedToken(one))).toBe(maskedToken(one));
    }
  });
});
