import { masked } from '../../contract/bff/access-token.ts';
import type { Change, RecordPart } from '../../contract/bff/journal.ts';
import type { Reply } from '../../contract/http/client.ts';
import { readIfMatch } from '../../contract/http/change-headers.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { errorFields } from '../../lib/log.ts';
import { Problem, changedMeanwhile } from '../../contract/http/problem.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';
import { SubscriberDetail, type Subscriber } from '../../contract/service/subscriber.ts';
import { badUpstream, RefusedByService, reworded, upstreamTimeout } from '../upstream/failures.ts';
import { isOurVersion, unpacked, versionOf } from '../upstream/reads.ts';
import type { Mac } from './chain.ts';
import {
  callOf,
  readRecord,
  sendChange,
  type ChangeContext,
  type ChangeRequest,
  type CurrentRecord,
  type JournalDeps,
} from './change-request.ts';
import {
  authorOf,
  beginEntry,
  closeEntry,
  differing,
  findChange,
  findConfirmed,
  maskedPart,
  pick,
  readLock,
  selectChanges,
  type Closing,
  type NewEntry,
} from './entries.ts';
import {
  isSomebodyElse,
  logReconciled,
  NeverKnown,
  outcomeUnknown,
  reconcile,
  reconcileAbandoned,
  resultOf,
  saysUnchanged,
  unknownAfter,
  type ChangeResult,
} from './reconcile.ts';
import type { ChangeRow } from './schema.ts';
import { retryUntil } from './waiting.ts';
import { staffIdOf } from '../current-user.ts';

/** A change whose beginning is in the journal. */
interface BegunChange {
  entry: ChangeRow;
  /** The record before the change; null for a creation. */
  before: CurrentRecord | null;
}

/**
 * Reads the record, checks that the change may be made, and writes its beginning to the journal. Nothing is sent yet.
 *
 * @returns null if another change of the same subscriber is in the way
 * @throws {Problem} if there is no such record, it does not allow the change, the service cannot be read, or the user's
 *   session has ended
 */
export async function beginChange(deps: JournalDeps, given: ChangeContext): Promise<BegunChange | null> {
  const { db, append } = deps;
  const { change } = given;
  const lock = lockKeyOf(change);
  const { openId, lastClosed: seen, isTaken } = await stateOf(deps, given, lock);
  const underWay = openId === null ? null : await findChange(db, openId);
  if (underWay) await reconcileAbandoned(deps, underWay);
  if (openId !== null || isTaken) return null;
  const before = await readBefore(deps, given);
  // Asked now, because this request may have waited, and from here on it shows what the record holds.
  await given.recheckAccess();
  try {
    await checkVersion(deps, given.ifMatch, before);
    await change.check?.(before?.record ?? null);
  } catch (error) {
    // The other change may be what the check found. Its entry says more once it is closed, so the check is repeated.
    const present = await stateOf(deps, given, lock);
    if (present.openId !== null || present.lastClosed !== seen) return null;
    throw error;
  }
  const draft = await makeEntry(deps, given, lock, before?.record ?? null);
  const entry = await beginEntry(append, draft, seen).catch(async (error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'change-unconfirmed') throw error;
    // Nothing was sent yet. Left open, the entry would block the subscriber until it counts as abandoned.
    return retryUntil(deps, given.deadline, () => findConfirmed(append, draft.id));
  });
  return entry && { entry, before };
}

/** @returns the record before the change; null for a creation */
async function readBefore({ caller }: JournalDeps, given: ChangeContext): Promise<CurrentRecord | null> {
  const { change } = given;
  if (!('params' in change.input)) return null;
  const reading = { ...callOf(given), atMost: longestRead };
  try {
    return await readRecord(caller, change.input.params.id, reading);
  } catch (error) {
    const isFailure = error instanceof Problem && error.code !== 'no-such-subscriber';
    throw isFailure ? nothingChanged(error) : error;
  }
}

/**
 * Most time for reading the record, in ms. The rest of the time is for the change, and for reading its outcome if no
 * answer comes.
 */
const longestRead = 9_000;

/** Changes with the same lock key wait for each other: those of one subscriber, or creations of the same username. */
export function lockKeyOf({ operation, input }: ChangeRequest): string {
  return operation === 'createSubscriber' ? `u:${input.body.username.toLowerCase()}` : `s:${input.params.id}`;
}

/** Why an entry is undone already, the change's own check says. */
const stateOf = ({ db, clock }: JournalDeps, { key }: ChangeContext, lock: string) =>
  readLock(db, lock, { keyHash: key?.key_hash ?? null, undoOf: null, now: clock() });

async function makeEntry(
  { mac, clock, random }: JournalDeps,
  { change, user, reason, requestId, key }: ChangeContext,
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
    request_id: requestId,
    undo_of: change.undoOf,
    job_id: change.jobId ?? null,
    lock_key: lock,
    ...(key ?? { key_hash: null, fingerprint: null }),
  };
}

/**
 * Checks that the record has a version that the change is meant for.
 *
 * @throws {Problem} `changed-meanwhile`, with the record as it is now and who changed it last
 */
async function checkVersion(
  deps: Pick<JournalDeps, 'db' | 'mac'>,
  ifMatch: string | null,
  current: CurrentRecord | null,
): Promise<void> {
  const allowed = readIfMatch(ifMatch);
  if (allowed === null || !current) return;
  for (const tag of allowed) if (await isVersionOf(deps, tag, current)) return;
  throw await describeConflict(deps, current);
}

/** True if a record has this version; also ours, which the answer to a change has where the service's has none. */
async function isVersionOf(
  { mac }: Pick<JournalDeps, 'mac'>,
  tag: string,
  { record, version }: CurrentRecord,
): Promise<boolean> {
  if (version !== null && unpacked(tag) === unpacked(version)) return true;
  return isOurVersion(tag) && unpacked(tag) === (await versionOf(record, mac));
}

async function describeConflict(
  deps: Pick<JournalDeps, 'db' | 'mac'>,
  current: CurrentRecord | null,
): Promise<Problem> {
  if (!current) return changedMeanwhile();
  const changedBy = await findChanger(deps, current);
  return changedMeanwhile({ current: masked(current.record), changedBy });
}

/** Finds the author of the current version; null if the last change was not made through the BFF. */
async function findChanger(deps: Pick<JournalDeps, 'db' | 'mac'>, current: CurrentRecord) {
  const { db } = deps;
  const latest = await selectChanges(db)
    .where('subscriber_id', '=', current.record.id)
    .where('outcome', '=', 'done')
    .orderBy('closed_seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!latest || latest.version === null) return null;
  return (await isVersionOf(deps, latest.version, current)) ? authorOf(db, latest) : null;
}

/** Sends a change whose beginning is in the journal, and writes its outcome before it returns. */
export async function finishChange(
  deps: JournalDeps,
  given: ChangeContext,
  begun: BegunChange,
): Promise<ChangeResult> {
  const { entry, before } = begun;
  const { change } = given;
  const sent = await sendChange(deps, given, entry, before);
  if (sent.kind === 'unknown') return finishByReading(deps, given, begun, sent.refusal);
  if (sent.kind !== 'done') {
    const { kind: outcome, refusal } = sent;
    if (await isRefusedTwin(deps, entry, refusal)) return finishByReading(deps, given, begun, refusal);
    await close(deps, given, entry, { ...emptyClosing(entry), outcome, code: refusal.code });
    throw outcome === 'failed' ? nothingChanged(refusal) : await withObstacles(deps, given, refusal);
  }
  if (await saysUnchanged(deps, entry, sent.reply.data)) {
    const refusal = sent.reply.isReadAfter ? upstreamTimeout() : new RefusedByService(200, badUpstream());
    return finishByReading(deps, given, begun, refusal);
  }
  if (await isSomebodyElse(deps, entry, sent.reply.data)) {
    await close(deps, given, entry, { ...emptyClosing(entry), outcome: 'unknown' });
    throw new NeverKnown();
  }
  const closing = await closingOf(deps.mac, change, before?.record ?? null, sent.reply);
  const result = resultOf(entry, { record: sent.reply.data, version: closing.version });
  await close(deps, given, entry, closing);
  return result;
}

/**
 * True if a change is refused because it is made. A proxy has sent it twice, as nginx does with `PUT` and `DELETE` where a service
 * ends without an answer: after the first one, the second had an old version, or found nobody.
 */
async function isRefusedTwin(deps: JournalDeps, entry: ChangeRow, { code }: Problem): Promise<boolean> {
  if (twinRefusals[entry.operation] !== code) return false;
  try {
    const { outcome, after } = (await reconcile(deps, entry, { atMost: leastTime })).closing;
    // An update that changes nothing looks made without it.
    return outcome === 'done' && (after === null || Object.keys(after).length > 0);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

/** The code with which the second of the two is refused. */
const twinRefusals: Partial<Record<Change, ProblemCode>> = {
  updateSubscriber: 'changed-meanwhile',
  deleteSubscriber: 'no-such-subscriber',
};

/** Ends a change that got no usable answer: reads the service to find out whether the change was made. */
async function finishByReading(
  deps: JournalDeps,
  given: ChangeContext,
  { entry, before }: BegunChange,
  refusal: Problem,
): Promise<ChangeResult> {
  const read = () => reconcile(deps, entry, { atMost: Math.max(leastTime, given.deadline - deps.clock()) });
  let hasLookedAgain = false;
  const finish = async () => {
    let found = await read();
    // The line may have broken while the service was still at work.
    if (found.closing.outcome === 'failed' && !hasLookedAgain) {
      await deps.wait(lookAgainAfter);
      hasLookedAgain = true;
      found = await read();
    }
    const { outcome } = found.closing;
    // A service that took too long may still make the change. Maintenance or the next change reads it once more.
    if (outcome === 'failed' && refusal.code === 'upstream-timeout') return { outcome: null, result: null };
    const closing = outcome === 'failed' ? { ...found.closing, code: refusal.code } : found.closing;
    const result = outcome === 'done' ? resultOf(entry, found.current ?? before) : null;
    await closeEntry(deps.append, entry, { closing, now: deps.clock() });
    return { outcome, result };
  };
  // If it cannot be written, it is read again: of a node that was replaced meanwhile, nobody knows how far it had come.
  let failure = outcomeUnknown();
  const finished = await retryUntil(deps, given.deadline, finish).catch((error: unknown) => {
    logNotClosed(deps, entry, error);
    if (error instanceof Problem) failure = unknownAfter(error);
    return null;
  });
  logReconciled(deps, { ...entry, outcome: finished?.outcome ?? null });
  if (finished?.result) return finished.result;
  if (finished?.outcome === 'failed') throw nothingChanged(refusal);
  if (finished?.outcome === 'unknown') throw new NeverKnown();
  // An entry that is still open keeps the lock. The next change or maintenance reads the service again.
  throw failure;
}

/** Time in which a service ends what it was doing when the line broke, in ms. */
const lookAgainAfter = 1_000;

/** Least time for reading or writing the outcome, in ms, even if the change itself used up the time. */
const leastTime = 3_000;

const nothingChanged = (refusal: Problem) => reworded(refusal, `Nothing was changed. ${refusal.message}`);

/** Adds the current record to the service's refusal if someone else changed it first. */
async function withObstacles(deps: JournalDeps, given: ChangeContext, refusal: Problem): Promise<Problem> {
  const { input } = given.change;
  if (refusal.code !== 'changed-meanwhile' || !('params' in input)) return refusal;
  const current = await readRecord(deps.caller, input.params.id, callOf(given)).catch(() => null);
  return describeConflict(deps, current);
}

const emptyClosing = (entry: ChangeRow): Omit<Closing, 'outcome'> => ({
  code: null,
  subscriberId: entry.subscriber_id,
  after: null,
  version: null,
});

/** The outcome of a change, and what it made of the record, by the service's answer. */
async function closingOf(
  mac: Mac,
  change: ChangeRequest,
  before: SubscriberDetail | null,
  { data, etag }: Reply<Subscriber | SubscriberDetail>,
): Promise<Closing> {
  const current = { ...before, ...data };
  const whole = SubscriberDetail.safeParse(current).data;
  const computed = whole ? await versionOf(whole, mac) : null;
  return {
    outcome: 'done',
    code: null,
    subscriberId: data.id,
    after: changedFields(change, before, current),
    version: change.operation === 'deleteSubscriber' ? null : (etag ?? computed),
  };
}

function changedFields(
  { operation, input }: ChangeRequest,
  before: SubscriberDetail | null,
  current: RecordPart,
): Closing['after'] {
  if (operation === 'deleteSubscriber') return null;
  if (operation === 'createSubscriber' || !before) return maskedPart(current);
  const fields = operation === 'regenerateToken' ? ['accessToken'] : Object.keys(input.body);
  return maskedPart(pick(differing(before, current), fields));
}

/**
 * Writes the outcome to the journal. Writing it twice does no harm.
 *
 * @throws {Problem} `outcome-unknown` if it cannot be written; the entry then stays open until it is reconciled
 */
async function close(
  deps: JournalDeps,
  given: ChangeContext,
  entry: ChangeRow,
  closing: Closing,
): Promise<void> {
  try {
    const until = Math.max(given.deadline, deps.clock() + leastTime);
    await retryUntil(deps, until, () => closeEntry(deps.append, entry, { closing, now: deps.clock() }));
  } catch (error) {
    logNotClosed(deps, entry, error);
    throw outcomeUnknown();
  }
}

const logNotClosed = ({ log }: JournalDeps, entry: ChangeRow, error: unknown): void =>
  log('error', 'change-not-closed', { entry: entry.id, ...errorFields(error) });
