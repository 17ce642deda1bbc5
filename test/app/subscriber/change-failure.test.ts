import { describe, expect, it, test } from 'vitest';
import { describeFailure } from '../../../src/app/subscriber/change-failure.tsx';
import { ApiError, type ApiErrorCode } from '../../../src/contract/http/client.ts';
import { problemAnswer } from '../../../src/contract/http/answer.ts';
import { Problem } from '../../../src/contract/http/problem.ts';

const said = (code: ApiErrorCode, status?: number) =>
  describeFailure(
    new ApiError(
      code,
      'The sentence of the BFF.',
      status ? { response: new Response(null, { status }) } : {},
    ),
    'it was deleted',
    'Check the list',
  );

describe('the description of a change that may have been done', () => {
  test.each([
    ['unreachable', undefined],
    ['unreadable', 200],
    ['internal-error', 500],
    ['other', 500],
  ] as const)('the outcome is unknown: %s', (code, status) => {
    expect(said(code, status)).toBe(
      'We don’t know whether it was deleted. Check the list before you try again.',
    );
  });
});

test('a change after someone else’s change is described as not done', () => {
  expect(said('changed-meanwhile', 412)).toMatch(/^Nothing was done: someone changed this subscriber/);
});

test.each([
  // With these the BFF knows that nothing was done.
  ['bad-upstream', 502],
  ['upstream-timeout', 504],
  ['not-allowed', 403],
  ['no-such-subscriber', 404],
  ['invalid-input', 422],
  ['other', 400],
] as const)('a refusal is described by its own sentence: %s', (code, status) => {
  expect(said(code, status)).toBe('The sentence of the BFF.');
});

test('a change whose outcome the BFF cannot find out is described as unknown, with time to wait', () => {
  expect(said('outcome-unknown', 503)).toBe(
    'We don’t know whether it was deleted. Wait half a minute. Check the list before you try again.',
  );
});

test.each([
  [false, 'Kari changed this'],
  [true, 'Kari (single sign-on) changed this'],
])(
  'a conflict names the person who changed the subscriber, with the time (by single sign-on: %s)',
  (singleSignOn, beginning) => {
    const changedBy = { name: 'Kari', singleSignOn, at: '2026-06-01T12:00:00.000Z' };
    const problem = problemAnswer(
      new Problem('changed-meanwhile', 'Sentence.', { obstacles: { changedBy } }),
      'id',
    ).value;
    const error = new ApiError('changed-meanwhile', 'Sentence.', { problem });
    expect(describeFailure(error, 'it was deleted', 'Check the list')).toBe(
      `Nothing was done: ${beginning} subscriber after you opened it (14:00). Check the list before you try again.`,
    );
  },
);

test('an error in the page itself is described without its raw message', () => {
  expect(describeFailure(new TypeError('x is undefined'), 'it was deleted', 'Check the list')).toBe(
    'Something went wrong on this page. Reload it and try again.',
  );
});

describe('an undo that is refused because of later changes', () => {
  const at = '2026-06-01T12:00:00.000Z';
  const kari = { name: 'Kari', singleSignOn: false };
  const sally = { name: 'Sally', singleSignOn: false };
  const byKari = { by: kari, at };
  const say = (...conflicts: { field: string; by: typeof kari | null; at: string | null }[]) => {
    const problem = problemAnswer(
      new Problem('changed-since', 'Sentence.', { obstacles: { conflicts } }),
      'id',
    ).value;
    const error = new ApiError('changed-since', 'Sentence.', { problem });
    return describeFailure(error, 'this was undone', 'Check the subscriber', sally);
  };

  it('names who changed which fields, and says what to undo first', () => {
    expect(say({ field: 'expiresAt', ...byKari }, { field: 'note', ...byKari })).toBe(
      'Nothing was undone: Kari changed Expires, Note later (14:00). Undo that first.',
    );
  });

  it('says "you" of the user’s own change', () => {
    expect(say({ field: 'note', by: sally, at }, { field: 'email', ...byKari })).toBe(
      'Nothing was undone: you changed Note later (14:00); Kari changed Email later (14:00). Undo those first.',
    );
  });

  it('does not say "you" of a single sign-on account with the user’s name', () => {
    expect(say({ field: 'note', by: { ...sally, singleSignOn: true }, at })).toMatch(
      /^Nothing was undone: Sally \(single sign-on\) changed Note later/,
    );
  });

  it('offers editing instead where a change is not in the activity', () => {
    expect(say({ field: 'note', by: null, at: null })).toBe(
      'Nothing was undone: someone changed Note later. Edit the subscriber instead.',
    );
  });
});
