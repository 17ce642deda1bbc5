import type { BffDb } from '../schema.ts';

type SecretName = 'client-secret' | 'journal-key' | 'refresh-token-key' | 'second-factor-key';

/** The secret with this name: generated once, then the same for every replica and after every start. */
export async function findOrCreateSecret(
  db: BffDb,
  name: SecretName,
  generate: () => string,
): Promise<string> {
  await db
    .insertInto('secrets')
    .values({ name, value: generate() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = await findSecret(db, name);
  if (stored === null) throw new Error('A secret that was just stored is gone.');
  return stored;
}

/** The secret with this name; null if there is none yet. */
export async function findSecret(db: BffDb, name: SecretName): Promise<string | null> {
  const stored = db.selectFrom('secrets').select('value').where('name', '=', name);
  return (await stored.executeTakeFirst())?.value ?? null;
}
