import { jobLimits, type JobRow, type JobRowPage, type RowResult } from '../../contract/bff/job.ts';
import { toPage } from '../../contract/http/shapes.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import { mapInSlices, type Wait } from '../../lib/map-concurrently.ts';
import type { ListPart } from '../export/stream.ts';
import { parsePart } from '../journal/entries.ts';
import type { BffDb } from '../schema.ts';
import type { JobRowTable } from './schema.ts';
import type { Paged } from './store.ts';

interface RowFilter {
  result?: RowResult | undefined;
  warning?: string | undefined;
}

function selectRows(db: BffDb, jobId: string, { result, warning }: RowFilter) {
  let rows = db.selectFrom('job_rows').where('job_id', '=', jobId);
  if (result !== undefined) rows = rows.where('result', '=', result);
  if (warning !== undefined) rows = rows.where('warnings', 'like', `% ${warning} %`);
  return rows;
}

/** Number of rows of a job that match. */
export async function countMatchingRows(db: BffDb, jobId: string, filter: RowFilter): Promise<number> {
  const counted = selectRows(db, jobId, filter).select((row) => row.fn.countAll<number>().as('count'));
  return (await counted.executeTakeFirst())?.count ?? 0;
}

/** A page of the rows of a job, in their order. */
export async function listRows(
  db: BffDb,
  jobId: string,
  { page = 1, pageSize = pageSizes.usual, ...filter }: Paged & RowFilter,
  wait: Wait,
): Promise<JobRowPage> {
  const totalCount = await countMatchingRows(db, jobId, filter);
  const place = { limit: pageSize, offset: (page - 1) * pageSize };
  return toPage(await readRows(selectRows(db, jobId, filter), place, wait), { page, pageSize, totalCount });
}

/** The rows of a job that follow a number, in their order, for a file; null for the first ones. */
export async function readRowsAfter(
  db: BffDb,
  jobId: string,
  filter: RowFilter,
  { number, wait }: { number: number | null; wait: Wait },
): Promise<ListPart<JobRow, number>> {
  let rows = selectRows(db, jobId, filter);
  if (number !== null) rows = rows.where('number', '>', number);
  const items = await readRows(rows, { limit: pageSizes.most, offset: 0 }, wait);
  return { items, last: items.length < pageSizes.most ? null : (items.at(-1)?.number ?? null) };
}

/** The subscribers of the rows of a job that have one result. Others have their turn between its parts. */
export async function idsOfRows(
  db: BffDb,
  { job, result }: { job: string; result: RowResult },
  wait: Wait,
): Promise<number[]> {
  const rows = db.selectFrom('job_rows').select(['number', 'subscriber_id as id']).where('job_id', '=', job);
  const named = rows.where('result', '=', result).where('subscriber_id', '>', 0).orderBy('number');
  const ids: number[] = [];
  for (let last = 0; ;) {
    const found = await named.where('number', '>', last).limit(jobLimits.ids).execute();
    ids.push(...found.map(({ id }) => id));
    const end = found[jobLimits.ids - 1];
    if (!end) return ids;
    last = end.number;
    await wait(0);
  }
}

/** So many rows that are as long as they can be take SQLite 15 ms, of which most is memory. */
const rowsAtOnce = 25;

async function readRows(
  rows: ReturnType<typeof selectRows>,
  { limit, offset }: { limit: number; offset: number },
  wait: Wait,
): Promise<JobRow[]> {
  const items: JobRow[] = [];
  for (let isLast = false; !isLast && items.length < limit;) {
    const next = rows
      .selectAll()
      .orderBy('number')
      .limit(Math.min(rowsAtOnce, limit - items.length));
    // By the place of the last one: a job that goes on takes rows before it out of the filter.
    const last = items.at(-1)?.number;
    const found = await (
      last === undefined ? next.offset(offset) : next.where('number', '>', last)
    ).execute();
    items.push(...(await mapInSlices(found, { sizeOf, map: toJobRow, wait })));
    isLast = found.length < rowsAtOnce;
  }
  return items;
}

const sizeOf = ({ before, after, source }: JobRowTable) => `${before}${after}${source}`.length;

function toJobRow(row: JobRowTable): JobRow {
  const { number, username, result, why, detail } = row;
  return {
    number,
    subscriberId: row.subscriber_id,
    username,
    result,
    why,
    detail,
    before: parsePart(row.before),
    after: parsePart(row.after),
    source: row.source === null ? null : (JSON.parse(row.source) as string[]),
  };
}
