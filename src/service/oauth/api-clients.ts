import { equalInConstantTime, sha256, toBase64url } from '../../lib/crypto.ts';
import { isPlainText } from '../../contract/http/plain-text.ts';
import { scopes, type Scope } from '../../contract/service/token.ts';
import type { ServiceDb } from '../schema.ts';

/**
 * Adds an API client, or replaces the secrets and the scopes of an existing one. Given a transaction, it becomes part
 * of it.
 *
 * @param client.secrets long and random: a plain digest of each is stored, which would not protect a password
 */
export async function setApiClient(
  db: ServiceDb,
  client: { id: string; secrets: readonly string[]; scopes: readonly Scope[] },
): Promise<void> {
  const digests = await Promise.all(client.secrets.map(sha256));
  const set = async (transaction: ServiceDb) => {
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
export async function authenticateClient(db: ServiceDb, id: string, secret: string): Promise<Scope[] | null> {
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

interface Deps {
  db: ServiceDb;
  random: (bytes: number) => Uint8Array;
}

/** Secrets of a client that are valid at a time: the one in use and its successor. */
const secretsAtOnce = 2;

/** @returns the secret of the new client, which is never shown again; null if the client exists already */
export async function addApiClient(
  { db, random }: Deps,
  client: { id: string; scopes: readonly Scope[] },
): Promise<string | null> {
  const secret = newSecret(random);
  return db.transaction().execute(async (transaction) => {
    if ((await generationsOf(transaction, client.id)).length > 0) return null;
    await setApiClient(transaction, { ...client, secrets: [secret] });
    return secret;
  });
}

/** @returns a second secret of the client, or why there is none */
export async function addClientSecret(
  { db, random }: Deps,
  id: string,
): Promise<{ secret: string } | 'unknown' | 'full'> {
  const secret = newSecret(random);
  const row = { client_id: id, digest: await sha256(secret) };
  return db.transaction().execute(async (transaction) => {
    const generations = await generationsOf(transaction, id);
    const last = generations.at(-1);
    if (last === undefined) return 'unknown';
    if (generations.length >= secretsAtOnce) return 'full';
    await transaction
      .insertInto('client_secrets')
      .values({ ...row, generation: last + 1 })
      .execute();
    return { secret };
  });
}

/** Removes the older of two secrets. The last secret stays; remove the client instead. */
export async function removeOlderSecret(
  db: ServiceDb,
  id: string,
): Promise<'removed' | 'unknown' | 'only-one'> {
  return db.transaction().execute(async (transaction) => {
    const [oldest, ...newer] = await generationsOf(transaction, id);
    if (oldest === undefined) return 'unknown';
    if (newer.length === 0) return 'only-one';
    await transaction
      .deleteFrom('client_secrets')
      .where('client_id', '=', id)
      .where('generation', '=', oldest)
      .execute();
    return 'removed';
  });
}

/** @returns whether there was such a client; it gets no new tokens, and its tokens expire as usual */
export async function removeApiClient(db: ServiceDb, id: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('client_secrets').where('client_id', '=', id).execute();
    const { numDeletedRows } = await transaction
      .deleteFrom('api_clients')
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}

/** True if any client but these may ask for a token. */
export async function hasApiClients(db: ServiceDb, butFor: readonly string[]): Promise<boolean> {
  const rows = await db.selectFrom('api_clients').select('id').execute();
  return rows.some(({ id }) => !butFor.includes(id));
}

/** The generations of a client's secrets, of which each client has one or two; none where there is no such client. */
async function generationsOf(db: ServiceDb, id: string): Promise<number[]> {
  const rows = await db
    .selectFrom('client_secrets')
    .select('generation')
    .where('client_id', '=', id)
    .orderBy('generation')
    .execute();
  return rows.map(({ generation }) => generation);
}

/** 256 bits, as the digest that is stored of it. */
const newSecret = (random: Deps['random']) => toBase64url(random(32));
