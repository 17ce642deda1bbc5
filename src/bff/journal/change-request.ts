import type { Change } from '../../contract/bff/journal.ts';
import type { Endpoint } from '../../contract/http/endpoint.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { api, type OperationInput } from '../../contract/service/api.ts';
import { listNames, SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';
import type { CurrentUser, RequestContext } from '../request-context.ts';
import { readJson, refusalFor } from '../upstream/answer.ts';
import type { CallContext, Caller } from '../upstream/call.ts';
import type { UpstreamAnswer } from '../upstream/exchange.ts';
import { badUpstream } from '../upstream/failures.ts';
import type { Mac } from './chain.ts';
import { pickEntered, type Idempotency } from './entries.ts';
import type { ChangeRow } from './schema.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';

/** A change that a user requests, as an operation of the service. */
export type ChangeRequest = {
  [N in Change]: {
    operation: N;
    input: OperationInput<N>;
    /** The id of the entry that the change undoes, if it undoes one. */
    undoOf: string | null;
    /** The id of the job that makes the change, if one does. */
    jobId?: string;
    /** Checks the current record, each time it was read. @throws {Refusal} if the change may not be made */
    check?: (current: SubscriberDetail | null) => Promise<void>;
  };
}[Change];

/** A change request, its user, and the headers and the time limit that came with it. */
export interface ChangeContext {
  change: ChangeRequest;
  context: RequestContext;
  user: CurrentUser;
  reason: string | null;
  idempotency: Idempotency | null;
  /** When the change has to be answered, in ms since 1970. Waiting for other changes does not count. */
  deadline: number;
}

export interface JournalDeps extends Pick<BffDeps, 'db' | 'clock' | 'random' | 'log' | 'limits'> {
  caller: Caller;
  mac: Mac;
  /** How long an entry has been open, in ms. */
  ageOf: (entry: Pick<ChangeRow, 'id' | 'at'>) => number;
  wait: (ms: number) => Promise<void>;
}

/** The user's id in entries. In a browser tab, where there are no accounts, it is `tab`. */
export const staffIdOf = ({ staffId }: CurrentUser): string => staffId ?? 'tab';

/**
 * The result of sending a change. `failed`: certainly nothing was changed; `unknown`: something may have been changed.
 */
type SendResult =
  | { kind: 'done'; answer: UpstreamAnswer }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'failed'; refusal: Refusal }
  | { kind: 'unknown'; refusal: Refusal };

/**
 * How long after its beginning was written a change may still be sent, in ms. Well before others count it as abandoned.
 */
const latestStart = 4_000;

/** Such as by a database that waits for a standby before it confirms the beginning. */
const heldUp = () =>
  new Refusal('busy', 'It took too long to begin. Try again in a moment.', {
    headers: { 'Retry-After': '1' },
  });

/** The time that is kept to find out the outcome if no answer comes, in ms. */
const timeToReconcile = 3_000;

/**
 * Sends a change whose beginning is in the journal, once.
 *
 * @param checked the record that the change was checked with; null for a creation
 */
export async function sendChange(
  { caller, clock }: JournalDeps,
  { change, context, user, deadline }: ChangeContext,
  entry: ChangeRow,
  checked: CurrentRecord | null,
): Promise<SendResult> {
  let isSent = false;
  const { requestId, request, traceContext } = context;
  // A process that was held up must not make a change that another process has closed as failed by now. If the clock was
  // set back, nobody knows how long it was.
  if (Math.abs(clock() - entry.at) > latestStart) return { kind: 'failed', refusal: heldUp() };
  try {
    const answer = await call(caller, completed(change, checked), {
      role: user.role,
      requestId,
      traceContext,
      ifMatch: versionFor(change, request, checked?.version ?? null),
      atMost: Math.max(timeToReconcile, deadline - clock() - timeToReconcile),
      onSend: () => void (isSent = true),
    });
    return classify(api[change.operation], answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { kind: isSent && !neverArrived(error) ? 'unknown' : 'failed', refusal: error };
  }
}

/** An undo is right only for the record that it was checked with; any other change for the one that its user saw. */
function versionFor(
  { operation, undoOf }: ChangeRequest,
  { headers }: Request,
  checked: string | null,
): string | null {
  if (operation === 'createSubscriber') return null;
  return undoOf === null ? headers.get('If-Match') : checked;
}

/**
 * The whole body of an update that the BFF itself has put together, since some services reset what is left out. The
 * version says that the rest is still as it was read.
 */
function completed(change: ChangeRequest, checked: CurrentRecord | null): ChangeRequest {
  if (change.operation !== 'updateSubscriber' || !checked) return change;
  if (change.undoOf === null && change.jobId === undefined) return change;
  const { params, body } = change.input;
  return { ...change, input: { params, body: { ...pickEntered(checked.record), ...body } } };
}

function call(caller: Caller, { operation, input }: ChangeRequest, context: CallContext) {
  // A request has its operation's own input, which TypeScript does not follow through the union.
  const untyped = caller as unknown as {
    call: (operation: Change, input: ChangeRequest['input'], context: CallContext) => Promise<UpstreamAnswer>;
  };
  return untyped.call(operation, input, context);
}

/** Statuses of a service, or of a gateway in front of it, that leave open whether the change was made. */
const ambiguousStatuses = [408, 425, 429];

/** Refusals that the user can correct. With them the service certainly changed nothing. */
const correctable: readonly ProblemCode[] = ['no-such-subscriber', 'changed-meanwhile', 'invalid-input'];

function classify(row: Endpoint, answer: UpstreamAnswer): SendResult {
  const { status } = answer;
  if (status === 200)
    return readJson(answer).ok ? { kind: 'done', answer } : { kind: 'unknown', refusal: badUpstream() };
  const refusal = refusalFor(row, answer);
  if (correctable.includes(refusal.code)) return { kind: 'refused', refusal };
  const isRefused = status >= 400 && status < 500 && !ambiguousStatuses.includes(status);
  return { kind: isRefused ? 'failed' : 'unknown', refusal };
}

/** Error codes of a connection that was never made, so the request cannot have arrived. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

function neverArrived({ cause }: Refusal): boolean {
  // `fetch` has the code one level deeper.
  return [cause, Object(cause).cause].some((error) => neverConnected.includes(String(Object(error).code)));
}

/** A subscriber as the service has it now, with all lists, and its version. */
export interface CurrentRecord {
  record: SubscriberDetail;
  version: string | null;
}

/**
 * Reads a subscriber as it is now, never from an answer that is shared with an earlier read.
 *
 * @returns the service's answer itself if it is not a 200
 * @throws {Refusal} if the service gives no usable answer
 */
export async function readRecord(
  caller: Caller,
  id: number,
  context: Pick<CallContext, 'role' | 'requestId' | 'traceContext' | 'atMost' | 'signal'>,
): Promise<CurrentRecord | UpstreamAnswer> {
  const input = { params: { id }, query: { include: [...listNames] } };
  const answer = await caller.call('getSubscriber', input, { ...context, ifMatch: null, fresh: true });
  if (answer.status !== 200) return answer;
  const json = readJson(answer);
  const record = json.ok ? SubscriberDetail.safeParse(json.value).data : undefined;
  if (!record) throw badUpstream();
  return { record, version: answer.headers.get('ETag') };
}
