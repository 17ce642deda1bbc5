import { sql } from 'kysely';
import type { ActivityTotals, EntryFilter, JournalOperation } from '../../contract/bff/journal.ts';
import { findSingleSignOn } from '../staff/store.ts';
import { needsScan, selectEntries } from './entry-search.ts';
import type { CurrentUser } from '../current-user.ts';
import type { BffDb } from '../schema.ts';

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
