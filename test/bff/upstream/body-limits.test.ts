import { describe, expect, it } from 'vitest';
import { isExcessive, longestList } from '../../../src/bff/upstream/body-limits.ts';
import { pageSizes } from '../../../src/contract/service/list-rules.ts';
import { limits } from '../../../src/contract/service/limits.ts';
import { subscriber } from '../../support/bff/canned.ts';

const isRefused = (body: unknown) =>
  isExcessive(new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)));
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const long = 'x'.repeat(70_000);

describe('a body that is counted before it is parsed', () => {
  it('passes if it is the largest page, with every list as long as the contract lets it be', () => {
    const whole = {
      ...subscriber,
      note: 'A "quoted" \\ note, with [brackets] and {braces}.',
      bundles: times(limits.bundles, Number),
      ipAddresses: times(limits.ipAddresses, (index) => `2001:db8::${index}`),
      userAgents: times(limits.userAgents, (index) => `Agent, "${index}"`),
      countries: times(limits.countries, () => 'NO'),
    };
    expect(isRefused({ items: times(pageSizes.most, () => whole), page: 1 })).toBe(false);
  });

  it.each([
    ['commas and brackets within a text', { note: ',[{'.repeat(500_000) }],
    ['quotes and backslashes within a text', { note: '\\"[,'.repeat(100_000) }],
    ['a list of the most bundles', times(longestList, (number) => ({ number, name: `Bundle ${number}` }))],
    ['what is no JSON', `]]}}${long}`],
    ['a text without an end', `["${'\\'.repeat(70_001)}`],
    ['many levels in a few bytes', `${'['.repeat(1000)}${']'.repeat(1000)}`],
  ])('passes with %s', (_, body) => {
    expect(isRefused(body)).toBe(false);
  });

  it.each([
    ['too many fields', Object.fromEntries(times(9000, (index) => [`key-${index}`, index]))],
    ['too long a list', times(longestList + 2, () => long.slice(0, 20))],
    ['too many lists', times(200, () => times(1000, () => 1))],
    ['too many lists of nothing', times(4000, () => times(40, () => ({})))],
    ['too many levels', `${'['.repeat(21)}"${long}"${']'.repeat(21)}`],
    ['too many levels of objects', `${'{"a":'.repeat(21)}"${long}"${'}'.repeat(21)}`],
    [
      'a long list behind a text that ends with a backslash',
      ['\\', times(longestList + 2, () => '12345678901234567890')],
    ],
  ])('is refused with %s', (_, body) => {
    expect(isRefused(body)).toBe(true);
  });
});
