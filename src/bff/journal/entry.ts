import { JournalEntry, RecordPart } from '../../contract/bff/journal.ts';
import type { JournalTable } from './schema.ts';
import { differing, pick } from './record.ts';

/** A row of the journal as people read it. */
export function asEntry(row: JournalTable, undoneBy: string | null): JournalEntry {
  return JournalEntry.parse({
    id: row.id,
    at: new Date(row.at).toISOString(),
    staff: { id: row.staff_id, name: row.staff_name },
    operation: row.operation,
    subscriberId: row.subscriber_id,
    username: row.username,
    ...(row.outcome === 'done' ? wasDone(row) : wasWanted(row)),
    outcome: row.outcome ?? 'unknown',
    code: row.code,
    reason: row.reason,
    requestId: row.request_id,
    undoOf: row.undo_of,
    undoneBy,
  });
}

type Sides = Pick<JournalEntry, 'before' | 'after'>;

function wasDone(row: JournalTable): Sides {
  const [before, after] = [partIn(row.before_record), partIn(row.after)];
  if (!before || !after) return { before, after };
  return { before: pick(before, Object.keys(after)), after };
}

/** What was to be done, for entries of which it is not said that it was. */
function wasWanted(row: JournalTable): Sides {
  const [before, input] = [partIn(row.before_record), partIn(row.input)];
  if (!before || row.operation === 'deleteSubscriber') return { before, after: input };
  if (row.operation === 'regenerateToken') return { before: pick(before, ['accessToken']), after: {} };
  const after = differing(before, input ?? {});
  return { before: pick(before, Object.keys(after)), after };
}

/** A part of a record as the journal keeps it, from its own JSON. */
export function partIn(text: string | null): RecordPart | null {
  return text === null ? null : RecordPart.parse(JSON.parse(text));
}
