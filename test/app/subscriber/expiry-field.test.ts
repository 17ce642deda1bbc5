import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { fromLocalInput, toLocalInput } from '../../../src/app/subscriber/expiry-field.tsx';

const home = process.env['TZ'];
afterEach(() => void (process.env['TZ'] = home));

test('an instant is shown and read in the browser’s time zone', () => {
  expect(toLocalInput('2026-12-31T22:00:00.000Z')).toBe('2026-12-31T23:00');
  expect(fromLocalInput('2026-06-30T00:00')).toBe('2026-06-29T22:00:00.000Z');
});

test.each(['', 'soon', '2026-13-01T00:00', '2026-02-28T25:00'])('the text "%s" is not a time', (text) => {
  expect(fromLocalInput(text)).toBe('');
  expect(toLocalInput(text)).toBe('');
});

test('a time that is shown and not changed stays the same, in every time zone and over every change of clocks', () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Oslo',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
  );
  const minute = fc.integer({ min: 0, max: Date.parse('9999-01-01T00:00Z') / 60_000 });
  fc.assert(
    fc.property(zone, minute, (zone, minute) => {
      process.env['TZ'] = zone;
      const shown = toLocalInput(new Date(minute * 60_000).toISOString());
      const read = fromLocalInput(shown);
      expect(toLocalInput(read)).toBe(shown);
      // When the clocks go back, an hour happens twice: one text for two instants. All others come back exactly.
      expect([0, 30, 60]).toContain(Math.abs(Date.parse(read) / 60_000 - minute));
    }),
    { seed: 20_260_605, numRuns: 2000 },
  );
});
