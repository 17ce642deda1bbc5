import type { Db } from './chain.ts';

/**
 * Names an entry that says what no link covers. Each look is one statement, so that what a desk appends meanwhile is
 * seen with its link or not at all.
 */
export async function findStray(db: Db): Promise<string | null> {
  const begun = await db
    .selectFrom('journal')
    .select('id')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('journal_links')
            .select('journal_links.seq')
            .whereRef('journal_links.entry_id', '=', 'journal.id')
            .whereRef('journal_links.seq', '=', 'journal.seq')
            .where('journal_links.kind', '=', 'intent'),
        ),
      ),
    )
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  if (begun) return `Entry ${begun.id} has no link: it was put in, or its link was taken out.`;
  const closed = await strayOutcome(db);
  return closed === null ? null : `The outcome of entry ${closed} has no link, or its link has no outcome.`;
}

async function strayOutcome(db: Db): Promise<string | null> {
  const found = await db
    .selectFrom('journal')
    .leftJoin('journal_links as link', (join) =>
      join.onRef('link.entry_id', '=', 'journal.id').on('link.kind', '=', 'outcome'),
    )
    .select('journal.id')
    .where((row) =>
      row.or([
        row.and([row('link.seq', 'is', null), row.or(closings.map((name) => row(name, 'is not', null)))]),
        // Of a creation that is still open nobody knows whom it made.
        row.and([
          row('link.seq', 'is', null),
          row('operation', '=', 'createSubscriber'),
          row('subscriber_id', 'is not', null),
        ]),
        row.and([row('link.seq', 'is not', null), row('outcome', 'is', null)]),
      ]),
    )
    .orderBy('journal.seq')
    .limit(1)
    .executeTakeFirst();
  return found?.id ?? null;
}

const closings = ['closed_seq', 'closed_at', 'outcome', 'code', 'after', 'version'] as const;
