import type { Kysely } from 'kysely';
import type { DeskTables } from './schema.ts';

/** The secret of this name: generated the first time, then the same for every replica and after every start. */
export async function keepSecret(
  db: Kysely<DeskTables>,
  name: 'client-secret' | 'journal-key',
  generate: () => string,
): Promise<string> {
  await db
    .insertInto('secrets')
    .values({ name, value: generate() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const kept = db.selectFrom('secrets').select('value').where('name', '=', name);
  return (await kept.executeTakeFirstOrThrow()).value;
}
