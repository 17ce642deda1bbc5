import { sql, type Kysely } from 'kysely';
import type { BffTables } from '../schema.ts';

/**
 * Whether an entry made a trial paid: `after` has only the fields that differ, as JSON that the BFF wrote, where no text
 * can hold an unescaped quotation mark. The same words are in the index, so that engines use it.
 */
export const becamePaid = sql<boolean>`after like '%"isTrial":false%' and before_record like '%"isTrial":true%' and outcome = 'done'`;

/** The migration that lets the overview count the trials that became paid without reading other entries. */
export async function addIndexOfConversions(db: Kysely<BffTables>): Promise<void> {
  await db.schema.createIndex('journal_conversions').on('journal').column('at').where(becamePaid).execute();
}
