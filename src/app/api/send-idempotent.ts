import { changeHeaders, writeReason } from '../../contract/http/change-headers.ts';
import { ApiError } from '../../contract/http/client.ts';
import type { Unconfirmed } from '../components/notice.tsx';
import type { UnfinishedWork } from './api.ts';
import { RefusedAfterLostAnswer } from './action-errors.ts';

interface IdempotentRequest<Result> {
  /** The operation and its input. The same again gets the same key. */
  what: unknown;
  /** True if the BFF would refuse it the second time, because it names the version that it changes. */
  guarded: boolean;
  /** The user's reason, for the journal. */
  reason?: string | undefined;
  send: (headers: Readonly<Record<string, string>>) => Promise<Result>;
  /** Called while it is unknown whether the change was done, and with null as soon as that is known. */
  onUnconfirmed: (unconfirmed: Unconfirmed | null) => void;
}

/**
 * Makes a change once. If its answer is lost, it is sent again with the same key: then the BFF repeats the answer, not
 * the change.
 */
export async function sendIdempotent<Result>(
  { changeKeys, retries }: UnfinishedWork,
  { what, guarded, reason, send, onUnconfirmed }: IdempotentRequest<Result>,
): Promise<Result> {
  const name = JSON.stringify(what);
  const key = changeKeys.get(name) ?? crypto.randomUUID();
  changeKeys.set(name, key);
  const given = reason?.trim();
  const headers = { [changeHeaders.key]: key, ...(given && { [changeHeaders.reason]: writeReason(given) }) };
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await send(headers);
      changeKeys.delete(name);
      onUnconfirmed(null);
      return result;
    } catch (error) {
      const goesOn = isLost(error, tries) && (await pause(retries, tries, onUnconfirmed));
      if (goesOn) continue;
      if (isFinal(error, guarded)) changeKeys.delete(name);
      onUnconfirmed(null);
      if (tries > 1 && error instanceof ApiError && aboutTheSender.has(error.status))
        throw new RefusedAfterLostAnswer(error);
      throw error;
    }
  }
}

/** True if another request can bring the outcome. */
function isLost(error: unknown, tries: number): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code, status } = error;
  if (code === 'unreachable' || (code === 'other' && status >= 500)) return true;
  // The change that is in progress is this one, whose answer was lost.
  return tries > 1 && (code === 'change-under-way' || code === 'busy');
}

/** Statuses that refuse the user, not the change. */
const aboutTheSender = new Set([401, 403, 421, 429]);

/** True if the change itself is refused. Otherwise it may be sent again with its key. */
function isFinal(error: unknown, guarded: boolean): boolean {
  if (!(error instanceof ApiError) || aboutTheSender.has(error.status)) return false;
  // The BFF will never know. A repeat with a new key is safe only if it names the version.
  if (error.code === 'outcome-unknown') return guarded;
  return error.status >= 400 && error.status < 500 && error.code !== 'change-under-way';
}

/** Before each further request, in ms: short at first, longer later. */
const pauses = [1_000, 2_000, 4_000, 8_000] as const;
const longestPause = 15_000;

/** Waits until the pause is over, the connection is back or the user asks. @returns whether to continue */
async function pause(
  retries: UnfinishedWork['retries'],
  tries: number,
  onUnconfirmed: IdempotentRequest<unknown>['onUnconfirmed'],
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const askNow = () => resolve(true);
  const timer = setTimeout(askNow, pauses[tries - 1] ?? longestPause);
  window.addEventListener('online', askNow);
  retries.add(resolve);
  onUnconfirmed({ asking: false, askNow });
  const goesOn = await promise;
  clearTimeout(timer);
  window.removeEventListener('online', askNow);
  retries.delete(resolve);
  if (goesOn) onUnconfirmed({ asking: true, askNow });
  return goesOn;
}
