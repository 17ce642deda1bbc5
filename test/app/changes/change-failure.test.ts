import { describe, expect, test } from 'vitest';
import { describeFailure } from '../../../src/app/changes/change-failure.tsx';
import { ApiError, type ApiErrorCode } from '../../../src/contract/http/client.ts';
import { makeProblem } from '../../../src/contract/http/problem-answer.ts';

const said = (code: ApiErrorCode, status?: number) =>
  describeFailure(
    new ApiError(
      code,
      'The sentence of the BFF.',
      status ? { response: new Response(null, { status }) } : {},
    ),
    'it was deleted',
    'Close this and look',
  );

describe('a change that may have been done is described as such', () => {
  test.each([
    ['unreachable', undefined],
    ['unreadable', 200],
    ['internal-error', 500],
    ['other', 500],
  ] as const)('%s', (code, status) => {
    expect(said(code, status)).toBe(
      'No answer came back that says whether it was deleted. Close this and look before you try again.',
    );
  });
});

test('a change that came after somebody else’s is described as not done', () => {
  expect(said('changed-meanwhile', 412)).toMatch(/^Somebody changed this subscriber .* Nothing was done\./);
});

test.each([
  // The BFF says of these that nothing was done.
  ['bad-upstream', 502],
  ['upstream-timeout', 504],
  ['not-allowed', 403],
  ['no-such-subscriber', 404],
  ['invalid-input', 422],
  ['other', 400],
] as const)('a refusal is described by its own sentence: %s', (code, status) => {
  expect(said(code, status)).toBe('The sentence of the BFF.');
});

test('a change whose outcome the BFF cannot find out is described as such', () => {
  expect(said('outcome-unknown', 504)).toBe(
    'The service did not say whether it was deleted, and the desk could not find out. Wait half a minute. Close this and look before you try again.',
  );
});

test.each([
  [false, /^Kari \(on 1 Jun 2026, 14:00\) changed this/],
  [true, /^Kari \(single sign-on\) \(on 1 Jun 2026, 14:00\) changed this/],
])(
  'the person who changed the subscriber before is named, with the time (by single sign-on: %s)',
  (singleSignOn, beginning) => {
    const changedBy = { name: 'Kari', singleSignOn, at: '2026-06-01T12:00:00.000Z' };
    const problem = makeProblem('changed-meanwhile', 'Sentence.', 'id', undefined, { changedBy });
    const error = new ApiError('changed-meanwhile', 'Sentence.', { problem });
    expect(describeFailure(error, 'it was deleted', 'Look')).toMatch(beginning);
  },
);

test('a fault of the page itself is described as such, without its raw message', () => {
  expect(describeFailure(new TypeError('x is undefined'), 'it was deleted', 'Look')).toBe(
    'Something went wrong on this page. Reload it and try again.',
  );
});
