import { base64url } from 'jose';
import type { Kysely } from 'kysely';
import type { Scope } from '../contract/endpoint.ts';
import { isPlainText } from '../contract/parameter.ts';
import { scopes } from '../contract/token.ts';
import type { ServiceTables } from './store/schema.ts';

type Db = Kysely<ServiceTables>;

/**
 * Lets an API client in, or gives one that is known another secret and other scopes.
 *
 * @param client.secret long and random: a plain digest of it is stored, which would not protect a password
 */
export async function setApiClient(
  db: Db,
  client: { id: string; secret: string; scopes: readonly Scope[] },
): Promise<void> {
  const values = { secret_digest: await digest(client.secret), scopes: client.scopes.join(' ') };
  await db
    .insertInto('api_clients')
    .values({ id: client.id, ...values })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
    .execute();
}

/** @returns the scopes that the client may have, or null where the id or the secret is wrong */
export async function authenticateClient(db: Db, id: string, secret: string): Promise<Scope[] | null> {
  // PostgreSQL would answer a NUL in a text with an error.
  if (!isPlainText(id)) return null;
  const row = await db.selectFrom('api_clients').selectAll().where('id', '=', id).executeTakeFirst();
  // An unknown client costs a comparison too, so that the time tells nothing.
  const same = sameText(await digest(secret), row?.secret_digest ?? (await digest('')));
  if (!row || !same) return null;
  const allowed = new Set(row.scopes.split(' '));
  return scopes.filter((scope) => allowed.has(scope));
}

async function digest(secret: string): Promise<string> {
  return base64url.encode(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))),
  );
}

/** Compares in a time that does not depend on where the texts differ. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
