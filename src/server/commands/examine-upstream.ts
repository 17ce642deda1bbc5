import * as z from 'zod/mini';
import type { BffDeps } from '../../bff/bff.ts';
import { toBrowserResponse } from '../../bff/upstream/answer.ts';
import type { Log } from '../../contract/http/log.ts';
import type { Caller } from '../../bff/upstream/call.ts';
import { createCaller } from '../../bff/upstream/caller.ts';
import type { UpstreamExchange } from '../../bff/upstream/exchange.ts';
import type { Endpoint, OutputOf } from '../../contract/http/endpoint.ts';
import { staffApi } from '../../contract/bff/staff-api.ts';
import { fieldErrors, Refusal } from '../../contract/http/refusal.ts';
import { readsToTry, type Ask, type Attempt } from './reads-to-try.ts';
import { reasonFor, type Exchange } from './upstream-reason.ts';

export interface Examined extends Pick<BffDeps, 'upstream' | 'clock' | 'random'> {
  say: (sentence: string) => void;
}

/**
 * Tries what the desk needs of a service: tokens, then every read. It says in sentences what works and what does
 * not, without a secret, a name or a token in them, and sends no write.
 *
 * @returns whether everything works
 */
export async function examineUpstream({ upstream, clock, random, say }: Examined): Promise<boolean> {
  const latest: Exchange = {};
  const log: Log = (_, __, facts) => {
    if (typeof facts?.['reason'] === 'string') latest.reason = facts['reason'];
  };
  const watched: UpstreamExchange = async (request) => {
    const answer = await upstream.exchange(request);
    Object.assign(latest, { status: answer.status, forToken: !('Authorization' in request.headers) });
    return answer;
  };
  const caller = createCaller({ upstream: { ...upstream, exchange: watched }, clock, random, log });
  const ask = createAsk(caller);

  let well = true;
  const attempt: Attempt = async (what, work) => {
    Object.assign(latest, { status: undefined, reason: undefined });
    try {
      await work();
      say(`Works: ${what}.`);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      well = false;
      say(`Does not work: ${what}. ${reasonFor(error, latest)}`);
      return false;
    }
  };

  if (!(await attempt('a token for reading', () => caller.checkToken()))) {
    say('Without a token nothing else can be tried.');
    return false;
  }
  await attempt('a token for reading and changing', () => ask('listStatuses', {}, 'support'));
  await readsToTry(ask, attempt, upstream.extensions);
  return well;
}

/** Each read is carried and parsed as the desk and the dashboard would. */
function createAsk(caller: Caller): Ask {
  return async (operation, input, role = 'viewer') => {
    const row: Endpoint = staffApi[operation];
    const answer = await caller.call(operation, input, { role, requestId: 'check-upstream', ifMatch: null });
    // The words for staff are none for an operator.
    if (answer.status === 422) throw new Refusal('invalid-input', 'It answered 422.');
    const carried = toBrowserResponse(row, answer, { maskTokens: false });
    // What is no JSON after all fits no contract either.
    const read = z.safeParse(row.answer, await carried.json().catch(() => undefined));
    // The row of the table is the operation's own, so that its answer is too.
    if (read.success) return read.data as OutputOf<(typeof staffApi)[typeof operation]>;
    const places = Object.keys(fieldErrors(read.error.issues)).slice(0, 3).join(', ');
    throw new Refusal('bad-upstream', `Its answer does not fit the contract at ${places}.`);
  };
}
