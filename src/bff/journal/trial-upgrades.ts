import { sql } from 'kysely';

/**
 * True if an entry made a trial paid: `after` has only the fields that differ, as JSON that the BFF wrote, where no
 * text can hold an unescaped quotation mark. The same words are in the index, so that engines use it.
 */
export const becamePaid = sql<boolean>`after like '%"isTrial":false%' and before_record like '%"isTrial":true%' and outcome = 'done'`;
