import type { EntryFilter } from '../../contract/bff/journal.ts';
import { isMasked } from '../../contract/bff/access-token.ts';
import { may } from '../../contract/bff/permission.ts';
import { changeHeaders, readChangeHeaders } from '../../contract/http/change-headers.ts';
import type { Wait } from '../../lib/map-concurrently.ts';
import type { BffDeps } from '../deps.ts';
import type { Subscriber, SubscriberDetail } from '../../contract/service/subscriber.ts';
import { jsonLinesHeaders, toJsonLines, writePage, type AnswerFile } from '../export/stream.ts';
import { callFor, type RequestContext } from '../http/context.ts';
import { Answer } from '../../contract/http/answer.ts';
import type { BffHandlers } from '../http/router.ts';
import type { Caller } from '../upstream/call.ts';
import { listActivity, readActivity, type EntryPlace } from './activity.ts';
import type { Mac } from './chain.ts';
import { actorOf, type RecordEvent } from './events.ts';
import { totalActivity } from './entry-search.ts';
import { explainRefusal, makeUndoRequest } from './undo.ts';
import { type ChangeRequest } from './change-request.ts';
import { createIdempotencyKey } from './idempotency.ts';
import type { Journal } from './journal.ts';
import { type CurrentUser, staffIdOf } from '../current-user.ts';
import type { BffDb } from '../schema.ts';

/**
 * Makes the change of a request, by its headers, and answers what became of the subscriber.
 *
 * @param request the operation and its input; another one with the same `Idempotency-Key` is refused
 */
export type AnswerChange = (
  request: unknown,
  makeRequest: () => Promise<ChangeRequest>,
  context: RequestContext,
  user: CurrentUser,
) => Promise<Answer<Subscriber | SubscriberDetail>>;

export function createAnswerChange(
  deps: Pick<BffDeps, 'db' | 'sha256'> & { mac: Mac; journal: Journal; recordEvent: RecordEvent },
): AnswerChange {
  return async (request, makeRequest, context, user) => {
    const { headers } = context;
    const { key, reason } = readChangeHeaders(headers);
    const { requestId, traceContext, recheckAccess } = context;
    const { entry, record, etag, replayed } = await deps.journal.change(makeRequest, {
      user,
      requestId,
      traceContext,
      reason,
      ifMatch: headers.get('If-Match'),
      signal: context.signal(),
      recheckAccess,
      key: key === null ? null : await createIdempotencyKey(deps, `${staffIdOf(user)}\n${key}`, request),
    });
    // Of a forgotten subscriber only the id is left.
    if (replayed && 'accessToken' in record && !isMasked(record.accessToken)) {
      // A token that is shown once more, perhaps a day later, and after the service has taken its time.
      await recheckAccess();
      const { id, username } = record;
      const event = { operation: 'revealToken', ...actorOf(user, context) } as const;
      await deps.db
        .transaction()
        .execute((tx) => deps.recordEvent(tx, { ...event, subscriber: { id, username } }));
    }
    return new Answer(record, {
      headers: {
        [changeHeaders.entry]: entry,
        ...(etag !== null && { ETag: etag }),
        ...(replayed && { [changeHeaders.replayed]: 'true' }),
      },
    });
  };
}

export type JournalRouteParts = Pick<BffDeps, 'db'> & {
  caller: Caller;
  runSlowRead: BffDeps['runSlowRead'] | undefined;
  answerChange: AnswerChange;
  answerFile: AnswerFile;
  recordEvent: RecordEvent;
  wait: Wait;
};

export function createJournalRoutes(parts: JournalRouteParts) {
  const { db, runSlowRead, answerChange, answerFile, recordEvent, caller, wait } = parts;
  const readSlowly = <T>(context: RequestContext, read: (from: BffDb) => Promise<T>) =>
    runSlowRead ? runSlowRead(read, context.signal()) : read(db);
  return {
    async listActivity({ query }, context, user) {
      await checkSubscriber(caller, query, context, user);
      const page = await readSlowly(context, (from) => listActivity(from, query, user, wait));
      return writePage(page, wait);
    },
    async totalActivity({ query }, context, user) {
      return await readSlowly(context, (from) => totalActivity(from, query, user));
    },
    async exportActivity({ query }, context, user) {
      await checkSubscriber(caller, query, context, user);
      return answerFile(context, user, {
        headers: jsonLinesHeaders('activity'),
        isCounted: true,
        async start() {
          // Without what is added meanwhile, such as the entry of this export.
          const upTo = await newestEntry(db);
          const readOf = (from: BffDb) => readActivity(from, query, user, { upTo, wait });
          const count = await readSlowly(context, (from) => readOf(from).count());
          const details = { entries: count };
          const event = { operation: 'exportActivity', ...actorOf(user, context), details } as const;
          const record = () => db.transaction().execute((tx) => recordEvent(tx, event));
          const readAfter = (place: EntryPlace | null) =>
            readSlowly(context, (from) => readOf(from).after(place));
          return { parts: toJsonLines(readAfter, wait), count, record };
        },
      });
    },
    async undoChange({ params }, context, user) {
      const makeRequest = () => makeUndoRequest(db, params.id, user);
      const answer = await answerChange(['undoChange', params], makeRequest, context, user).catch(
        (error: unknown) => {
          throw explainRefusal(error);
        },
      );
      // No undo regenerates a token, so the record is whole.
      return answer as Answer<SubscriberDetail>;
    },
  } satisfies Partial<BffHandlers>;
}

/**
 * Viewers see what was done to a subscriber only while there is one.
 *
 * @throws {Problem} `no-such-subscriber`, or why the service cannot be read
 */
async function checkSubscriber(
  caller: Caller,
  { subscriberId: id }: EntryFilter,
  context: RequestContext,
  user: CurrentUser,
): Promise<void> {
  if (id === undefined || may(user.role, 'seeDeletedSubscribers')) return;
  await caller.call('getSubscriber', { params: { id }, query: {} }, callFor(context, user));
}

/** The number of the newest entry. */
async function newestEntry(db: BffDb): Promise<number> {
  const newest = db.selectFrom('journal').select((row) => row.fn.max<number | null>('seq').as('seq'));
  return (await newest.executeTakeFirst())?.seq ?? 0;
}
