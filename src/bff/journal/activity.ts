import { sql, type SelectQueryBuilder } from 'kysely';
import {
  ChangeEntry,
  EventEntry,
  type ActivityPage,
  type ActivityQuery,
  type EntryKind,
  type JournalEntry,
} from '../../contract/bff/journal.ts';
import { may } from '../../contract/bff/permission.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import { notAllowed } from '../middleware/guards.ts';
import type { CurrentUser } from '../request-context.ts';
import { findSingleSignOn } from '../staff/store.ts';
import type { Db } from './chain.ts';
import { staffIdOf } from './change-request.ts';
import { differing, findChange, parsePart, pick } from './entries.ts';
import { readEventInput } from './events.ts';
import type { BffTables } from '../schema.ts';
import type { ChangeRow, JournalTable } from './schema.ts';

/**
 * Lists the entries that a user may see, newest first. With a subscriber: the entries of everyone. Without one:
 * managers get the entries of everyone, other users their own.
 *
 * @throws {Refusal} `not-allowed` if the user asks for the entries of someone else
 */
export async function listActivity(db: Db, query: ActivityQuery, user: CurrentUser): Promise<ActivityPage> {
  const { subscriberId, kind, operation, job, from, to, page = 1, pageSize = pageSizes.usual } = query;
  const staff = staffToList(query, user);
  let rows = db.selectFrom('journal');
  if (staff !== null) rows = rows.where('staff_id', '=', staff);
  if (subscriberId !== undefined) rows = rows.where('subscriber_id', '=', subscriberId);
  if (operation !== undefined) rows = rows.where('operation', '=', operation);
  if (kind !== undefined)
    rows = rows.where(kindColumn(staff !== null || subscriberId !== undefined), '=', kind);
  // A job is one entry in a list, unless its changes are asked for.
  if (job !== undefined) rows = rows.where('job_id', '=', job);
  else if (subscriberId === undefined) rows = rows.where('job_id', 'is', null);
  if (from !== undefined) rows = rows.where('at', '>=', Date.parse(from));
  if (to !== undefined) rows = rows.where('at', '<', Date.parse(to));
  const counted = await rows.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirst();
  const totalCount = counted?.count ?? 0;
  const totalPages = Math.ceil(totalCount / pageSize);
  // Saves the database from counting to an offset far beyond the last page.
  if (page > totalPages) return { items: [], page, pageSize, totalCount, totalPages };
  const found = await readPage(db, rows.select('seq as page_seq'), { pageSize, page });
  const entries = await toEntries(db, found);
  const items = may(user.role, 'seeDeletedSubscribers') ? entries : entries.map(withoutDeleted);
  return { items, page, pageSize, totalCount, totalPages };
}

/**
 * The kind as a filter. Where another filter leaves fewer entries, the index by kind must not be read instead: it would be
 * most of the journal.
 */
function kindColumn(isFewer: boolean) {
  return isFewer ? sql<EntryKind>`journal.kind || ''` : sql<EntryKind>`journal.kind`;
}

/**
 * Reads a page, newest first. Finds its rows in an index that has the columns of all filters, then reads only those.
 */
async function readPage(
  db: Db,
  rows: SelectQueryBuilder<BffTables, 'journal', { page_seq: number }>,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<JournalTable[]> {
  const ordered = rows.orderBy('at', 'desc').orderBy('seq', 'desc');
  const found = ordered.limit(pageSize).offset((page - 1) * pageSize);
  return db
    .selectFrom(found.as('page'))
    .innerJoin('journal', 'journal.seq', 'page.page_seq')
    .selectAll('journal')
    .orderBy('journal.at', 'desc')
    .orderBy('journal.seq', 'desc')
    .execute();
}

/**
 * The entry of a change.
 *
 * @throws {Refusal} `no-such-entry`; `cannot-undo` if it is the entry of something else
 */
export async function loadChange(db: Db, id: string): Promise<ChangeEntry> {
  const row = await findChange(db, id);
  if (row) return toChangeEntry(row, await findNames(db, [row]));
  const other = db.selectFrom('journal').select('id').where('id', '=', id);
  if (await other.executeTakeFirst())
    throw new Refusal('cannot-undo', 'Only changes to subscribers can be undone. Nothing was changed.');
  throw new Refusal(
    'no-such-entry',
    'This activity entry does not exist. It may have been deleted because of its age. Reload the list.',
  );
}

/** The id of the user whose entries are listed; null for those of everyone. */
function staffToList({ subscriberId, staff }: ActivityQuery, user: CurrentUser): string | null {
  if (subscriberId !== undefined || may(user.role, 'seeAllActivity')) return staff ?? null;
  const own = staffIdOf(user);
  if (staff !== undefined && staff !== own) throw notAllowed('seeAllActivity');
  return own;
}

/** Maps the id of each undone entry to the id of the entry that undid it. */
async function findUndos(db: Db, ids: readonly string[]): Promise<Map<string | null, string>> {
  if (ids.length === 0) return new Map();
  const undos = db.selectFrom('journal').select(['id', 'undo_of']).where('undo_of', 'in', ids);
  const done = await undos.where('outcome', '=', 'done').execute();
  return new Map(done.map((row) => [row.undo_of, row.id]));
}

/** What other tables and entries say about rows of the journal. */
interface Names {
  undos: ReadonlyMap<string | null, string>;
  singleSignOn: ReadonlySet<string>;
}

async function findNames(db: Db, rows: readonly JournalTable[]): Promise<Names> {
  const changes = rows.filter(isChange).map(({ id }) => id);
  const accounts = rows.filter((row) => !isChange(row)).map((row) => readEventInput(row).account?.id ?? '');
  const staff = rows.map((row) => row.staff_id);
  return {
    undos: await findUndos(db, changes),
    singleSignOn: await findSingleSignOn(db, [...staff, ...accounts]),
  };
}

const isChange = (row: JournalTable): row is ChangeRow => row.kind === 'change';

/** Turns rows into the contract's entries. */
async function toEntries(db: Db, rows: readonly JournalTable[]): Promise<JournalEntry[]> {
  const names = await findNames(db, rows);
  return rows.map((row) => (isChange(row) ? toChangeEntry(row, names) : toEventEntry(row, names)));
}

function toChangeEntry(row: ChangeRow, names: Names): ChangeEntry {
  return ChangeEntry.parse({
    kind: row.kind,
    ...commonOf(row, names),
    ...(row.outcome === 'done' ? actualChange(row) : intendedChange(row)),
    outcome: row.outcome ?? 'unknown',
    code: row.code,
    reason: row.reason,
    undoOf: row.undo_of,
    undoneBy: names.undos.get(row.id) ?? null,
    jobId: row.job_id,
  });
}

function toEventEntry(row: JournalTable, names: Names): EventEntry {
  const { account, details } = readEventInput(row);
  return EventEntry.parse({
    kind: row.kind,
    ...commonOf(row, names),
    outcome: row.outcome,
    account: account && { ...account, singleSignOn: names.singleSignOn.has(account.id) },
    details,
  });
}

function commonOf(row: JournalTable, { singleSignOn }: Names) {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    staff: { id: row.staff_id, name: row.staff_name, singleSignOn: singleSignOn.has(row.staff_id) },
    operation: row.operation,
    subscriberId: row.subscriber_id,
    username: row.username,
    requestId: row.request_id,
  };
}

/** Without the record that a deletion keeps, also of one that was not done. */
function withoutDeleted(entry: JournalEntry): JournalEntry {
  return entry.operation === 'deleteSubscriber' ? { ...entry, before: null } : entry;
}

/** The changed fields of an entry, before and after. */
type Difference = Pick<ChangeEntry, 'before' | 'after'>;

/** What a change that was made did change. */
function actualChange(row: ChangeRow): Difference {
  const [before, after] = [parsePart(row.before_record), parsePart(row.after)];
  if (!before || !after) return { before, after };
  return { before: pick(before, Object.keys(after)), after };
}

/** What a change was meant to change, for outcomes other than `done`. */
function intendedChange(row: ChangeRow): Difference {
  const [before, input] = [parsePart(row.before_record), parsePart(row.input)];
  if (!before || row.operation === 'deleteSubscriber') return { before, after: input };
  if (row.operation === 'regenerateToken') return { before: pick(before, ['accessToken']), after: {} };
  const after = differing(before, input ?? {});
  return { before: pick(before, Object.keys(after)), after };
}
