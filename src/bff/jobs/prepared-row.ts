import { maskedToken } from '../../contract/bff/access-token.ts';
import { storable } from '../../lib/storable.ts';
import type { Plan, PreparedRow } from './plan.ts';
import type { JobRowTable, JobTable } from './schema.ts';
import { warningsOf } from './summary.ts';

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
