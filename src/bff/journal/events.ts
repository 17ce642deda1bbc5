import type { Transaction } from 'kysely';
import { kindOf, withoutAccount, type EventDetails, type EventName } from '../../contract/bff/journal.ts';
import { toBase64url } from '../../lib/crypto.ts';
import type { BffDeps } from '../deps.ts';
import { type RequestContext, callFor } from '../http/context.ts';
import type { BffTables } from '../schema.ts';
import { atEnd, nameInEntry, searchColumnsOf, type EventInput, type Mac } from './chain.ts';
import type { JournalTable } from './schema.ts';
import { type CurrentUser, staffIdOf } from '../current-user.ts';
import type { BffHandlers } from '../http/router.ts';
import type { Caller } from '../upstream/call.ts';

/** The author of an event, and the request in which it happens. */
export interface Actor {
  staff: Account;
  requestId: string;
}

/** Something that staff did besides changing a subscriber. */
export interface NewEvent extends Actor {
  operation: EventName;
  /** `done` unless given. */
  outcome?: 'refused';
  /** The subscriber that it is about. */
  subscriber?: { id: number; username: string };
  /** The staff account that it was done to. */
  account?: Account;
  details?: EventDetails;
  /** When it happened, in ms since 1970; now unless given. */
  at?: number;
}

interface Account {
  id: string;
  name: string;
}

/**
 * Writes an event to the journal, whole and with one link. It belongs to the transaction of what it tells, so that neither
 * is there without the other. Call it last: from then on no other transaction can write to the journal until this one ends.
 */
export type RecordEvent = (tx: Transaction<BffTables>, event: NewEvent) => Promise<void>;

export function createRecordEvent({
  mac,
  clock,
  random,
}: Pick<BffDeps, 'clock' | 'random'> & { mac: Mac }): RecordEvent {
  return async (tx, event) => {
    const { operation, staff, subscriber, account = null, details = {}, at = clock() } = event;
    const stored: EventInput = { account, details };
    const input = JSON.stringify(stored);
    const [kind, username] = [kindOf(operation), nameInEntry(subscriber?.username ?? '')];
    await atEnd(tx, mac, async (end) => {
      const seq = end.next();
      const draft: Omit<JournalTable, 'mac'> = {
        id: toBase64url(random(16)),
        seq,
        at,
        staff_id: staff.id,
        staff_name: staff.name,
        operation,
        kind,
        subscriber_id: subscriber?.id ?? null,
        username,
        input,
        ...searchColumnsOf({ kind, username, input }),
        before_record: null,
        token_mac: null,
        reason: null,
        request_id: event.requestId,
        undo_of: null,
        job_id: null,
        lock_key: '',
        closed_seq: seq,
        closed_at: at,
        outcome: event.outcome ?? 'done',
        code: null,
        after: null,
        version: null,
        closed_mac: null,
        proof: null,
        key_hash: null,
        fingerprint: null,
      };
      const row: JournalTable = { ...draft, mac: await end.sign('event', draft) };
      await tx.insertInto('journal').values(row).execute();
      end.append(row.mac);
    });
  };
}

/** An operator at the terminal of a server. */
export const terminal: Actor = { staff: { id: withoutAccount.terminal, name: '' }, requestId: '' };

export const actorOf = (user: CurrentUser, { requestId }: Pick<RequestContext, 'requestId'>): Actor => ({
  staff: { id: staffIdOf(user), name: user.name },
  requestId,
});

/** Answers one access token, once the journal says who gets whose. The journal does not have the token. */
export function createRevealToken(
  parts: Pick<BffDeps, 'db'> & { caller: Caller; recordEvent: RecordEvent },
): BffHandlers['revealToken'] {
  const { db, caller, recordEvent } = parts;
  return async ({ params }, context, user) => {
    const call = { ...callFor(context, user), fresh: true } as const;
    const { data } = await caller.call('getSubscriber', { params, query: {} }, call);
    // The service may have taken its time, and the session have ended meanwhile.
    await context.recheckAccess();
    const { id, username, accessToken } = data;
    const event = {
      operation: 'revealToken',
      ...actorOf(user, context),
      subscriber: { id, username },
    } as const;
    await db.transaction().execute((tx) => recordEvent(tx, event));
    return { accessToken };
  };
}
