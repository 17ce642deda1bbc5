import { afterEach, expect, test } from 'vitest';
import { isExpired } from '../../../src/app/subscriber/expiry.ts';
import { extend, extensions } from '../../../src/app/subscriber/extensions.ts';

const home = process.env['TZ'];
afterEach(() => void (process.env['TZ'] = home));

test.each([
  ['2026-06-01T12:00:00.000Z', true],
  ['2026-06-01T11:59:59.999Z', true],
  ['2026-06-01T12:00:00.001Z', false],
])('a subscriber with the expiry %s is expired at noon: %s', (expiresAt, expired) => {
  expect(isExpired(expiresAt, Date.parse('2026-06-01T12:00:00Z'))).toBe(expired);
});

test('an extension is by the calendar of the browser', () => {
  process.env['TZ'] = 'Pacific/Auckland';
  const [now, from] = [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-01-30T20:00:00Z')];
  // 31 January in Auckland, 30 January in UTC.
  expect(extend(from, extensions[1], now).toISOString()).toBe('2026-02-27T20:00:00.000Z');
});
