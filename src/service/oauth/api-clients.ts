import { equalInConstantTime, sha256 } from '../../lib/crypto.ts';
import type { Kysely } from 'kysely';
import { isPlainText } from '../../contract/http/text.ts';
import { scopes, type Scope } from '../../contract/service/token.ts';
import type { ServiceTables } from '../schema.ts';

type Db = Kysely<ServiceTables>;

/**
 * Adds an API client, or replaces the secrets and the scopes of an existing one. Given a transaction, it becomes part
 * of it.
 *
 * @param client.secrets long and random: a plain digest of each is stored, which would not protect a password
 */
export async function setApiClient(
  db: Db,
  client: { id: string; secrets: readonly string[]; scopes: readonly Scope[] },
): Promise<void> {
  const digests = await Promise.all(client.secrets.map(sha256));
  const set = async (transaction: Db) => {
    const values = { scopes: client.scopes.join(' ') };
    await transaction
      .insertInto('api_clients')
      .values({ id: client.id, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
    await transaction.deleteFrom('client_secrets').where('client_id', '=', client.id).execute();
    const rows = digests.map((digest, index) => ({ client_id: client.id, generation: index + 1, digest }));
    await transaction.insertInto('client_secrets').values(rows).execute();
  };
  await (db.isTransaction ? set(db) : db.transaction().execute(set));
}

/** @returns the scopes that the client may have; null if the id or the secret is wrong */
export async function authenticateClient(db: Db, id: string, secret: string): Promise<Scope[] | null> {
  // PostgreSQL would answer a NUL in a text with an error.
  if (!isPlainText(id)) return null;
  const rows = await db
    .selectFrom('api_clients')
    .innerJoin('client_secrets', 'client_secrets.client_id', 'api_clients.id')
    .select(['api_clients.scopes', 'client_secrets.digest'])
    .where('api_clients.id', '=', id)
    .execute();
  const sent = await sha256(secret);
  // An unknown client costs a comparison too, so that the time tells nothing.
  const none = await sha256('');
  const same = (rows.length > 0 ? rows : [{ digest: none }]).filter((row) =>
    equalInConstantTime(sent, row.digest),
  );
  const [row] = rows;
  if (!row || same.length === 0) return null;
  const allowed = new Set(row.scopes.split(' '));
  return scopes.filter((scope) => allowed.has(scope));
}
