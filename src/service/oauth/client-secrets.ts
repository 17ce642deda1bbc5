import type { Scope } from '../../contract/service/token.ts';
import { sha256, toBase64url } from '../../lib/crypto.ts';
import type { Kysely } from 'kysely';
import { setApiClient } from './api-clients.ts';
import type { ServiceTables } from '../schema.ts';

interface Deps {
  db: Kysely<ServiceTables>;
  random: (bytes: number) => Uint8Array;
}

/** How many secrets of a client are valid at a time: the one in use and its successor. */
const secretsAtOnce = 2;

/** @returns the secret of the new client, which is never shown again; null if the client exists already */
export async function addApiClient(
  { db, random }: Deps,
  client: { id: string; scopes: readonly Scope[] },
): Promise<string | null> {
  const secret = newSecret(random);
  return db.transaction().execute(async (transaction) => {
    if (await isKnown(transaction, client.id)) return null;
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
    if (!(await isKnown(transaction, id))) return 'unknown';
    const generations = await generationsOf(transaction, id);
    if (generations.length >= secretsAtOnce) return 'full';
    const generation = (generations.at(-1) ?? 0) + 1;
    await transaction
      .insertInto('client_secrets')
      .values({ ...row, generation })
      .execute();
    return { secret };
  });
}

/** Removes the older of two secrets. The last secret stays; remove the client instead. */
export async function removeOlderSecret(
  db: Deps['db'],
  id: string,
): Promise<'removed' | 'unknown' | 'only-one'> {
  return db.transaction().execute(async (transaction) => {
    if (!(await isKnown(transaction, id))) return 'unknown';
    const [oldest, ...newer] = await generationsOf(transaction, id);
    if (oldest === undefined || newer.length === 0) return 'only-one';
    await transaction
      .deleteFrom('client_secrets')
      .where('client_id', '=', id)
      .where('generation', '=', oldest)
      .execute();
    return 'removed';
  });
}

/** @returns whether there was such a client; it gets no new tokens, and its tokens expire as usual */
export async function removeApiClient(db: Deps['db'], id: string): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('client_secrets').where('client_id', '=', id).execute();
    const { numDeletedRows } = await transaction
      .deleteFrom('api_clients')
      .where('id', '=', id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  });
}

/** Whether any client but these may ask for a token. */
export async function hasApiClients(db: Deps['db'], butFor: readonly string[]): Promise<boolean> {
  const rows = await db.selectFrom('api_clients').select('id').execute();
  return rows.some(({ id }) => !butFor.includes(id));
}

const isKnown = async (db: Deps['db'], id: string) =>
  (await db.selectFrom('api_clients').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

async function generationsOf(db: Deps['db'], id: string): Promise<number[]> {
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
