import type { Change } from '../../contract/bff/journal.ts';
import { readIfMatch } from '../../contract/http/change-headers.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { OperationInput } from '../../contract/service/api.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { listNames } from '../../contract/service/limits.ts';
import { searchablePart } from '../../contract/service/search-text.ts';
import { SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';
import type { CallContext, Caller, ReplyTo } from '../upstream/call.ts';
import { withDeadline } from '../upstream/exchange.ts';
import { badUpstream, RefusedByService } from '../upstream/failures.ts';
import type { Append, Mac } from './chain.ts';
import { pickEntered } from './entries.ts';
import type { IdempotencyKey } from './idempotency.ts';
import type { ChangeRow } from './schema.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';
import type { CurrentUser } from '../current-user.ts';
import type { TraceContext } from '../../lib/trace-context.ts';

/** A change that a user requests, as an operation of the service. */
export type ChangeRequest = {
  [N in Change]: {
    operation: N;
    input: OperationInput<N>;
    /** The id of the entry that the change undoes, if it undoes one. */
    undoOf: string | null;
    /** The id of the job that makes the change, if one does. */
    jobId?: string;
    /** Checks the current record, each time it was read. @throws {Problem} if the change may not be made */
    check?: (current: SubscriberDetail | null) => Promise<void>;
  };
}[Change];

/** The author of a change, and the conditions under which it is made. */
export interface ChangeOrigin {
  readonly user: CurrentUser;
  readonly requestId: string;
  readonly traceContext: TraceContext;
  readonly reason: string | null;
  /** The versions that the record may have, as `If-Match` writes them; null for any. */
  readonly ifMatch: string | null;
  /** Aborts when nobody waits for the change any more. One that has begun goes on to its end. */
  readonly signal: AbortSignal;
  /** Asks again whether the user may do this, after the change has waited. @throws {Problem} if not */
  readonly recheckAccess: () => Promise<unknown>;
  /** The key under which the change is made once, however often it is requested; null without one. */
  readonly key: IdempotencyKey | null;
}

/** The calls to the service that a change makes, in the name of its user. */
export const callOf = ({ user, requestId, traceContext }: ChangeOrigin) => ({
  role: user.role,
  requestId,
  traceContext,
});

/** A change request on its way. */
export interface ChangeContext extends ChangeOrigin {
  change: ChangeRequest;
  /** When the change has to be answered, in ms since 1970. Waiting for other changes does not count. */
  deadline: number;
}

export interface JournalDeps extends Pick<BffDeps, 'db' | 'clock' | 'random' | 'log' | 'limits'> {
  caller: Caller;
  mac: Mac;
  append: Append;
  wait: (ms: number) => Promise<void>;
}

/**
 * The result of sending a change. `failed`: certainly nothing was changed; `unknown`: something may have been changed.
 */
type SendResult =
  | { kind: 'done'; reply: ReplyTo<Change> }
  | { kind: 'refused' | 'failed' | 'unknown'; refusal: Problem };

/** Most time between the entry of a change and its request, in ms. Well before others count it as abandoned. */
const latestStart = 4_000;

/** Such as by a database that waits for a standby before it confirms the beginning. */
const beganTooLate = () =>
  new Problem('busy', 'It took too long to begin. Try again in a moment.', {
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
  given: ChangeContext,
  entry: ChangeRow,
  checked: CurrentRecord | null,
): Promise<SendResult> {
  const { change, ifMatch, deadline } = given;
  let isSent = false;
  // A process that was held up must not make a change that another process has closed as failed by now.
  if (clock() - entry.at > latestStart) return { kind: 'failed', refusal: beganTooLate() };
  const version = versionFor(change, ifMatch, checked?.version ?? null);
  const whole = readIfMatch(version) === null ? change : completed(change, checked);
  const context = {
    ...callOf(given),
    before: checked?.record,
    ifMatch: version,
    onSend: () => void (isSent = true),
  };
  try {
    // For all calls that it takes, also where a service needs a read before: others count it as abandoned after a while.
    const atMost = Math.max(timeToReconcile, deadline - clock() - timeToReconcile);
    const reply = await withDeadline(atMost, (signal) => call(caller, whole, { ...context, signal }));
    return { kind: 'done', reply };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error instanceof RefusedByService) return { kind: kindOf(error), refusal: error };
    return { kind: isSent && !neverArrived(error) ? 'unknown' : 'failed', refusal: error };
  }
}

/** The version that the change was checked with, as the service writes it; any for a change of any version but an undo. */
function versionFor(
  { operation, undoOf }: ChangeRequest,
  requested: string | null,
  checked: string | null,
): string | null {
  if (operation === 'createSubscriber') return null;
  return undoOf === null && readIfMatch(requested) === null ? requested : checked;
}

/**
 * The whole body of an update, since some services reset what is left out. A version has to say that the rest is still as it
 * was read. What the service has not, such as an email, stays out.
 */
function completed(change: ChangeRequest, checked: CurrentRecord | null): ChangeRequest {
  if (change.operation !== 'updateSubscriber' || !checked) return change;
  const { params, body } = change.input;
  const { email, expiresAt, ...others } = pickEntered(checked.record);
  const rest = { ...others, ...(email && { email }), ...(expiresAt && { expiresAt }) };
  return { ...change, input: { params, body: { ...rest, ...body } } };
}

function call(caller: Caller, { operation, input }: ChangeRequest, context: CallContext) {
  // A request has its operation's own input, which TypeScript does not follow through the union.
  const untyped = caller as unknown as {
    call: (
      operation: Change,
      input: ChangeRequest['input'],
      context: CallContext,
    ) => Promise<ReplyTo<Change>>;
  };
  return untyped.call(operation, input, context);
}

/** Statuses of a service, or of a gateway in front of it, that leave open whether the change was made. */
const ambiguousStatuses = [408, 425, 429];

/** Refusals that the user can correct. With them the service certainly changed nothing. */
const correctable: readonly ProblemCode[] = ['no-such-subscriber', 'changed-meanwhile', 'invalid-input'];

function kindOf({ status, code }: RefusedByService): Exclude<SendResult['kind'], 'done'> {
  if (correctable.includes(code)) return 'refused';
  const isRefused = status >= 400 && status < 500 && !ambiguousStatuses.includes(status);
  return isRefused ? 'failed' : 'unknown';
}

/** Error codes of a connection that was never made, so the request cannot have arrived. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

function neverArrived({ cause }: Problem): boolean {
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
 * @throws {Problem} `no-such-subscriber`, or why the service cannot be read
 */
export async function readRecord(
  caller: Caller,
  id: number,
  context: Pick<CallContext, 'role' | 'requestId' | 'traceContext' | 'atMost' | 'signal'>,
): Promise<CurrentRecord> {
  const input = { params: { id }, query: { include: [...listNames] } };
  const { data, etag } = await caller.call('getSubscriber', input, { ...context, fresh: true });
  const record = SubscriberDetail.safeParse(data).data;
  if (!record) throw new RefusedByService(200, badUpstream());
  return { record, version: etag };
}

/** As `readRecord`, but null if there is no such subscriber. */
export const findRecord = (...given: Parameters<typeof readRecord>): Promise<CurrentRecord | null> =>
  orNull(readRecord(...given));

/** Null where there is no such subscriber. */
export async function orNull<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Problem && error.code === 'no-such-subscriber') return null;
    throw error;
  }
}

/**
 * The ids of the subscribers with a username: one, or none, but some services give a name to several. Reads pages until one
 * has it, because the service finds every username and email address that contains the filter's. After the first page it
 * begins at the last one: lists are in the order of creation unless sorted.
 *
 * @param isIt true for its other spellings, too. Those count only where nobody has the very same
 */
export async function findIdsByName(
  caller: Caller,
  filter: ListQuery & { Username: string },
  isIt: (username: string) => boolean,
  context: Pick<CallContext, 'role' | 'requestId' | 'signal'>,
): Promise<number[]> {
  const Username = searchablePart(filter.Username);
  const readPage = async (Page: number) => {
    const query = { ...filter, Username, Page, PageSize: pageSizes.most };
    const { data } = await caller.call('listSubscribers', { query }, { ...context, fresh: true });
    const found = data.items.filter(({ username }) => isIt(username));
    const same = found.filter(({ username }) => username === filter.Username);
    return { same, found, pages: data.totalPages };
  };
  let { same, found, pages } = await readPage(1);
  for (; pages > 1 && same.length === 0; pages -= 1) {
    const page = await readPage(pages);
    same = page.same;
    found = [...found, ...page.found];
  }
  return [...new Set((same.length > 0 ? same : found).map(({ id }) => id))];
}
