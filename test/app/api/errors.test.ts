import { describe, expect, it, test } from 'vitest';
import { describeFailure } from '../../../src/app/api/action-errors.ts';
import { describeError } from '../../../src/app/api/errors.ts';
import { describeUndoConflict } from '../../../src/app/subscriber/undo.tsx';
import { ApiError, type ApiErrorCode } from '../../../src/contract/http/client.ts';
import { problemAnswer } from '../../../src/contract/http/answer.ts';
import { Problem } from '../../../src/contract/http/problem.ts';

const deleting = { done: 'it was deleted', check: 'Check the list' };
const unknown = 'We don’t know whether it was deleted. Check the list before you try again.';
const own = 'The sentence of the BFF.';

test.each<[ApiErrorCode, number, string]>([
  ['unreachable', 0, unknown],
  ['unreadable', 200, unknown],
  ['internal-error', 500, unknown],
  ['other', 500, unknown],
  ['outcome-unknown', 503, unknown.replace('. Check', '. Wait half a minute. Check')],
  // With these the BFF knows that nothing was done.
  ['bad-upstream', 502, own],
  ['upstream-timeout', 504, own],
  ['not-allowed', 403, own],
  ['no-such-subscriber', 404, own],
  ['invalid-input', 422, own],
  ['other', 400, own],
])('the failure %s (%i) of an action says what is known of it', (code, status, sentence) => {
  const from = status === 0 ? {} : { response: new Response(null, { status }) };
  expect(describeFailure(new ApiError(code, own, from), deleting)).toBe(sentence);
});

test.each<[ApiErrorCode, number, string]>([
  ['unreachable', 0, 'Subscriber Desk doesn’t answer. Check your connection.'],
  ['busy', 503, 'Subscriber Desk is busy.'],
  ['upstream-timeout', 504, 'The subscriber service doesn’t answer.'],
  ['upstream-unreachable', 503, 'The subscriber service doesn’t answer.'],
  ['bad-upstream', 502, 'The subscriber service isn’t working properly.'],
  ['internal-error', 500, 'Subscriber Desk isn’t working properly.'],
  ['not-allowed', 403, own],
])('the failure %s (%i) of a read says who fails, or why it is refused', (code, status, sentence) => {
  const from = status === 0 ? {} : { response: new Response(null, { status }) };
  expect(describeError(new ApiError(code, own, from), 'read')).toBe(sentence);
});

test('a change after somebody else’s, of whom nothing is known, is described as not done', () => {
  const error = new ApiError('changed-meanwhile', own, { response: new Response(null, { status: 412 }) });
  expect(describeFailure(error, deleting)).toMatch(/^It wasn’t deleted: someone changed this subscriber/);
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
    expect(describeFailure(error, deleting)).toBe(
      `It wasn’t deleted: ${beginning} subscriber after you opened it (14:00). Check the list before you try again.`,
    );
  },
);

test('an error in the page itself is described without its raw message', () => {
  expect(describeFailure(new TypeError('x is undefined'), deleting)).toBe(
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
    return describeUndoConflict(error, sally);
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
