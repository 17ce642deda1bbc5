import { expect, test } from 'vitest';
import { localeFor } from '../../../src/app/components/locale.ts';

const at = Date.parse('2026-11-12T14:00:00Z');
/** A browser writes a narrow or hard space where people read a space. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

test.each([
  ['en-US', 'Nov 12, 2026, 3:00 PM', '1,234,567'],
  ['en-GB', '12 Nov 2026, 15:00', '1,234,567'],
  ['nb-NO', '12 Nov 2026, 15:00', '1 234 567'],
  ['nb', '12 Nov 2026, 15:00', '1 234 567'],
  ['de-DE', '12 Nov 2026, 15:00', '1.234.567'],
  ['ja-JP', 'Nov 12, 2026, 15:00', '1,234,567'],
  ['fr-CA', 'Nov 12, 2026, 15:00', '1,234,567'],
  // These regions have no English of their own. Digits are those of English all the same.
  ['ar-EG', '12 Nov 2026, 3:00 pm', '1,234,567'],
  ['fa-IR-u-nu-arab', '12 Nov 2026, 15:00', '1,234,567'],
  ['zh-CN', '12 Nov 2026, 15:00', '1,234,567'],
])('a browser in %s shows times in English, in that region’s order: %s', (browser, time, number) => {
  const locale = localeFor('en', browser);
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  expect(plain(format.format(at))).toBe(time);
  expect(plain(new Intl.NumberFormat(locale).format(1_234_567))).toBe(number);
  expect(new Intl.RelativeTimeFormat(locale).format(-6, 'hour')).toBe('6 hours ago');
  expect(new Intl.DisplayNames(locale, { type: 'region' }).of('NO')).toBe('Norway');
});

test('a page in another language is in that language as a whole', () => {
  const hours = (browser: string) => new Intl.RelativeTimeFormat(localeFor('nb', browser)).format(-6, 'hour');
  expect([hours('en-US'), hours('nb-NO')]).toEqual(['for 6 timer siden', 'for 6 timer siden']);
});

test.each(['en-US@posix', '', 'C'])('a browser whose language is “%s” still shows a page', (browser) => {
  expect(new Intl.RelativeTimeFormat(localeFor('en', browser)).format(-1, 'day')).toBe('1 day ago');
});
