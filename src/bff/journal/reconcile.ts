import { searchText } from '../../contract/service/search-text.ts';
import { masked } from '../../contract/bff/access-token.ts';
import type { Change } from '../../contract/bff/journal.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { Subscriber, type SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { CallContext, Caller } from '../upstream/call.ts';
import { upstreamLimits, withDeadline } from '../upstream/exchange.ts';
import { isAboutRequest, reworded } from '../upstream/failures.ts';
import type { Mac } from './chain.ts';
import { findIdsByName, findRecord, type CurrentRecord, type JournalDeps } from './change-request.ts';
import {
  closeEntry,
  differing,
  findConfirmed,
  isSame,
  maskedPart,
  parsePart,
  pick,
  pickEntered,
  type Closing,
} from './entries.ts';
import type { ChangeRow } from './schema.ts';

/** The subscriber as a change has left it. */
export interface ChangeResult {
  /** The id of its entry in the journal. */
  readonly entry: string;
  /**
   * The record afterwards; for a deletion, before it. Its token is masked, but for a regeneration, which is for the token
   * and answers no lists.
   */
  readonly record: Subscriber | SubscriberDetail;
  readonly etag: string | null;
  /** An earlier request with the same key has made the change. */
  readonly replayed?: true;
}

/** The outcome of a change that got no answer, and the record that shows it. */
interface Reconciled {
  closing: Closing;
  current: CurrentRecord | null;
}

type Reading = Pick<CallContext, 'role' | 'requestId' | 'signal'>;

type ReconcileDeps = Pick<JournalDeps, 'append' | 'db' | 'caller' | 'mac' | 'limits'>;

/**
 * Reads the service to find out whether a change was made.
 *
 * @param options.atMost how long all reading together may take, in ms, if that is less than usual
 * @throws {Problem} if the service cannot be read in that time, or the database confirms nothing
 */
export async function reconcile(
  deps: ReconcileDeps,
  entry: ChangeRow,
  { atMost = Number.POSITIVE_INFINITY }: { atMost?: number } = {},
): Promise<Reconciled> {
  const { total } = deps.limits ?? upstreamLimits;
  return withDeadline(Math.min(atMost, total), async (signal) => {
    // Of a database that confirms no commit, what is read may be out of date: a commit that waits for a standby cannot be
    // seen yet, and a node that was replaced may still be read.
    await findConfirmed(deps.append, entry.id);
    return readOutcome(deps, entry, { role: 'viewer', requestId: entry.request_id, signal });
  });
}

async function readOutcome(deps: ReconcileDeps, entry: ChangeRow, reading: Reading): Promise<Reconciled> {
  if (entry.operation === 'createSubscriber') return findCreated(deps, entry, reading);
  const found = await findRecord(deps.caller, Number(entry.subscriber_id), reading);
  if (found) return compare[entry.operation](deps, entry, found);
  return withoutRecord(entry.operation === 'deleteSubscriber' ? 'done' : 'unknown', entry);
}

type Compare = (deps: { mac: Mac }, entry: ChangeRow, current: CurrentRecord) => Promise<Reconciled>;

/** Compares the current record of an existing subscriber with a change, to find out whether it was made. */
const compare: Record<Exclude<Change, 'createSubscriber'>, Compare> = {
  deleteSubscriber: async (_, entry) => withoutRecord('failed', entry),
  async regenerateToken({ mac }, entry, current) {
    const { accessToken } = current.record;
    if ((await mac('token', accessToken)) === entry.token_mac) return withoutRecord('failed', entry);
    return done(current, maskedPart({ accessToken }));
  },
  async updateSubscriber(_, entry, current) {
    const { accessToken: _token, ...record } = current.record;
    const before = parsePart(entry.before_record) ?? {};
    const requested = differing(before, parsePart(entry.input) ?? {});
    const fields = Object.keys(requested) as (keyof SubscriberInput)[];
    if (fields.every((field) => isSame(field, record[field], requested[field])))
      return done(current, pick(record, fields));
    const isUntouched = fields.every((field) => isSame(field, record[field], before[field]));
    return withoutRecord(isUntouched ? 'failed' : 'unknown', entry);
  },
};

/** True if the answer to a change has the subscriber as before, so that it can't tell what became of the change. */
export async function saysUnchanged(
  deps: { mac: Mac },
  entry: ChangeRow,
  record: Subscriber | SubscriberDetail,
): Promise<boolean> {
  if (entry.operation !== 'updateSubscriber' && entry.operation !== 'regenerateToken') return false;
  // Of a regeneration, whose answer has no lists, only the token is compared.
  const current = { record: record as SubscriberDetail, version: null };
  return (await compare[entry.operation](deps, entry, current)).closing.outcome === 'failed';
}

/**
 * True if the answer to a creation is about somebody else: some services answer a taken username with the subscriber who has
 * it, and to undo such a creation would delete them. A service may tidy what was entered, but an email address only in its
 * case; and it may use a number again.
 */
export async function isSomebodyElse(
  deps: Pick<ReconcileDeps, 'db'>,
  entry: ChangeRow,
  record: Subscriber | SubscriberDetail,
): Promise<boolean> {
  if (entry.operation !== 'createSubscriber') return false;
  const entered = parsePart(entry.input) ?? {};
  if (Object.keys(differing(record, entered)).length === 0) return false;
  const hasOtherEmail = record.email !== '' && searchText(record.email) !== searchText(entered.email ?? '');
  return hasOtherEmail || (await wasThereBefore(deps, entry, record.id));
}

/** True if an earlier entry is about the subscriber, and none says that it was deleted: its number may then be given again. */
async function wasThereBefore(
  { db }: Pick<ReconcileDeps, 'db'>,
  entry: ChangeRow,
  id: number,
): Promise<boolean> {
  const earlier = await db
    .selectFrom('journal')
    .select(['operation', 'outcome'])
    .where('subscriber_id', '=', id)
    .where('seq', '<', entry.seq)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined && !(earlier.operation === 'deleteSubscriber' && earlier.outcome === 'done');
}

const done = (current: CurrentRecord, after: Closing['after']): Reconciled => ({
  current,
  closing: {
    outcome: 'done',
    code: null,
    subscriberId: current.record.id,
    after,
    version: current.version,
  },
});

const withoutRecord = (outcome: Closing['outcome'], entry: ChangeRow): Reconciled => ({
  current: null,
  closing: closingWithout(outcome, entry),
});

/** Closes a change without a record that shows what it did. */
export const closingWithout = (outcome: Closing['outcome'], entry: ChangeRow): Closing => ({
  outcome,
  code: outcome === 'failed' ? 'upstream-unreachable' : null,
  subscriberId: entry.subscriber_id,
  after: null,
  version: null,
});

/**
 * Finds the subscriber that a creation created: one with the same username and all fields as entered. A subscriber of
 * an earlier entry existed before, so this creation did not create it. One that differs may be it as well, since some
 * services tidy what is entered; so may one that had the username in a later entry.
 */
async function findCreated(deps: ReconcileDeps, entry: ChangeRow, reading: Reading): Promise<Reconciled> {
  const { db, caller } = deps;
  const input = parsePart(entry.input) ?? {};
  const { email } = input;
  const name = searchText(entry.username);
  const { username: Username } = entry;
  const isIt = (found: string) => searchText(found) === name;
  const find = (filter: ListQuery) => findIdsByName(caller, { ...filter, Username }, isIt, reading);
  // By both first, because very many may have a short name in theirs.
  const known = email === undefined ? [] : await find({ Email: email });
  const ids = known.length > 0 ? known : await find({});
  if (ids.length === 0) {
    const later = db
      .selectFrom('journal')
      .select('id')
      .limit(1)
      .where('seq', '>', entry.seq)
      .where('username_key', '=', name)
      .where('subscriber_id', 'is not', null);
    return withoutRecord((await later.executeTakeFirst()) ? 'unknown' : 'failed', entry);
  }
  const older = await Promise.all(ids.map((id) => wasThereBefore(deps, entry, id)));
  // The newest, where a service gives a name to several.
  const id = ids.filter((_, index) => !older[index]).at(-1);
  if (id === undefined) return withoutRecord('failed', entry);
  const found = await findRecord(caller, id, reading);
  // Null if it was found and is deleted since.
  const isAsEntered = found && Object.keys(differing(pickEntered(found.record), input)).length === 0;
  return isAsEntered ? done(found, maskedPart(found.record)) : withoutRecord('unknown', entry);
}

/** Time that an entry is open before it counts as abandoned, in ms. Longer than any call to the service takes. */
export const abandonedAfter = 20_000;

/** Most time between the clocks of two servers, in ms: each may be a minute from that of PostgreSQL. */
export const serversApart = 120_000;

/**
 * Finds out the outcome of a change whose process ended, and closes its entry.
 *
 * @returns the closed entry; null if its process may still be working on it
 * @throws {Problem} `outcome-unknown` if the service cannot be read
 */
export async function reconcileAbandoned(deps: JournalDeps, entry: ChangeRow): Promise<ChangeRow | null> {
  const { append, clock } = deps;
  const age = clock() - entry.at;
  // One from the far future is from a server whose clock was wrong, and that has ended since.
  if (age <= abandonedAfter && age >= -serversApart) return null;
  const { closing } = await reconcile(deps, entry).catch((error: unknown) => {
    throw error instanceof Problem ? unknownAfter(error) : error;
  });
  const closed = await closeEntry(append, entry, { closing, now: clock() });
  logReconciled(deps, closed);
  return closed;
}

export const logReconciled = ({ log }: Pick<JournalDeps, 'log'>, { request_id, id, outcome }: ChangeRow) =>
  log('warn', 'change-reconciled', { requestId: request_id, entry: id, outcome: outcome ?? 'unknown' });

/** The result of a change by what the record is afterwards; for a deletion, before it. */
export function resultOf(
  { id, operation }: Pick<ChangeRow, 'id' | 'operation'>,
  current: { record: Subscriber | SubscriberDetail; version: string | null } | null,
): ChangeResult {
  if (!current) throw outcomeUnknown();
  const { record, version } = current;
  return {
    entry: id,
    record: operation === 'regenerateToken' ? Subscriber.parse(record) : masked(record),
    etag: operation === 'deleteSubscriber' ? null : version,
  };
}

/**
 * The result of a change that is requested again: the record as it is now; for a deletion the record before it.
 *
 * @throws {Problem} `outcome-unknown`; `no-such-subscriber` if it was deleted later; `changed-since` for a regeneration if
 *   the token may be a later one; why the service cannot be read
 */
export async function resultFromEntry(caller: Caller, entry: ChangeRow): Promise<ChangeResult> {
  const { subscriber_id: id, operation, outcome } = entry;
  if (outcome === 'unknown') throw new NeverKnown();
  if (outcome !== 'done' || id === null) throw outcomeUnknown();
  if (operation === 'deleteSubscriber') {
    // A record as it was read, but for its id and with a masked token; nothing else of one that was erased.
    const record = { id, ...parsePart(entry.before_record) } as SubscriberDetail;
    return { entry: entry.id, record, etag: null, replayed: true };
  }
  const found = await findRecord(caller, id, { role: 'viewer', requestId: entry.request_id }).catch(
    (error: unknown) => {
      throw error instanceof Problem ? unreadableAfterChange(error) : error;
    },
  );
  if (!found)
    throw new Problem('no-such-subscriber', 'The change was made, and the subscriber was deleted later.');
  if (operation === 'regenerateToken' && found.version !== entry.version)
    throw new Problem('changed-since', 'The token was replaced, and the subscriber was changed later.');
  return { ...resultOf(entry, found), replayed: true };
}

/** Why the service cannot be read, after the change itself was made. */
const unreadableAfterChange = (refusal: Problem) =>
  reworded(refusal, `The change was made, but the subscriber can’t be shown. ${refusal.message}`);

export const outcomeUnknown = () =>
  new Problem(
    'outcome-unknown',
    'It is unclear whether the change was made. Wait 30 seconds and check the subscriber before you try again.',
    { headers: { 'Retry-After': '30' } },
  );

/** @param failure why the service could not be read */
export const unknownAfter = (failure: Problem) =>
  isAboutRequest(failure) ? new NeverKnown() : outcomeUnknown();

/** The entry is closed as unknown, or the service answers but for this one record: waiting does not help. */
export class NeverKnown extends Problem {
  constructor() {
    const { code, message, particulars } = outcomeUnknown();
    super(code, message, particulars);
  }
}
