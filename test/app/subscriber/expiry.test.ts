import fc from 'fast-check';
import { afterEach, describe, expect, it, test } from 'vitest';
import { isExpired } from '../../../src/app/subscriber/expiry.ts';
import { extend, extensions } from '../../../src/app/subscriber/extensions.ts';

const home = process.env['TZ'];
afterEach(() => void (process.env['TZ'] = home));

const [days, month, year] = extensions;
/** Before every expiry in these tests, so that extensions start at the expiry. */
const past = Date.parse('1990-01-01T00:00:00Z');
const later = (from: string, extension: (typeof extensions)[number], now = past) =>
  extend(Date.parse(from), extension, now).toISOString();

test.each([
  ['2026-06-01T12:00:00.000Z', true],
  ['2026-06-01T11:59:59.999Z', true],
  ['2026-06-01T12:00:00.001Z', false],
])('a subscriber with the expiry %s is expired at noon: %s', (expiresAt, expired) => {
  expect(isExpired(expiresAt, Date.parse('2026-06-01T12:00:00Z'))).toBe(expired);
});

describe('an extension', () => {
  const now = Date.parse('2026-06-01T12:00:00Z');

  it('starts at the current expiry if that is to come', () => {
    expect(later('2026-06-10T08:30:00Z', days, now)).toBe('2026-06-17T08:30:00.000Z');
  });

  it('starts now if the current expiry is in the past', () => {
    expect(later('2026-01-10T08:30:00Z', days, now)).toBe('2026-06-08T21:59:59.000Z');
  });

  it('starts now if there is no expiry yet', () => {
    expect(extend(Number.NaN, month, now).toISOString()).toBe('2026-07-01T21:59:59.000Z');
  });
});

describe('an extension into a shorter month', () => {
  it.each([
    ['2026-01-31T12:00:00Z', month, '2026-02-28T12:00:00.000Z'],
    ['2028-01-31T12:00:00Z', month, '2028-02-29T12:00:00.000Z'],
    ['2026-01-29T12:00:00Z', month, '2026-02-28T12:00:00.000Z'],
    ['2026-08-31T12:00:00Z', month, '2026-09-30T12:00:00.000Z'],
    ['2026-12-31T12:00:00Z', month, '2027-01-31T12:00:00.000Z'],
    ['2028-02-29T12:00:00Z', year, '2029-02-28T12:00:00.000Z'],
    ['2027-02-28T12:00:00Z', year, '2028-02-28T12:00:00.000Z'],
  ])('ends on its last day: %s by %o is %s', (from, extension, to) => {
    process.env['TZ'] = 'UTC';
    expect(later(from, extension)).toBe(to);
  });
});

describe('an extension over a change of clocks', () => {
  it.each([
    ['Europe/Oslo', '2026-03-28T11:00:00Z', days, '2026-04-04T10:00:00.000Z'],
    ['Europe/Oslo', '2026-10-20T10:00:00Z', days, '2026-10-27T11:00:00.000Z'],
    ['America/New_York', '2026-03-01T17:00:00Z', month, '2026-04-01T16:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04-01T01:00:00Z', days, '2026-04-08T01:30:00.000Z'],
    ['Asia/Kolkata', '2026-03-28T11:00:00Z', days, '2026-04-04T11:00:00.000Z'],
  ])('keeps the time of day in %s from %s', (zone, from, extension, to) => {
    process.env['TZ'] = zone;
    expect(later(from, extension)).toBe(to);
  });

  it('takes the last day of the month in the time zone', () => {
    process.env['TZ'] = 'Pacific/Auckland';
    // 31 January in Auckland, 30 January in UTC.
    expect(later('2026-01-30T20:00:00Z', month)).toBe('2026-02-27T20:00:00.000Z');
  });
});

test('an extension always makes the expiry later, and a month never reaches past the next', () => {
  const zone = fc.constantFrom('UTC', 'Europe/Oslo', 'America/St_Johns', 'Pacific/Apia', 'Asia/Tehran');
  const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(zone, instant, instant, fc.constantFrom(...extensions), (zone, from, now, extension) => {
      process.env['TZ'] = zone;
      const start = new Date(Math.max(from.getTime(), now.getTime()));
      const end = extend(from.getTime(), extension, now.getTime());
      expect(end.getTime()).toBeGreaterThan(start.getTime());
      if ('days' in extension.by) return;
      const months = (date: Date) => date.getFullYear() * 12 + date.getMonth();
      expect(months(end) - months(start)).toBe('years' in extension.by ? 12 : extension.by.months);
    }),
    { seed: 20_260_604, numRuns: 2000 },
  );
});
