import { may } from '../../contract/bff/permission.ts';
import { staffApi } from '../../contract/bff/staff-api.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { toBase64url } from '../../contract/http/crypto.ts';
import type { JournalTable } from './schema.ts';
import { toBrowserResponse } from '../upstream/answer.ts';
import type { UpstreamAnswer } from '../upstream/exchange.ts';
import { checkVersion } from './conflict.ts';
import { beginEntry, findOpen, lastClosed, type Draft } from './entries.ts';
import { finish } from './finish.ts';
import { settleIfLost } from './abandoned.ts';
import { lockOf, staffIdOf, type JournalParts, type Trip } from './change-request.ts';
import { maskedPart, readRecord, type Known } from './record.ts';

/**
 * Tries to do a change: looks at the record as it is, writes that the change begins, sends it, and writes what came of
 * it.
 *
 * @returns null where another change of the same subscriber is in the way
 */
export async function attempt(parts: JournalParts, trip: Trip): Promise<Response | null> {
  const { db, caller, mac } = parts;
  const { order, context, user, once } = trip;
  const { requestId, traceContext } = context;
  const lock = lockOf(order);
  const inTheWay = await findOpen(db, lock);
  if (inTheWay) {
    await settleIfLost(parts, inTheWay);
    return null;
  }
  const seen = await lastClosed(db, lock);
  const before =
    'params' in order.input
      ? await readRecord(caller, order.input.params.id, {
          role: user.role,
          requestId,
          traceContext,
          atMost: longestLook,
        })
      : null;
  if (before && !isKnown(before))
    return toBrowserResponse(staffApi[order.operation], before, { maskTokens: true });
  try {
    const maskTokens = !may(user.role, 'seeAccessToken');
    await checkVersion(db, context.request.headers.get('If-Match'), before, maskTokens);
    await order.check?.(before?.record ?? null);
  } catch (error) {
    // Whose change stands in the way is known only when that is closed.
    if (await isOvertaken(db, lock, seen)) return null;
    throw error;
  }
  const draft = await makeDraft(parts, trip, lock, before?.record ?? null);
  const entry = await beginEntry(db, mac, draft, { seen, claim: once?.claim ?? null });
  return entry && finish(parts, trip, entry, before);
}

/** In ms: what is left then is enough for the change, and to find out what was done if no answer comes. */
const longestLook = 9_000;

/** Whether another change of the same subscriber has begun or ended since the record was looked at. */
async function isOvertaken(db: JournalParts['db'], lock: string, seen: number | null): Promise<boolean> {
  return (await findOpen(db, lock)) !== undefined || (await lastClosed(db, lock)) !== seen;
}

const isKnown = (before: Known | UpstreamAnswer): before is Known => 'record' in before;

async function makeDraft(
  { mac, clock, random }: JournalParts,
  { order, context, user, reason }: Trip,
  lock: string,
  before: SubscriberDetail | null,
): Promise<Draft> {
  const body = 'body' in order.input ? order.input.body : null;
  const username = before?.username ?? (body as { username?: string } | null)?.username ?? '';
  return {
    id: toBase64url(random(16)),
    at: clock(),
    staff_id: staffIdOf(user),
    staff_name: user.name,
    operation: order.operation,
    subscriber_id: before?.id ?? null,
    username,
    input: body && JSON.stringify(body),
    before_record: before && JSON.stringify(maskedPart(before)),
    token_mac: before && (await mac('token', before.accessToken)),
    reason,
    request_id: context.requestId,
    undo_of: order.undoOf,
    lock_key: lock,
  } satisfies Partial<JournalTable>;
}
