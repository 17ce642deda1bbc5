import { sql, type SelectQueryBuilder } from 'kysely';
import {
  kindOf,
  type EntryFilter,
  type ActivityTotals,
  type JournalOperation,
} from '../../contract/bff/journal.ts';
import { may } from '../../contract/bff/permission.ts';
import { searchText } from '../../contract/service/search-text.ts';
import { notAllowed } from '../http/guards.ts';
import type { BffTables, BffDb } from '../schema.ts';
import { type CurrentUser, staffIdOf } from '../current-user.ts';
import { findSingleSignOn } from '../staff/store.ts';

/** Entries that match a filter, before it is said what is read of them. */
type SelectedEntries = SelectQueryBuilder<BffTables, 'journal', object>;

/**
 * Selects the entries that match a filter, of those that a user may see. With a subscriber's id: the entries of everyone.
 * Without one: managers get the entries of everyone, other users their own.
 *
 * @param options.jobs `whole`: the entry of a job stands for its changes, unless the filter names a job or a subscriber, or
 *   asks for changes. `changes`: the changes of jobs are among the entries
 * @throws {Problem} `not-allowed` if the user asks for the entries of someone else
 */
export function selectEntries(
  db: BffDb,
  filter: EntryFilter,
  user: CurrentUser,
  { jobs }: { jobs: 'whole' | 'changes' },
): SelectedEntries {
  const { subscriberId, username, account, kind, operation, outcome, job, from, to } = filter;
  const staff = staffOf(filter, user);
  const scans = needsScan(filter);
  // Where another filter leaves fewer entries, the index by kind must not be read: it would be most of the journal.
  const hasFewer = scans || jobs === 'changes' || staff !== null || subscriberId !== undefined;
  let rows: SelectedEntries = db.selectFrom('journal');
  if (staff !== null) rows = rows.where(column('staff_id', scans), '=', staff);
  if (subscriberId !== undefined) rows = rows.where('subscriber_id', '=', subscriberId);
  if (operation !== undefined)
    rows = rows.where(column('operation', scans || jobs === 'changes'), '=', operation);
  if (kind !== undefined) rows = rows.where(column('kind', hasFewer), '=', kind);
  if (account !== undefined) rows = rows.where('account_id', '=', account);
  if (outcome === 'unknown') rows = rows.where(sql<string>`coalesce(outcome, 'unknown')`, '=', outcome);
  else if (outcome !== undefined) rows = rows.where(column('outcome', true), '=', outcome);
  if (username !== undefined)
    rows = rows.where(sql<boolean>`username_key like ${containsPattern(username)} escape '\\'`);
  if (job !== undefined) rows = rows.where('job_id', '=', job);
  else if (
    jobs === 'whole' &&
    subscriberId === undefined &&
    username === undefined &&
    !asksForChanges(filter)
  )
    rows = rows.where('job_id', 'is', null);
  if (from !== undefined) rows = rows.where('at', '>=', Date.parse(from));
  if (to !== undefined) rows = rows.where('at', '<', Date.parse(to));
  return rows;
}

/** True for a filter that the entry of a job cannot match: it is no change, and always done. */
const asksForChanges = ({ kind, operation, outcome = 'done' }: EntryFilter): boolean =>
  kind === 'change' || (operation !== undefined && kindOf(operation) === 'change') || outcome !== 'done';

/**
 * True if only `activity_all` has the columns of a filter. One scan of it is quicker than reading each entry that
 * another index finds.
 */
function needsScan({ subscriberId, job, username, account, outcome }: EntryFilter): boolean {
  const isNarrow = subscriberId !== undefined || job !== undefined;
  return !isNarrow && [username, account, outcome].some((value) => value !== undefined);
}

/** The id of the user whose entries are selected; null for those of everyone. */
function staffOf({ subscriberId, staff }: EntryFilter, user: CurrentUser): string | null {
  if (subscriberId !== undefined || may(user.role, 'seeAllActivity')) return staff ?? null;
  const own = staffIdOf(user);
  if (staff !== undefined && staff !== own) throw notAllowed('seeAllActivity');
  return own;
}

/** A column as a filter. As an expression, it keeps the database from choosing an index that begins with it. */
const column = (name: 'staff_id' | 'operation' | 'kind' | 'outcome', asExpression: boolean) =>
  asExpression ? sql<string>`${sql.ref(name)} || ''` : sql<string>`${sql.ref(name)}`;

const containsPattern = (text: string) => `%${searchText(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The entries of one person with one operation. */
interface Group {
  staff_id: string;
  operation: JournalOperation;
  done: number;
  by_jobs: number;
  not_done: number;
  /** The newest entry; it has the person's latest name. */
  newest: number;
}

/** Counts the entries that match a filter and that a user may see, by person and operation. */
export async function totalActivity(
  db: BffDb,
  filter: EntryFilter,
  user: CurrentUser,
): Promise<ActivityTotals> {
  const groups = await readGroups(db, filter, user);
  const byPerson = Map.groupBy(groups, (group) => group.staff_id);
  const names = await readNames(db, [...byPerson.values()]);
  const singleSignOn = await findSingleSignOn(db, [...byPerson.keys()]);
  const people = [...byPerson].map(([id, own]) => ({
    staff: { id, name: names.get(id) ?? '', singleSignOn: singleSignOn.has(id) },
    counts: own.map((group) => ({
      operation: group.operation,
      done: group.done,
      byJobs: group.by_jobs,
      notDone: group.not_done,
    })),
    all: own.reduce((sum, { done }) => sum + done, 0),
  }));
  people.sort((one, other) => other.all - one.all || (one.staff.name < other.staff.name ? -1 : 1));
  return { people: people.map(({ staff, counts }) => ({ staff, counts })) };
}

/** Reads only an index, unless the filter has a subscriber's id or a job. */
function readGroups(db: BffDb, filter: EntryFilter, user: CurrentUser): Promise<Group[]> {
  // As an expression, it keeps the database from an index in this order that lacks a column of the filter.
  const staff = needsScan(filter) ? sql<string>`staff_id || ''` : sql<string>`staff_id`;
  return selectEntries(db, filter, user, { jobs: 'changes' })
    .select([staff.as('staff_id'), 'operation'])
    .select([
      count(`outcome = 'done'`).as('done'),
      count(`outcome = 'done' and job_id is not null`).as('by_jobs'),
      count(`coalesce(outcome, 'unknown') <> 'done'`).as('not_done'),
    ])
    .select((row) => row.fn.max<number>('seq').as('newest'))
    .groupBy([staff, 'operation'])
    .execute();
}

const count = (condition: string) => sql<number>`count(case when ${sql.raw(condition)} then 1 end)`;

/** Maps ids of accounts to their names, as the newest entry of each has them. */
async function readNames(db: BffDb, people: readonly (readonly Group[])[]): Promise<Map<string, string>> {
  if (people.length === 0) return new Map();
  const newest = people.map((own) => Math.max(...own.map((group) => group.newest)));
  const rows = db.selectFrom('journal').select(['staff_id', 'staff_name']).where('seq', 'in', newest);
  return new Map((await rows.execute()).map((row) => [row.staff_id, row.staff_name]));
}
