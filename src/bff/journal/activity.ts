import type { ActivityPage, ActivityQuery, JournalEntry } from '../../contract/bff/journal.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import { may, whyNot } from '../../contract/bff/permission.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { CurrentUser } from '../request-context.ts';
import type { Db } from './chain.ts';
import { asEntry } from './entry.ts';
import { findEntry } from './entries.ts';
import { staffIdOf } from './change-request.ts';

/**
 * The journal as somebody may see it: of one subscriber all of it, else managers everybody's and others their own.
 *
 * @throws {Refusal} `not-allowed` where somebody asks for another's
 */
export async function listActivity(db: Db, query: ActivityQuery, user: CurrentUser): Promise<ActivityPage> {
  const { subscriberId, operation, from, to, page = 1, pageSize = pageSizes.usual } = query;
  const staff = whoseToSee(query, user);
  let rows = db.selectFrom('journal');
  if (staff !== null) rows = rows.where('staff_id', '=', staff);
  if (subscriberId !== undefined) rows = rows.where('subscriber_id', '=', subscriberId);
  if (operation !== undefined) rows = rows.where('operation', '=', operation);
  if (from !== undefined) rows = rows.where('at', '>=', Date.parse(from));
  if (to !== undefined) rows = rows.where('at', '<', Date.parse(to));
  const counted = await rows.select((row) => row.fn.countAll<number>().as('count')).executeTakeFirst();
  const totalCount = counted?.count ?? 0;
  const totalPages = Math.ceil(totalCount / pageSize);
  // Far beyond the last page no engine has to count: there is nothing.
  if (page > totalPages) return { items: [], page, pageSize, totalCount, totalPages };
  const newest = rows.selectAll().orderBy('seq', 'desc');
  const found = await newest
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const undos = await undosOf(
    db,
    found.map(({ id }) => id),
  );
  const items = found.map((row) => asEntry(row, undos.get(row.id) ?? null));
  return { items, page, pageSize, totalCount, totalPages };
}

/** @throws {Refusal} `no-such-entry` */
export async function loadEntry(db: Db, id: string): Promise<JournalEntry> {
  const row = await findEntry(db, id);
  if (!row)
    throw new Refusal('no-such-entry', 'It may be older than the journal is kept. Load the list again.');
  return asEntry(row, (await undosOf(db, [id])).get(id) ?? null);
}

function whoseToSee({ subscriberId, staff }: ActivityQuery, user: CurrentUser): string | null {
  if (subscriberId !== undefined || may(user.role, 'seeAllActivity')) return staff ?? null;
  const own = staffIdOf(user);
  if (staff !== undefined && staff !== own) throw new Refusal('not-allowed', whyNot('seeAllActivity'));
  return own;
}

/** By the id of an entry, the one that took it back. */
async function undosOf(db: Db, ids: readonly string[]): Promise<Map<string | null, string>> {
  if (ids.length === 0) return new Map();
  const undos = db.selectFrom('journal').select(['id', 'undo_of']).where('undo_of', 'in', ids);
  const done = await undos.where('outcome', '=', 'done').execute();
  return new Map(done.map((row) => [row.undo_of, row.id]));
}
