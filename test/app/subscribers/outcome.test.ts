// @vitest-environment node
import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../src/app/subscribers/outcome.ts';
import { ApiError, type ApiErrorCode } from '../../../src/contract/client.ts';

const told = (code: ApiErrorCode, status?: number) =>
  outcomeOf(
    new ApiError(
      code,
      'The sentence of the desk.',
      status ? { response: new Response(null, { status }) } : {},
    ),
    'it was deleted',
    'Close this and look',
  );

describe('where a change may have been done, that is what is said:', () => {
  test.each([
    ['unreachable', undefined],
    ['unreadable', 200],
    ['bad-upstream', 502],
    ['upstream-timeout', 504],
    ['internal-error', 500],
    ['other', 500],
  ] as const)('%s', (code, status) => {
    expect(told(code, status)).toBe(
      'No answer came back that says whether it was deleted. Close this and look before you try again.',
    );
  });
});

test('where somebody else was first, it is said that nothing was done', () => {
  expect(told('changed-meanwhile', 412)).toMatch(/^Somebody changed this subscriber .* Nothing was done\./);
});

test.each([
  ['not-allowed', 403],
  ['no-such-subscriber', 404],
  ['invalid-input', 422],
  ['other', 400],
] as const)('a plain refusal is told in its own words: %s', (code, status) => {
  expect(told(code, status)).toBe('The sentence of the desk.');
});

test('a fault of the page itself is not passed off as the service’s, nor shown raw', () => {
  expect(outcomeOf(new TypeError('x is undefined'), 'it was deleted', 'Look')).toBe(
    'Something in this page went wrong. Reload it and try again.',
  );
});
