import { maskedToken } from '../../contract/bff/access-token.ts';
import type { JobCounts, JobPreview } from '../../contract/bff/job.ts';
import type { RecordPart } from '../../contract/bff/journal.ts';
import { listNames, type ListName } from '../../contract/service/limits.ts';
import { storable } from '../../lib/text.ts';
import { parsePart } from '../journal/entries.ts';
import type { Plan, PreparedRow } from './plan.ts';
import type { ImportedFile, JobRowTable, JobTable } from './schema.ts';
import { noCounts } from './store.ts';
import type { BffDb } from '../schema.ts';

/**
 * Warnings about a subscriber that is to be created or changed, or made again: its state afterwards, and the status that it has
 * or had, which a new one has not.
 */
function warningsOf({ plan, current, undoOf }: PreparedRow, now: number): string | null {
  if (plan.result !== 'change') return null;
  const next: RecordPart = { ...current?.record, ...plan.after };
  const names = [
    next.status !== undefined && `status-${next.status}`,
    Date.parse(next.expiresAt ?? '') <= now && 'expired',
    next.hls === false && next.mpegTs === false && 'no-format',
    // An undo sets back what was there.
    ...(undoOf === undefined ? listNames : []).map((name) => isEmptied(name, plan) && `emptied-${name}`),
  ].filter((name) => name !== false);
  return names.length > 0 ? ` ${names.join(' ')} ` : null;
}

/** True if a list has values, and none afterwards. An empty list may limit nobody to its values any more. */
const isEmptied = (name: ListName, { before, after }: Plan): boolean =>
  (before?.[name] ?? []).length > 0 && after?.[name]?.length === 0;

/** The preview of a job anew, of its rows as they are. Others have their turn after every 1,000 of them. */
export async function summarizeRows(
  db: BffDb,
  job: JobTable,
  wait: (ms: number) => Promise<void>,
): Promise<string> {
  const summary = createSummary(job);
  summary.readAs.push(...((JSON.parse(job.preview ?? '{}') as Partial<JobPreview>).readAs ?? []));
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('job_rows')
      .select(['number', 'result', 'why', 'after', 'warnings'])
      .where('job_id', '=', job.id)
      .where('number', '>', last)
      .orderBy('number')
      .limit(1000)
      .execute();
    for (const row of rows) summary.add(row, parsePart(row.after));
    last = rows.at(-1)?.number ?? 0;
    if (rows.length === 0) break;
    await wait(0);
  }
  return JSON.stringify(summary.preview());
}

/** Adds up what a person should know before the job starts. */
export function createSummary({ kind }: Pick<JobTable, 'kind'>) {
  const counts: JobCounts = { ...noCounts };
  const statuses: Record<string, number> = {};
  const emptied: JobPreview['emptied'] = {};
  const others = new Map<string, JobPreview['others'][number]>();
  let [earliest, latest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [stillExpired, withoutFormat, created, deleted] = [0, 0, 0, 0];
  const readAs: string[] = [];
  return {
    counts,
    readAs,
    add(row: Pick<JobRowTable, 'result' | 'why' | 'warnings'>, after: Plan['after' | 'before']) {
      const { result, why, warnings } = row;
      counts[result] += 1;
      if (why !== null) {
        const key = `${result} ${why}`;
        others.set(key, { result, why, count: (others.get(key)?.count ?? 0) + 1 });
      }
      if (result !== 'change') return;
      if (kind === 'undo' && after === null) deleted += 1;
      const expiry = Date.parse(after?.expiresAt ?? '');
      if (!Number.isNaN(expiry)) {
        earliest = Math.min(earliest, expiry);
        latest = Math.max(latest, expiry);
      }
      const names = warnings?.trim().split(' ') ?? [];
      const status = names.find((name) => name.startsWith('status-'))?.slice(7);
      // Only who is or was there has one.
      if (status === undefined) created += 1;
      else statuses[status] = (statuses[status] ?? 0) + 1;
      if (names.includes('expired')) stillExpired += 1;
      if (names.includes('no-format')) withoutFormat += 1;
      for (const name of listNames)
        if (names.includes(`emptied-${name}`)) emptied[name] = (emptied[name] ?? 0) + 1;
    },
    preview: (): JobPreview => ({
      earliest: instantOf(earliest),
      latest: instantOf(latest),
      statuses,
      stillExpired,
      withoutFormat,
      emptied,
      created,
      deleted,
      readAs,
      others: [...others.values()],
    }),
  };
}

const instantOf = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null);

/** Creates a function that leaves rows out of an import again that somebody had left out before it was prepared anew. */
export function createLeaveOut({ file }: Pick<JobTable, 'file'>): (row: JobRowTable) => JobRowTable {
  const { leftOut = [] } = JSON.parse(file ?? '{}') as Partial<ImportedFile>;
  const numbers = new Set(leftOut);
  return (row) => (row.result === 'change' && numbers.has(row.number) ? { ...row, result: 'left-out' } : row);
}

/** A row of a job that is prepared, as it is stored. */
export function toRow(job: JobTable, number: number, row: PreparedRow): JobRowTable {
  const { of, plan, current, undoOf, source } = row;
  return {
    job_id: job.id,
    number,
    subscriber_id: of.id,
    // That of a file may be any text, and so may its headings, which a detail names.
    username: storable(of.username),
    version: current?.version ?? null,
    result: plan.result,
    why: plan.why,
    detail: plan.detail === null ? null : storable(plan.detail),
    before: asText(plan.before),
    after: asText(plan.after),
    undo_of: undoOf ?? null,
    warnings: warningsOf(row, job.created_at),
    tries: 0,
    source: source ? JSON.stringify(source) : null,
  };
}

/** As it is stored: a token only masked. */
function asText(part: Plan['before']): string | null {
  if (part === null) return null;
  const { accessToken } = part;
  return JSON.stringify({
    ...part,
    ...(accessToken !== undefined && { accessToken: maskedToken(accessToken) }),
  });
}
