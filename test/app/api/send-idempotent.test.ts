import { describe, expect, it, test } from 'vitest';
import { createUnfinishedWork, discardWork } from '../../../src/app/api/api.ts';
import { isUncertain } from '../../../src/app/api/action-errors.ts';
import { sendIdempotent } from '../../../src/app/api/actions.ts';
import { ApiError, type ApiErrorCode } from '../../../src/contract/http/client.ts';

const failing = (code: ApiErrorCode, status: number) =>
  new ApiError(code, 'Sentence.', status === 0 ? {} : { response: new Response(null, { status }) });
const lost = failing('unreachable', 0);

/** A change that may be sent several times, answered in turn by `answers`; an error is thrown. */
function wanting(what: string, guarded: boolean, ...answers: (Error | string)[]) {
  const keys: (string | undefined)[] = [];
  const work = createUnfinishedWork();
  const want = () =>
    sendIdempotent(work, {
      what,
      guarded,
      send: async (headers) => {
        keys.push(headers['Idempotency-Key']);
        const answer = answers.shift();
        if (answer instanceof Error) throw answer;
        return answer;
      },
      onUnconfirmed: (unconfirmed) => {
        if (unconfirmed?.asking === false) queueMicrotask(unconfirmed.askNow);
      },
    });
  return { want, keys };
}

describe('the idempotency key of a change', () => {
  test.each<[string, ApiErrorCode, number, boolean, boolean]>([
    ['is new after a refusal of the change', 'invalid-input', 422, true, false],
    ['stays after a failure that changed nothing', 'upstream-unreachable', 503, true, true],
    ['stays after a conflict with another change in progress', 'change-under-way', 409, true, true],
    ['stays after the session has ended', 'not-signed-in', 401, true, true],
    [
      'is new after an unknown outcome of a change that names its version',
      'outcome-unknown',
      503,
      true,
      false,
    ],
    ['stays after an unknown outcome of a change without a version', 'outcome-unknown', 503, false, true],
  ])('%s', async (name, code, status, guarded, stays) => {
    const { want, keys } = wanting(name, guarded, failing(code, status), 'done');
    await expect(want()).rejects.toThrow('Sentence.');
    await want();
    expect(keys[0] === keys[1]).toBe(stays);
  });

  it('is new for another input, and for the same input after it was done', async () => {
    const work = createUnfinishedWork();
    const keys: (string | undefined)[] = [];
    for (const what of ['b', 'b', 'c'])
      await sendIdempotent(work, {
        what,
        guarded: true,
        send: async (headers) => void keys.push(headers['Idempotency-Key']),
        onUnconfirmed: () => undefined,
      });
    expect(new Set(keys).size).toBe(3);
  });
});

test('a change that is in progress after a lost answer is waited for, because it is the same one', async () => {
  const { want, keys } = wanting('d', true, lost, failing('change-under-way', 409), 'done');
  expect(await want()).toBe('done');
  expect(new Set(keys).size).toBe(1);
});

test('a change with a lost answer stays unknown when the session ends', async () => {
  const refusal = failing('not-signed-in', 401);
  expect(isUncertain(refusal)).toBe(false);
  const { want } = wanting('e', true, lost, refusal);
  const error = await want().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'not-signed-in', status: 401, message: 'Sentence.' });
  expect(isUncertain(Object(error) as Error)).toBe(true);
});

test('a change whose answer was lost is not sent again after the user has signed out', async () => {
  const work = createUnfinishedWork();
  const keys: unknown[] = [];
  const requested = sendIdempotent(work, {
    what: 'f',
    guarded: true,
    send: (headers) => {
      keys.push(headers);
      return Promise.reject(lost);
    },
    onUnconfirmed: (unconfirmed) => {
      if (unconfirmed) discardWork(work);
    },
  });
  await expect(requested).rejects.toBe(lost);
  window.dispatchEvent(new Event('online'));
  expect(keys).toHaveLength(1);
});
