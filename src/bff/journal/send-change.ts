import type { Endpoint } from '../../contract/http/endpoint.ts';
import { staffApi } from '../../contract/bff/staff-api.ts';
import { type ProblemCode } from '../../contract/http/problem.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { JournalTable } from './schema.ts';
import { refusalFor } from '../upstream/answer.ts';
import { badUpstream, upstreamTimeout } from '../upstream/failures.ts';
import { readJson } from '../upstream/answer.ts';
import type { UpstreamAnswer } from '../upstream/exchange.ts';
import { placeOrder, type JournalParts, type Trip } from './change-request.ts';

/** What came of sending a change. `failed`: it is certain that nothing was done. */
export type Sent =
  | { kind: 'done'; answer: UpstreamAnswer }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'failed'; refusal: Refusal }
  | { kind: 'unknown'; refusal: Refusal };

/** How long after its beginning was written a change may still go out, in ms: before others take it for lost. */
const latestStart = 4_000;

/** The least that is left to find out what was done where no answer comes, in ms. */
const keptForReading = 3_000;

export async function sendOrder(
  { caller, clock }: JournalParts,
  { order, context, user, deadline }: Trip,
  entry: JournalTable,
): Promise<Sent> {
  let isOut = false;
  const { requestId, request, traceContext } = context;
  // A process that was held up must not do what somebody else has by now found undone.
  if (clock() - entry.at > latestStart) return { kind: 'failed', refusal: upstreamTimeout() };
  try {
    const answer = await placeOrder(caller, order, {
      role: user.role,
      requestId,
      traceContext,
      ifMatch: order.operation === 'createSubscriber' ? null : request.headers.get('If-Match'),
      atMost: Math.max(keptForReading, deadline - clock() - keptForReading),
      onSend: () => void (isOut = true),
    });
    return judge(staffApi[order.operation], answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: isOut && !neverArrived(error) ? 'unknown' : 'failed', refusal: error };
  }
}

/** Statuses by which a service, or a gateway before it, leaves open whether it has begun. */
const open = [408, 425, 429];

function judge(row: Endpoint, answer: UpstreamAnswer): Sent {
  const { status } = answer;
  if (status === 200)
    return readJson(answer).ok ? { kind: 'done', answer } : { kind: 'unknown', refusal: badUpstream() };
  const refusal = refusalFor(row, answer);
  if (callersToMend.includes(refusal.code)) return { kind: 'refused', refusal };
  const isRefused = status >= 400 && status < 500 && !open.includes(status);
  return { kind: isRefused ? 'failed' : 'unknown', refusal };
}

const callersToMend: readonly ProblemCode[] = ['no-such-subscriber', 'changed-meanwhile', 'invalid-input'];

/** Codes of a connection that did not come about, so that the request cannot have arrived. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

function neverArrived({ cause }: Refusal): boolean {
  // A fetch hides the code a level deeper.
  return [cause, Object(cause).cause].some((error) => neverConnected.includes(String(Object(error).code)));
}
