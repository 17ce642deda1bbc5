import { describe, expect, test } from 'vitest';
import { readField } from '../../support/contract/faults.ts';

describe('maxConnections', () => {
  test.each([1, 2, 999, 1000])('%d is taken', (count) => {
    expect(readField('maxConnections', count)).toBe(count);
  });

  test.each([
    0,
    -0,
    -1,
    1001,
    1.5,
    2 ** 53,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NaN,
    '1',
    null,
    true,
    [1],
  ])('%j is refused', (count) => {
    expect(readField('maxConnections', count)).toEqual({ refused: ['maxConnections'] });
  });
});

describe.each(['isTrial', 'hls', 'mpegTs'] as const)('%s', (flag) => {
  test('is true or false', () => {
    expect(readField(flag, true)).toBe(true);
    expect(readField(flag, false)).toBe(false);
  });

  test.each([0, 1, 'true', '', null, []])('%j is no truth value', (value) => {
    expect(readField(flag, value)).toEqual({ refused: [flag] });
  });
});

describe('expiresAt', () => {
  test.each([
    ['2026-12-31T22:00:00Z', '2026-12-31T22:00:00.000Z'],
    ['2026-12-31T22:00:00+05:30', '2026-12-31T16:30:00.000Z'],
    ['2026-12-31T22:00:00-11:00', '2027-01-01T09:00:00.000Z'],
    ['2026-12-31T22:00:00-00:00', '2026-12-31T22:00:00.000Z'],
    ['2026-12-31T22:00:00.5Z', '2026-12-31T22:00:00.500Z'],
    ['2026-12-31T22:00:00.123999999Z', '2026-12-31T22:00:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['9999-12-31T23:59:59+01:00', '9999-12-31T22:59:59.000Z'],
  ])('%s is kept in UTC as %s', (given, kept) => {
    expect(readField('expiresAt', given)).toBe(kept);
  });

  test.each([
    ['has no zone', '2026-12-31T22:00:00'],
    ['has no time', '2026-12-31'],
    ['has a blank for the T', '2026-12-31 22:00:00Z'],
    ['has an offset without a colon', '2026-12-31T22:00:00+0530'],
    ['has an offset of a whole day', '2026-12-31T22:00:00+24:00'],
    ['is the 30th of February', '2026-02-30T00:00:00Z'],
    ['is the 31st of April', '2026-04-31T00:00:00Z'],
    ['is the 29th of February of a common year', '2025-02-29T00:00:00Z'],
    ['is the 29th of February of 1900', '1900-02-29T00:00:00Z'],
    ['is in the thirteenth month', '2026-13-01T00:00:00Z'],
    ['is at 24 o’clock', '2026-12-31T24:00:00Z'],
    ['is a leap second', '2016-12-31T23:59:60Z'],
    ['is in the year 10000', '10000-01-01T00:00:00Z'],
    ['is in the year 10000 with its sign', '+010000-01-01T00:00:00Z'],
    ['is in the year 10000 only in UTC', '9999-12-31T23:59:59-01:00'],
    ['is in the year 0', '0000-12-31T00:00:00Z'],
    ['is in the year 0 only in UTC', '0001-01-01T00:00:00+01:00'],
    ['has a line break after it', '2026-12-31T22:00:00Z\n'],
    ['has NUL after it', '2026-12-31T22:00:00Z\0'],
    ['is in the digits of another script', '٢٠٢٦-12-31T22:00:00Z'],
    ['is empty', ''],
    ['is a number', 1_798_754_400_000],
    ['is null', null],
  ])('a value that %s is refused', (_, given) => {
    expect(readField('expiresAt', given)).toEqual({ refused: ['expiresAt'] });
  });
});
