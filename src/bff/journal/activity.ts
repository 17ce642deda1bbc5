import {
  ChangeEntry,
  EventEntry,
  type ActivityPage,
  type ActivityQuery,
  type EntryFilter,
  type JournalEntry,
  type RecordPart,
} from '../../contract/bff/journal.ts';
import { may } from '../../contract/bff/permission.ts';
import { Problem } from '../../contract/http/problem.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import { mapInSlices, type Wait } from '../../lib/map-concurrently.ts';
import type { ListPart } from '../export/stream.ts';
import { findSingleSignOn } from '../staff/store.ts';
import { readEventInput } from './chain.ts';
import { differing, findChange, findNewest, isSame, parsePart, pick, type NewestFields } from './entries.ts';
import { selectEntries } from './entry-search.ts';
import type { BffDb } from '../schema.ts';
import type { ChangeRow, JournalTable } from './schema.ts';
import { toPage } from '../../contract/http/shapes.ts';
import type { CurrentUser } from '../current-user.ts';

/**
 * Lists the entries that match a query and that a user may see, newest first.
 *
 * @throws {Problem} `not-allowed` if the user asks for the entries of someone else
 */
export async function listActivity(
  db: BffDb,
  query: ActivityQuery,
  user: CurrentUser,
  wait: Wait,
): Promise<ActivityPage> {
  const { page = 1, pageSize = pageSizes.usual } = query;
  const rows = selectEntries(db, query, user, { jobs: 'whole' });
  const totalCount = await countOf(rows);
  const place = { page, pageSize, totalCount };
  // Saves the database from counting to an offset far beyond the last page.
  if ((page - 1) * pageSize >= totalCount) return toPage([], place);
  const found = await readRows(db, rows, { limit: pageSize, offset: (page - 1) * pageSize });
  const edits = found.filter(isEdit);
  return toPage(await toEntries(db, found, { edits, hides: hidesFrom(user, query), wait }), place);
}

/** The place of an entry in the order of the list. */
export type EntryPlace = Pick<JournalTable, 'at' | 'seq'>;

/**
 * The entries of `listActivity` for a file, which says of no entry whether it was changed again.
 *
 * @param upTo the number of the last entry that belongs to the file
 * @throws {Problem} `not-allowed` if the user asks for the entries of someone else
 */
export function readActivity(
  db: BffDb,
  filter: EntryFilter,
  user: CurrentUser,
  { upTo, wait }: { upTo: number; wait: Wait },
) {
  const rows = selectEntries(db, filter, user, { jobs: 'whole' }).where('seq', '<=', upTo);
  return {
    count: () => countOf(rows),
    async after(place: EntryPlace | null): Promise<ListPart<JournalEntry, EntryPlace>> {
      const rest = place ? olderThan(rows, place) : rows;
      const found = await readRows(db, rest, { limit: pageSizes.most, offset: 0 });
      const last = found.length < pageSizes.most ? undefined : found.at(-1);
      return {
        items: await toEntries(db, found, { edits: [], hides: hidesFrom(user, filter), wait }),
        last: last ? { at: last.at, seq: last.seq } : null,
      };
    },
  };
}

type Rows = ReturnType<typeof selectEntries>;

async function countOf(rows: Rows): Promise<number> {
  const counted = await rows.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirst();
  return counted?.count ?? 0;
}

/** So many rows that are as long as they can be take 10 ms to come from the thread of slow reads, in which nobody has a turn. */
const rowsAtOnce = 25;

/** Reads some rows, newest first. Finds them in an index that has the columns of all filters, then reads only those. */
async function readRows(
  db: BffDb,
  rows: Rows,
  { limit, offset }: { limit: number; offset: number },
): Promise<JournalTable[]> {
  const read: JournalTable[] = [];
  for (let isLast = false; !isLast && read.length < limit;) {
    const last = read.at(-1);
    const some = Math.min(rowsAtOnce, limit - read.length);
    const ordered = (last ? olderThan(rows, last) : rows).select('seq as page_seq');
    const found = ordered.orderBy('at', 'desc').orderBy('seq', 'desc').limit(some);
    const next = await db
      .selectFrom(found.offset(last ? 0 : offset).as('page'))
      .innerJoin('journal', 'journal.seq', 'page.page_seq')
      .selectAll('journal')
      .orderBy('journal.at', 'desc')
      .orderBy('journal.seq', 'desc')
      .execute();
    read.push(...next);
    isLast = next.length < some;
  }
  return read;
}

const olderThan = (rows: Rows, { at, seq }: EntryPlace) =>
  rows.where((row) => row(row.refTuple('at', 'seq'), '<', row.tuple(at, seq)));

/**
 * The entry of a change, without `changedAgain`: its undo compares each field with the subscriber itself.
 *
 * @throws {Problem} `no-such-entry`; `cannot-undo` if it is the entry of something else
 */
export async function loadChange(db: BffDb, id: string): Promise<ChangeEntry> {
  const row = await findChange(db, id);
  if (row) return toChangeEntry(row, await findNames(db, [row], []));
  const other = db.selectFrom('journal').select('id').where('id', '=', id);
  if (await other.executeTakeFirst())
    throw new Problem('cannot-undo', 'Only changes to subscribers can be undone. Nothing was changed.');
  throw new Problem(
    'no-such-entry',
    'This activity entry does not exist. It may have been deleted because of its age. Reload the list.',
  );
}

/** An entry that undid another one, and the subscriber that it is about. */
type UndoRow = Pick<JournalTable, 'id' | 'subscriber_id'>;

/** Maps the id of each undone entry to the entry that undid it. */
async function findUndos(db: BffDb, ids: readonly string[]): Promise<Map<string | null, UndoRow>> {
  if (ids.length === 0) return new Map();
  const undos = db
    .selectFrom('journal')
    .select(['id', 'undo_of', 'subscriber_id'])
    .where('undo_of', 'in', ids);
  const done = await undos.where('outcome', '=', 'done').execute();
  return new Map(done.map((row) => [row.undo_of, row]));
}

const fieldsOf = (edits: readonly ChangeRow[]) =>
  new Set(edits.flatMap((row) => Object.keys(parsePart(row.after) ?? {})));

/** Finds who changed fields of edits later. */
async function findLater(db: BffDb, edits: readonly ChangeRow[]): Promise<Names['later']> {
  if (edits.length === 0) return new Map();
  const requested = Map.groupBy(edits, (row) => row.subscriber_id);
  return findNewest(
    db,
    new Map([...requested].map(([id, rows]) => [id, fieldsOf(rows)])),
    Math.min(...edits.map((row) => row.closed_seq ?? 0)),
  );
}

const isEdit = (row: JournalTable): row is ChangeRow =>
  row.operation === 'updateSubscriber' && row.outcome === 'done';

/** Rows of other tables and entries that belong to rows of the journal. */
interface Names {
  undos: ReadonlyMap<string | null, UndoRow>;
  later: ReadonlyMap<number | null, NewestFields>;
  singleSignOn: ReadonlySet<string>;
}

async function findNames(
  db: BffDb,
  rows: readonly JournalTable[],
  edits: readonly ChangeRow[],
): Promise<Names> {
  const changes = rows.filter(isChange).map(({ id }) => id);
  const accounts = rows.filter((row) => !isChange(row)).map((row) => readEventInput(row).account?.id ?? '');
  const later = await findLater(db, edits);
  const changers = [...later.values()].flatMap((fields) => [...fields.values()].map(({ row }) => row));
  const staff = [...rows, ...changers].map((row) => row.staff_id);
  return {
    undos: await findUndos(db, changes),
    later,
    singleSignOn: await findSingleSignOn(db, [...new Set([...staff, ...accounts])]),
  };
}

const isChange = (row: JournalTable): row is ChangeRow => row.kind === 'change';

const sizeOf = ({ before_record: before, input }: JournalTable) =>
  (before?.length ?? 0) + (input?.length ?? 0);

/** Turns rows into the contract's entries, as a user may see them. */
async function toEntries(
  db: BffDb,
  rows: readonly JournalTable[],
  { edits, hides, wait }: { edits: readonly ChangeRow[]; hides: (entry: ChangeEntry) => boolean; wait: Wait },
): Promise<JournalEntry[]> {
  const names = await findNames(db, rows, edits);
  const map = (row: JournalTable): JournalEntry => {
    const entry = isChange(row) ? toChangeEntry(row, names) : toEventEntry(row, names);
    return entry.kind === 'change' && hides(entry) ? { ...entry, before: null, after: null } : entry;
  };
  return mapInSlices(rows, { sizeOf, map, wait });
}

/**
 * Which changes a user may not see the fields of: the record that a deletion keeps, also of one that was not done, and, of
 * their own changes, any. Only of a subscriber that a filter names is it known that there still is one.
 */
function hidesFrom({ role }: CurrentUser, { subscriberId }: EntryFilter): (entry: ChangeEntry) => boolean {
  if (may(role, 'seeDeletedSubscribers')) return () => false;
  return ({ operation }) => subscriberId === undefined || operation === 'deleteSubscriber';
}

function toChangeEntry(row: ChangeRow, names: Names): ChangeEntry {
  const undo = names.undos.get(row.id);
  return ChangeEntry.parse({
    kind: row.kind,
    ...commonOf(row, names),
    ...(row.outcome === 'done' ? actualChange(row) : intendedChange(row)),
    outcome: row.outcome ?? 'unknown',
    code: row.code,
    reason: row.reason,
    undoOf: row.undo_of,
    undoneBy: undo?.id ?? null,
    madeAgainAs: (row.operation === 'deleteSubscriber' && undo?.subscriber_id) || null,
    jobId: row.job_id,
    changedAgain: isEdit(row) ? changedAgain(row, names) : null,
  });
}

/** The first field of an edit whose newest value is another one by now, and who gave it that. */
function changedAgain(row: ChangeRow, { later, singleSignOn }: Names): ChangeEntry['changedAgain'] {
  const newest = later.get(row.subscriber_id);
  for (const [field, value] of Object.entries(parsePart(row.after) ?? {}) as [keyof RecordPart, unknown][]) {
    const last = newest?.get(field);
    if (last && !isSame(field, last.value, value)) return { field, staff: staffOf(last.row, singleSignOn) };
  }
  return null;
}

const staffOf = (
  row: Pick<JournalTable, 'staff_id' | 'staff_name'>,
  singleSignOn: Names['singleSignOn'],
) => ({
  id: row.staff_id,
  name: row.staff_name,
  singleSignOn: singleSignOn.has(row.staff_id),
});

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
    staff: staffOf(row, singleSignOn),
    operation: row.operation,
    subscriberId: row.subscriber_id,
    username: row.username,
    requestId: row.request_id,
  };
}

/** The changed fields of an entry, before and after. */
type ChangedParts = Pick<ChangeEntry, 'before' | 'after'>;

/** The actual difference that a change made. */
function actualChange(row: ChangeRow): ChangedParts {
  const [before, after] = [parsePart(row.before_record), parsePart(row.after)];
  if (!before || !after) return { before, after };
  return { before: pick(before, Object.keys(after)), after };
}

/** The difference that a change was meant to make, for outcomes other than `done`. */
function intendedChange(row: ChangeRow): ChangedParts {
  const [before, input] = [parsePart(row.before_record), parsePart(row.input)];
  if (!before || row.operation === 'deleteSubscriber') return { before, after: input };
  if (row.operation === 'regenerateToken') return { before: pick(before, ['accessToken']), after: {} };
  const after = differing(before, input ?? {});
  return { before: pick(before, Object.keys(after)), after };
}
