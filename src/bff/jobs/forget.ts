import type { SelectQueryBuilder, Transaction } from 'kysely';
import { readHeading } from '../../contract/bff/export-format.ts';
import type { JobCounts, RowReason } from '../../contract/bff/job.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { idIn } from '../imports/plan-row.ts';
import { numberRows, type FileState, type StoredPart } from '../imports/read-text.ts';
import { parseJson, type NamedPerson } from '../journal/named-person.ts';
import { lockRow } from '../lock-row.ts';
import type { BffTables } from '../schema.ts';
import { erasedColumns } from '../stored-data.ts';
import type { JobRowTable, JobTable } from './schema.ts';

type Tx = Transaction<BffTables>;

/** Number of rows, jobs and files that lost something, and number that a job still needs. */
export interface ForgottenJobs {
  rows: number;
  jobs: number;
  files: number;
  open: number;
}

/** Stands in a filter or a note for what was erased. */
const erased = '(erased)';

/**
 * Erases what jobs and files that wait hold about a person. Where something is still needed, the transaction has to be
 * given up.
 */
export async function forgetInJobs(tx: Tx, person: NamedPerson): Promise<ForgottenJobs> {
  const byJob = Map.groupBy(await findRows(tx, person), ({ job_id }) => job_id);
  const files = await findFiles(tx, person, byJob);
  const total: ForgottenJobs = { rows: 0, jobs: 0, files: await deleteUnread(tx, files), open: 0 };
  for (const { id } of await tx.selectFrom('jobs').select('id').orderBy('id').execute()) {
    const job = await lockRow(tx, 'jobs', { id });
    const rows = byJob.get(id) ?? [];
    if (!job) continue;
    const texts = textsWithout(job, person, rows.length > 0);
    if (isWorkedOn(job)) {
      const isRead = job.state === 'preparing' && (Object.keys(texts).length > 0 || files.includes(id));
      total.open += rows.filter(({ result }) => result === 'change').length + (isRead ? 1 : 0);
    }
    total.rows += await eraseRows(tx, rows);
    const remaining = rows.filter(({ result }) => result === 'change').length;
    const changes = { ...texts, ...(remaining > 0 && { counts: withSkipped(job, remaining) }) };
    if (Object.keys(texts).length > 0) total.jobs += 1;
    if (Object.keys(changes).length > 0)
      await tx.updateTable('jobs').set(changes).where('id', '=', id).execute();
  }
  total.rows += await eraseTextsOfOthers(tx, person);
  return total;
}

/** The rows of a person: by the ID, or before somebody is created by a name, a cell of the file or an answer. */
async function findRows(tx: Tx, person: NamedPerson): Promise<JobRowTable[]> {
  const own = tx.selectFrom('job_rows').selectAll().where('subscriber_id', 'in', [person.id, 0]);
  const found: JobRowTable[] = [];
  for await (const rows of inBatches(tx, own))
    found.push(
      ...rows.filter(
        (row) =>
          row.subscriber_id === person.id ||
          person.isName(row.username) ||
          person.isNamedIn([row.detail, parseJson(row.source), parseJson(row.after)]),
      ),
    );
  return found;
}

/** Rows of a job that are read at once: PostgreSQL ends a transaction that is silent for 10 s, as while 600,000 are looked through. */
const rowsAtOnce = 1000;

async function* inBatches<Row extends { number: number }>(
  tx: Tx,
  rows: SelectQueryBuilder<BffTables, 'job_rows', Row>,
): AsyncGenerator<Row[]> {
  for (const { id } of await tx.selectFrom('jobs').select('id').orderBy('id').execute()) {
    const ofJob = rows.where('job_id', '=', id).orderBy('number').limit(rowsAtOnce);
    let batch: Row[] = [];
    do {
      batch = await ofJob.where('number', '>', batch.at(-1)?.number ?? -1).execute();
      yield batch;
    } while (batch.length === rowsAtOnce);
  }
}

/** A row that was to be changed never is: it has nothing left to be changed by. @returns how many lost something */
async function eraseRows(tx: Tx, rows: readonly JobRowTable[]): Promise<number> {
  const blank = erasedColumns('job_rows');
  const names = Object.keys(blank) as (keyof typeof blank)[];
  const full = rows.filter((row) => names.some((name) => row[name] !== blank[name]));
  for (const { job_id: job, number, result } of full) {
    const skipped = { result: 'skipped', why: 'no-such-subscriber' satisfies RowReason } as const;
    await tx
      .updateTable('job_rows')
      .set({ ...blank, ...(result === 'change' && skipped) })
      .where('job_id', '=', job)
      .where('number', '=', number)
      .execute();
  }
  return full.length;
}

/** Erases the answers and the cells of a file that name the person in rows of others. @returns how many lost something */
async function eraseTextsOfOthers(tx: Tx, { id, isNamedIn }: NamedPerson): Promise<number> {
  const others = tx
    .selectFrom('job_rows')
    .select(['job_id', 'number', 'detail', 'source'])
    .where('subscriber_id', '<>', id)
    .where((where) => where.or([where('detail', 'is not', null), where('source', 'is not', null)]));
  const named: Pick<JobRowTable, 'job_id' | 'number'>[] = [];
  for await (const rows of inBatches(tx, others))
    named.push(...rows.filter(({ detail, source }) => isNamedIn([detail, parseJson(source)])));
  for (const { job_id: job, number } of named)
    await tx
      .updateTable('job_rows')
      .set({ detail: null, source: null })
      .where('job_id', '=', job)
      .where('number', '=', number)
      .execute();
  return named.length;
}

function withSkipped({ counts }: JobTable, count: number): string {
  const known = JSON.parse(counts) as JobCounts;
  return JSON.stringify({ ...known, change: known.change - count, skipped: known.skipped + count });
}

/** Jobs that a server reads and writes, also while the service does not answer, or right after somebody has ended them. */
const isWorkedOn = ({ state, pause, lease_until: held }: JobTable) =>
  ['preparing', 'running'].includes(state) ||
  (state === 'paused' && pause === 'service') ||
  (['paused', 'stopped'].includes(state) && held > 0);

/**
 * Values that replace the texts of a job that name a person.
 *
 * @param isTheirs true if the person was found by its filter, whose texts are then parts of the name
 */
function textsWithout(job: JobTable, person: NamedPerson, isTheirs: boolean): Partial<JobTable> {
  const replaced: Partial<JobTable> = {};
  if (person.isNamedIn(job.reason)) replaced.reason = null;
  const change = parseJson(job.change) as { appendNote?: string } | null;
  if (person.isNamedIn(change?.appendNote))
    replaced.change = JSON.stringify({ ...change, appendNote: erased });
  const file = parseJson(job.file) as { headings: string[] } | null;
  if (file && person.isNamedIn(file.headings))
    replaced.file = JSON.stringify({ ...file, headings: file.headings.map(() => erased) });
  const targets = parseJson(job.targets) as { query?: Record<string, string> } | null;
  const query = targets?.query ?? {};
  const isHidden = (name: string, value: string) =>
    textFilters.includes(name) && value !== erased && (isTheirs || person.isNamedIn(value));
  const shown = Object.entries(query).map(
    ([name, value]) => [name, isHidden(name, value) ? erased : value] as const,
  );
  if (shown.some(([name, value]) => query[name] !== value))
    replaced.targets = JSON.stringify({ ...targets, query: Object.fromEntries(shown) });
  return replaced;
}

/** Filters whose values are texts of people. The others have numbers, times or codes. */
const textFilters: readonly string[] = [
  'Username',
  'Email',
  'Note',
  'IpAddress',
  'UserAgent',
] satisfies (keyof ListQuery)[];

/**
 * The files that somebody has sent and that have the person in them: by name, by the ID in a column of that name, or by the
 * rows of their jobs.
 */
async function findFiles(
  tx: Tx,
  person: NamedPerson,
  rowsByJob: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  const found = new Set<string>();
  for (const { id, state } of await tx.selectFrom('imports').select(['id', 'state']).execute()) {
    if (rowsByJob.has(id) || person.isNamedIn(parseJson(state))) found.add(id);
    const { headings = [] } = Object(parseJson(state)) as Partial<FileState>;
    const columns = headings.map((heading) => (readHeading(heading)?.column.field === 'id' ? 'id' : null));
    const parts = tx.selectFrom('import_parts').select('rows').where('import_id', '=', id);
    for (const { rows } of await parts.execute()) {
      const read = numberRows((parseJson(rows) ?? []) as StoredPart, 0);
      if (read.some(({ row }) => person.isNamedIn(row) || idIn({ columns }, row) === person.id))
        found.add(id);
    }
  }
  return [...found];
}

/** Deletes files, but not one that a job is being prepared from. */
async function deleteUnread(tx: Tx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const read = tx.selectFrom('jobs').select('id').where('state', '=', 'preparing');
  const deleted = tx.deleteFrom('imports').where('id', 'in', ids).where('id', 'not in', read);
  return Number((await deleted.executeTakeFirst()).numDeletedRows);
}
