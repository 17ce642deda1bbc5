import type { ActivityQuery } from '../../contract/bff/journal.ts';
import { may } from '../../contract/bff/permission.ts';
import { readChangeHeaders } from '../../contract/http/change-headers.ts';
import { api } from '../../contract/service/api.ts';
import type { BffDeps } from '../deps.ts';
import type { CurrentUser, RequestContext } from '../request-context.ts';
import { noContent, type BffHandlers } from '../router.ts';
import { refusalFor } from '../upstream/answer.ts';
import type { Caller } from '../upstream/call.ts';
import { upstreamLimits, pause } from '../upstream/exchange.ts';
import { listActivity } from './activity.ts';
import { actorOf, type RecordEvent } from './events.ts';
import type { Db } from './chain.ts';
import { staffIdOf, type ChangeContext, type ChangeRequest, type JournalDeps } from './change-request.ts';
import { beginChange, finishChange, lockKeyOf } from './change.ts';
import { createIdempotency, findChange, type Idempotency } from './entries.ts';
import { createAgeOf } from './clock-watch.ts';
import { createMaintenance, logHead } from './maintenance.ts';
import { answerFromEntry, reconcileAbandoned } from './reconcile.ts';
import type { IdempotencyKeyTable } from './schema.ts';
import { makeUndoRequest } from './undo.ts';
import { totalActivity } from './totals.ts';
import { createChangeQueues, createWaiting, type WaitLonger } from './waiting.ts';

export interface Journal {
  /**
   * Makes a change exactly once, and writes who did what. Changes of the same subscriber wait for each other, and leave
   * if their client goes. One that has begun goes on to its end.
   *
   * @param request the operation and its input; another one with the same `Idempotency-Key` is refused
   * @param makeRequest makes the change request; called at most once
   * @throws {Refusal} why the change was not made, or `outcome-unknown`
   */
  doChange(
    request: unknown,
    makeRequest: () => Promise<ChangeRequest>,
    context: RequestContext,
    user: CurrentUser,
  ): Promise<Response>;
  /** See `createMaintenance`. Call it at the start and about every minute; it never fails. */
  runMaintenance(): Promise<void>;
  /** Writes the head of the chain to the log, which is its witness then. To be called at the stop; it never fails. */
  logHead(): Promise<void>;
}

export function createJournal(
  deps: Omit<JournalDeps, 'wait' | 'ageOf'> & Pick<BffDeps, 'wait' | 'journalDays'>,
): Journal {
  const { wait = pause } = deps;
  const own: JournalDeps = { ...deps, wait, ageOf: createAgeOf(deps.clock) };
  const { subscribers, keys } = createChangeQueues();
  return {
    async doChange(request, makeRequest, context, user) {
      const { key, reason } = readChangeHeaders(context.request.headers);
      const idempotency = key === null ? null : await createIdempotency(own, key, staffIdOf(user), request);
      const signal = context.signal();
      const waitLonger = createWaiting(own, signal);
      const findAnswer = async () => idempotency && answerKnown(own, idempotency, context, waitLonger);
      const change = async () => {
        const earlier = await findAnswer();
        if (earlier) return earlier;
        const given = { change: await makeRequest(), context, user, reason, idempotency };
        const attempt = async () => {
          for (;;) {
            const answer = (await findAnswer()) ?? (await tryChange(own, given));
            if (answer) return answer;
            await waitLonger('others');
          }
        };
        return subscribers.run(lockKeyOf(given.change), attempt, signal);
      };
      return idempotency ? keys.run(idempotency.claim.key_hash, change, signal) : change();
    },
    runMaintenance: createMaintenance(own, deps.journalDays),
    logHead: () => logHead(deps),
  };
}

/** @returns null if another change of the same subscriber is in the way */
async function tryChange(
  deps: JournalDeps,
  given: Omit<ChangeContext, 'deadline'>,
): Promise<Response | null> {
  const timed = { ...given, deadline: deps.clock() + (deps.limits ?? upstreamLimits).total };
  const begun = await beginChange(deps, timed);
  return begun && finishChange(deps, timed, begun);
}

/** The answer to an earlier request with the same key, as soon as there is one; null if the change may be made. */
async function answerKnown(
  deps: JournalDeps,
  idempotency: Idempotency,
  context: RequestContext,
  waitLonger: WaitLonger,
): Promise<Response | null> {
  for (;;) {
    const known = await idempotency.find();
    if (!known) return null;
    await context.recheckAccess();
    const answer = await tryAnswerKnown(deps, known, idempotency);
    if (answer) return answer;
    await waitLonger('own');
  }
}

/** The answer to a change that was sent before; null if it is still running, or failed and can be tried again. */
async function tryAnswerKnown(
  deps: JournalDeps,
  known: IdempotencyKeyTable,
  idempotency: Idempotency,
): Promise<Response | null> {
  const answer = await idempotency.replay(known);
  if (answer) return answer;
  const entry = await findChange(deps.db, known.entry_id);
  if (!entry) return null;
  const closed = entry.outcome === null ? await reconcileAbandoned(deps, entry) : entry;
  if (!closed || closed.outcome === 'failed') return null;
  return idempotency.remember(await answerFromEntry(deps.caller, closed));
}

export type JournalRouteParts = Pick<BffDeps, 'db'> & {
  caller: Caller;
  runSlowRead: BffDeps['runSlowRead'] | undefined;
  journal: Journal;
  recordEvent: RecordEvent;
};

export function createJournalRoutes(parts: JournalRouteParts) {
  const { db, runSlowRead, journal, recordEvent, caller } = parts;
  const readSlowly = <T>(context: RequestContext, read: (from: Db) => Promise<T>) =>
    runSlowRead ? runSlowRead(read, context.signal()) : read(db);
  const list = async (query: ActivityQuery, context: RequestContext, user: CurrentUser) => {
    await checkSubscriber(caller, query, context, user);
    return readSlowly(context, (from) => listActivity(from, query, user));
  };
  return {
    async listActivity({ query }, context, user) {
      return Response.json(await list(query, context, user));
    },
    async totalActivity({ query }, context, user) {
      return Response.json(await readSlowly(context, (from) => totalActivity(from, query, user)));
    },
    async exportActivity({ query }, context, user) {
      const { totalCount } = await list({ ...query, page: 1, pageSize: 1 }, context, user);
      const details = { entries: totalCount };
      const event = { operation: 'exportActivity', ...actorOf(user, context), details } as const;
      await db.transaction().execute((tx) => recordEvent(tx, event));
      return noContent();
    },
    undoChange({ params }, context, user) {
      const makeRequest = () => makeUndoRequest(db, params.id, user);
      return journal.doChange(['undoChange', params], makeRequest, context, user);
    },
  } satisfies Partial<BffHandlers>;
}

/**
 * Viewers see what was done to a subscriber only while there is one.
 *
 * @throws {Refusal} `no-such-subscriber`, or why the service cannot be read
 */
async function checkSubscriber(
  caller: Caller,
  { subscriberId: id }: ActivityQuery,
  { requestId, traceContext, signal }: RequestContext,
  { role }: CurrentUser,
): Promise<void> {
  if (id === undefined || may(role, 'seeDeletedSubscribers')) return;
  const call = { role, requestId, traceContext, ifMatch: null, signal: signal() };
  const answer = await caller.call('getSubscriber', { params: { id }, query: {} }, call);
  if (answer.status !== 200) throw refusalFor(api.getSubscriber, answer);
}
