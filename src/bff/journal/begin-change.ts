import { maskedToken } from '../../contract/bff/access-token.ts';
import { may } from '../../contract/bff/permission.ts';
import { readIfMatch } from '../../contract/http/change-headers.ts';
import { toBase64url } from '../../contract/http/crypto.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { api } from '../../contract/service/api.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { toBrowserResponse } from '../upstream/answer.ts';
import type { UpstreamAnswer } from '../upstream/exchange.ts';
import type { Db } from './chain.ts';
import { staffIdOf, type ChangeContext, type ChangeRequest, type JournalDeps } from './change-request.ts';
import { beginEntry, findOpen, lastClosed, type NewEntry } from './entries.ts';
import { reconcileAbandoned } from './reconcile.ts';
import { maskedPart, readRecord, type CurrentRecord } from './record.ts';
import type { JournalTable } from './schema.ts';

/** A change whose beginning is written. */
export interface BegunChange {
  entry: JournalTable;
  /** The record before the change; null for a creation. */
  before: CurrentRecord | null;
}

/**
 * Reads the record, checks that the change may be made, and writes that it begins.
 *
 * @returns the answer where there is no such record; null where another change of the same subscriber is in the way
 * @throws {Refusal} where the record does not allow the change
 */
export async function beginChange(
  deps: JournalDeps,
  given: ChangeContext,
): Promise<BegunChange | Response | null> {
  const { db, caller, mac } = deps;
  const { change, context, user, idempotency } = given;
  const lock = lockKeyOf(change);
  const underWay = await findOpen(db, lock);
  if (underWay) {
    await reconcileAbandoned(deps, underWay);
    return null;
  }
  const seen = await lastClosed(db, lock);
  const { requestId, traceContext } = context;
  const before =
    'params' in change.input
      ? await readRecord(caller, change.input.params.id, {
          role: user.role,
          requestId,
          traceContext,
          atMost: longestRead,
        })
      : null;
  if (before && !isRecord(before))
    return toBrowserResponse(api[change.operation], before, { maskTokens: true });
  try {
    const maskTokens = !may(user.role, 'seeAccessToken');
    await checkVersion(db, context.request.headers.get('If-Match'), before, maskTokens);
    await change.check?.(before?.record ?? null);
  } catch (error) {
    // Whose change is in the way is known only once it is closed.
    if (await isOvertaken(db, lock, seen)) return null;
    throw error;
  }
  const draft = await makeEntry(deps, given, lock, before?.record ?? null);
  const entry = await beginEntry(db, mac, draft, { seen, claim: idempotency?.claim ?? null });
  return entry && { entry, before };
}

/** In ms: the rest is enough for the change, and to find out what was done if no answer comes. */
const longestRead = 9_000;

/** Changes with the same key wait for each other: those of a subscriber, or creations of the same username. */
function lockKeyOf({ operation, input }: ChangeRequest): string {
  return operation === 'createSubscriber' ? `u:${input.body.username.toLowerCase()}` : `s:${input.params.id}`;
}

const isRecord = (read: CurrentRecord | UpstreamAnswer): read is CurrentRecord => 'record' in read;

/** Whether another change of the same subscriber has begun or ended since the record was read. */
async function isOvertaken(db: Db, lock: string, seen: number | null): Promise<boolean> {
  return (await findOpen(db, lock)) !== undefined || (await lastClosed(db, lock)) !== seen;
}

async function makeEntry(
  { mac, clock, random }: JournalDeps,
  { change, context, user, reason }: ChangeContext,
  lock: string,
  before: SubscriberDetail | null,
): Promise<NewEntry> {
  const body = 'body' in change.input ? change.input.body : null;
  const username = before?.username ?? (body as { username?: string } | null)?.username ?? '';
  return {
    id: toBase64url(random(16)),
    at: clock(),
    staff_id: staffIdOf(user),
    staff_name: user.name,
    operation: change.operation,
    subscriber_id: before?.id ?? null,
    username,
    input: body && JSON.stringify(body),
    before_record: before && JSON.stringify(maskedPart(before)),
    token_mac: before && (await mac('token', before.accessToken)),
    reason,
    request_id: context.requestId,
    undo_of: change.undoOf,
    lock_key: lock,
  };
}

/**
 * Compares the version that a change is meant for with the record's.
 *
 * @throws {Refusal} `changed-meanwhile`, with the record as it is now and who changed it last
 */
async function checkVersion(
  db: Db,
  ifMatch: string | null,
  current: CurrentRecord | null,
  maskTokens: boolean,
): Promise<void> {
  const allowed = readIfMatch(ifMatch);
  if (allowed === null || !current) return;
  if (current.version !== null && allowed.includes(current.version)) return;
  throw await changedMeanwhile(db, current, maskTokens);
}

export async function changedMeanwhile(
  db: Db,
  current: CurrentRecord | null,
  maskTokens: boolean,
): Promise<Refusal> {
  const sentence =
    'Somebody changed it after you read it. Look at what they changed, then make your change once more.';
  if (!current) return new Refusal('changed-meanwhile', sentence);
  const { record } = current;
  const shown = maskTokens ? { ...record, accessToken: maskedToken(record.accessToken) } : record;
  const obstacles = { current: shown, changedBy: await findChanger(db, current) };
  return new Refusal('changed-meanwhile', sentence, { obstacles });
}

/** Who made this very version; null where the last change was not made through the BFF. */
async function findChanger(db: Db, { record, version }: CurrentRecord) {
  const query = db.selectFrom('journal').select(['staff_name', 'closed_at', 'version']);
  const latest = await query
    .where('subscriber_id', '=', record.id)
    .where('outcome', '=', 'done')
    .orderBy('closed_seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!latest || latest.version === null || latest.version !== version) return null;
  return { name: latest.staff_name, at: new Date(latest.closed_at ?? 0).toISOString() };
}
