import type { SelectQueryBuilder } from 'kysely';
import { JournalEntry, type ActivityPage, type ActivityQuery } from '../../contract/bff/journal.ts';
import { may } from '../../contract/bff/permission.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import { notAllowed } from '../middleware/guards.ts';
import type { CurrentUser } from '../request-context.ts';
import { findSingleSignOn } from '../staff/store.ts';
import type { Db } from './chain.ts';
import { staffIdOf } from './change-request.ts';
import { differing, findEntry, parsePart, pick } from './entries.ts';
import type { BffTables } from '../schema.ts';
import type { JournalTable } from './schema.ts';

/**
 * Lists the entries that a user may see, newest first. With a subscriber: the entries of everyone. Without one:
 * managers get the entries of everyone, other users their own.
 *
 * @throws {Refusal} `not-allowed` if the user asks for the entries of someone else
 */
export async function listActivity(db: Db, query: ActivityQuery, user: CurrentUser): Promise<ActivityPage> {
  const { subscriberId, operation, from, to, page = 1, pageSize = pageSizes.usual } = query;
  const staff = staffToList(query, user);
  let rows = db.selectFrom('journal');
  if (staff !== null) rows = rows.where('staff_id', '=', staff);
  if (subscriberId !== undefined) rows = rows.where('subscriber_id', '=', subscriberId);
  if (operation !== undefined) rows = rows.where('operation', '=', operation);
  if (from !== undefined) rows = rows.where('at', '>=', Date.parse(from));
  if (to !== undefined) rows = rows.where('at', '<', Date.parse(to));
  const counted = await rows.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirst();
  const totalCount = counted?.count ?? 0;
  const totalPages = Math.ceil(totalCount / pageSize);
  // Saves the database from counting to an offset far beyond the last page.
  if (page > totalPages) return { items: [], page, pageSize, totalCount, totalPages };
  const found = await readPage(db, rows.select('seq as page_seq'), { pageSize, page });
  const items = await toEntries(db, found);
  return { items, page, pageSize, totalCount, totalPages };
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

/** @throws {Refusal} `no-such-entry` */
export async function loadEntry(db: Db, id: string): Promise<JournalEntry> {
  const row = await findEntry(db, id);
  const [entry] = await toEntries(db, row ? [row] : []);
  if (!entry)
    throw new Refusal(
      'no-such-entry',
      'This activity entry does not exist. It may have been deleted because of its age. Reload the list.',
    );
  return entry;
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

/** Turns rows into the contract's entries. */
async function toEntries(db: Db, rows: readonly JournalTable[]): Promise<JournalEntry[]> {
  const undos = await findUndos(
    db,
    rows.map(({ id }) => id),
  );
  const singleSignOn = await findSingleSignOn(
    db,
    rows.map((row) => row.staff_id),
  );
  return rows.map((row) =>
    toEntry(row, { undoneBy: undos.get(row.id) ?? null, singleSignOn: singleSignOn.has(row.staff_id) }),
  );
}

function toEntry(
  row: JournalTable,
  { undoneBy, singleSignOn }: { undoneBy: string | null; singleSignOn: boolean },
): JournalEntry {
  return JournalEntry.parse({
    id: row.id,
    at: new Date(row.at).toISOString(),
    staff: { id: row.staff_id, name: row.staff_name, singleSignOn },
    operation: row.operation,
    subscriberId: row.subscriber_id,
    username: row.username,
    ...(row.outcome === 'done' ? actualChange(row) : intendedChange(row)),
    outcome: row.outcome ?? 'unknown',
    code: row.code,
    reason: row.reason,
    requestId: row.request_id,
    undoOf: row.undo_of,
    undoneBy,
  });
}

/** The changed fields of an entry, before and after. */
type Difference = Pick<JournalEntry, 'before' | 'after'>;

/** What a change that was made did change. */
function actualChange(row: JournalTable): Difference {
  const [before, after] = [parsePart(row.before_record), parsePart(row.after)];
  if (!before || !after) return { before, after };
  return { before: pick(before, Object.keys(after)), after };
}

/** What a change was meant to change, for outcomes other than `done`. */
function intendedChange(row: JournalTable): Difference {
  const [before, input] = [parsePart(row.before_record), parsePart(row.input)];
  if (!before || row.operation === 'deleteSubscriber') return { before, after: input };
  if (row.operation === 'regenerateToken') return { before: pick(before, ['accessToken']), after: {} };
  const after = differing(before, input ?? {});
  return { before: pick(before, Object.keys(after)), after };
}
