import { describe, expect, it, test, vi } from 'vitest';
import { dayOf, localTime, relativeTime } from '../../../src/app/components/format.ts';
import { exactTime, utcOf } from '../../../src/app/components/exact-time.tsx';

/** These tests run in Oslo, in English: two hours before UTC in summer. */
const now = Date.parse('2026-06-01T14:00:00+02:00');
const relativeTo = (at: string) => relativeTime(Date.parse(at), now);

describe('a relative time', () => {
  it.each([
    ['2026-06-01T14:00:00+02:00', 'now'],
    ['2026-06-01T14:00:59+02:00', 'in 59 seconds'],
    ['2026-06-01T13:58:30+02:00', '1 minute ago'],
    ['2026-06-01T16:59:00+02:00', 'in 2 hours'],
    ['2026-06-02T13:00:00+02:00', 'in 23 hours'],
    ['2026-06-08T14:00:00+02:00', 'in 7 days'],
    ['2026-05-02T14:00:00+02:00', '4 weeks ago'],
    ['2026-09-01T14:00:00+02:00', 'in 3 months'],
    ['2027-05-15T14:00:00+02:00', 'in 11 months'],
    ['2029-06-02T14:00:00+02:00', 'in 3 years'],
  ])('has the words for %s: "%s"', (at, text) => {
    expect(relativeTo(at)).toBe(text);
  });

  it.each([
    ['2026-06-02T14:00:00+02:00', 'tomorrow'],
    ['2026-06-02T23:59:00+02:00', 'tomorrow'],
    ['2026-06-03T00:00:00+02:00', 'in 2 days'],
    ['2026-05-31T13:59:00+02:00', 'yesterday'],
    ['2026-05-31T00:00:00+02:00', 'yesterday'],
    ['2026-05-30T23:59:00+02:00', '2 days ago'],
  ])('counts days by the calendar: %s is "%s"', (at, text) => {
    expect(relativeTo(at)).toBe(text);
  });

  it('counts a day of 23 hours as one day', () => {
    const noon = Date.parse('2026-03-28T12:00:00+01:00');
    expect(relativeTime(Date.parse('2026-03-31T12:00:00+02:00'), noon)).toBe('in 3 days');
  });

  it.each([
    ['2027-06-01T14:00:00+02:00', 'in 1 year'],
    ['2028-05-01T14:00:00+02:00', 'in 1 year'],
    ['2024-07-01T14:00:00+02:00', '1 year ago'],
  ])('counts years in figures, because "next year" would be wrong: %s is "%s"', (at, text) => {
    expect(relativeTo(at)).toBe(text);
  });
});

test('a time that cannot be read is shown as unknown', () => {
  const at = Date.parse('soon');
  expect([relativeTime(at, now), localTime(at), dayOf(at)]).toEqual(Array(3).fill('unknown'));
});

describe('an exact time', () => {
  it('is in the browser’s zone', () => {
    const at = Date.parse('2026-11-12T14:00:00Z');
    expect(localTime(at)).toBe('12 Nov 2026, 15:00');
    expect(dayOf(at)).toBe('12 Nov 2026');
    expect(utcOf(at)).toBe('14:00 UTC');
  });

  it('leaves out UTC where it is the local time, or where there is no time', () => {
    expect(exactTime(Number.NaN)).toBe('unknown');
    vi.stubEnv('TZ', 'UTC');
    expect(utcOf(now)).toBeNull();
  });

  it('has the day in UTC if that is another one', () => {
    const at = Date.parse('2026-06-01T00:30:00+02:00');
    expect(dayOf(at)).toBe('1 Jun 2026');
    expect(utcOf(at)).toBe('31 May 2026, 22:30 UTC');
  });
});
