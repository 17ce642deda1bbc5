import { changeHeaders, writeReason } from '../../contract/http/change-headers.ts';
import { ApiError } from '../../contract/http/client.ts';
import { onLeaving } from './session-events.ts';

/** The keys of what is not finished yet, by what it is: whoever wants the same again wants it once. */
const unfinished = new Map<string, string>();

/** Those who wait before they ask again; `false` gives up. */
const waiting = new Set<(goOn: boolean) => void>();

/** Errors that came after an answer was lost, and say nothing about whether the change was done. */
const afterLostAnswer = new WeakSet<Error>();

/** An answer was lost, so nobody knows yet whether a change was done; the desk is asked until it says. */
export interface UnconfirmedChange {
  /** It is being asked at this moment. */
  asking: boolean;
  /** Asks without waiting any longer. */
  askNow: () => void;
}

interface Intent<Result> {
  /** The operation and its input: the same again is the same intent. */
  what: unknown;
  /** Sent twice by mistake, it would be refused the second time, as it is bound to what was there before. */
  guarded: boolean;
  /** Why it is done, for the journal. */
  reason?: string | undefined;
  send: (headers: Readonly<Record<string, string>>) => Promise<Result>;
  /** Called while nobody knows whether the change was done, and with null as soon as that is known. */
  onUnconfirmed: (unconfirmed: UnconfirmedChange | null) => void;
}

/**
 * Has something done once. Where an answer is lost, the same key goes again once the connection is back, which brings
 * the true outcome and does nothing twice.
 */
export async function carryIntent<Result>(intent: Intent<Result>): Promise<Result> {
  const { what, guarded, reason, send, onUnconfirmed } = intent;
  const name = JSON.stringify(what);
  const key = unfinished.get(name) ?? crypto.randomUUID();
  unfinished.set(name, key);
  const why = reason?.trim();
  const headers = { [changeHeaders.key]: key, ...(why && { [changeHeaders.reason]: writeReason(why) }) };
  for (let tries = 1; ; tries += 1) {
    try {
      const result = await send(headers);
      unfinished.delete(name);
      onUnconfirmed(null);
      return result;
    } catch (error) {
      const goesOn = isLost(error, tries) && (await pause(tries, onUnconfirmed));
      if (goesOn) continue;
      if (isFinal(error, guarded)) unfinished.delete(name);
      if (tries > 1 && error instanceof ApiError && aboutTheSender.has(error.status))
        afterLostAnswer.add(error);
      onUnconfirmed(null);
      throw error;
    }
  }
}

// Nothing is asked in the name of somebody who is not there. Whoever wants the same after signing in again still wants
// it once; after signing out nothing of one person's work is left for the next one.
onLeaving((why) => {
  for (const end of waiting) end(false);
  if (why === 'signed-out') unfinished.clear();
});

/** Whether after this error nobody knows if the change was done. */
export function isUncertain(error: Error): boolean {
  if (afterLostAnswer.has(error)) return true;
  if (!(error instanceof ApiError)) return false;
  const { code, status } = error;
  return (
    ['unreachable', 'unreadable', 'internal-error', 'outcome-unknown'].includes(code) ||
    // Not the desk's own: something between it and the page gave up waiting.
    (code === 'other' && status >= 500)
  );
}

/** Whether asking again by itself can bring the outcome. */
function isLost(error: unknown, tries: number): boolean {
  if (!(error instanceof ApiError)) return false;
  const { code, status } = error;
  if (code === 'unreachable' || (code === 'other' && status >= 500)) return true;
  // By then it is the own change, whose answer was lost.
  return tries > 1 && (code === 'change-under-way' || code === 'busy');
}

/** What is said of the sender, not of the change. */
const aboutTheSender = new Set([401, 403, 421, 429]);

/** A refusal of the change itself; what did not get that far may go again with its key. */
function isFinal(error: unknown, guarded: boolean): boolean {
  if (!(error instanceof ApiError) || aboutTheSender.has(error.status)) return false;
  // The desk will never know. Who looked and wants it all the same has to be let.
  if (error.code === 'outcome-unknown') return guarded;
  return error.status >= 400 && error.status < 500 && error.code !== 'change-under-way';
}

/** In ms: soon at first, and not too often later. */
const pauses = [1_000, 2_000, 4_000, 8_000] as const;
const longestPause = 15_000;

/** Waits for time to pass, for the connection or for the person; answers whether to go on. */
async function pause(tries: number, onUnconfirmed: Intent<unknown>['onUnconfirmed']): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const askNow = () => resolve(true);
  const timer = setTimeout(askNow, pauses[tries - 1] ?? longestPause);
  window.addEventListener('online', askNow);
  waiting.add(resolve);
  onUnconfirmed({ asking: false, askNow });
  const goesOn = await promise;
  clearTimeout(timer);
  window.removeEventListener('online', askNow);
  waiting.delete(resolve);
  if (goesOn) onUnconfirmed({ asking: true, askNow });
  return goesOn;
}
