import { CompactEncrypt, compactDecrypt } from 'jose';
import { fromBase64url, sha256 } from '../contract/http/crypto.ts';
import type { Kysely } from 'kysely';
import { changeHeaders, keyLifetime } from '../contract/http/change-headers.ts';
import { Refusal } from '../contract/http/refusal.ts';
import type { ServiceTables } from './schema.ts';

type Db = Kysely<ServiceTables>;

/** What an operation answers, as a 200. */
export interface Answer {
  body: unknown;
  etag?: string;
  /** Whether the change had been done before, and this is what was answered then. */
  replayed?: boolean;
}

/** An operation that is asked for. */
export interface Change {
  /** The id of the client that asks: keys of one mean nothing to another. */
  client: string;
  key: string | null;
  /** The operation and its input, whose fields are in the contract's order since they were read. */
  what: unknown;
}

/**
 * Does a change that came with a key once, and answers it the same for a day. The key is stored with the change, in one
 * transaction, so that there is never the one without the other.
 *
 * A refusal changed nothing and is not remembered: what was refused may be sent again with its key. So there are never
 * more keys than changes were done in a day; a client that may change things can fill the disk without any key as well.
 *
 * @throws {Refusal} `key-used-before` where the key came with another change
 */
export type Once = (change: Change, work: (db: Db) => Promise<Answer>) => Promise<Answer>;

/** How often keys that are over are forgotten, in ms. */
const forgetEvery = 60_000;

export function createOnce({ db, clock }: { db: Db; clock: () => number }): Once {
  let forgotten = Number.NEGATIVE_INFINITY;
  const forget = async (now: number) => {
    if (now - forgotten < forgetEvery) return;
    forgotten = now;
    await db
      .deleteFrom('service_once')
      .where('created_at', '<=', now - keyLifetime)
      .execute();
  };

  return async ({ client, key, what }, work) => {
    if (key === null) return work(db);
    const now = clock();
    const place = { client_id: client, key_digest: await sha256(key) };
    const change_digest = await sha256(`${key}\n${JSON.stringify(what)}`);
    const done = await db.transaction().execute(async (transaction) => {
      const known = await claim(transaction, { ...place, change_digest, answer: '', created_at: now });
      if (known) return replay(known, change_digest, key);
      const answer = await work(transaction);
      await transaction
        .updateTable('service_once')
        .set({ answer: await seal(answer, key) })
        .where('client_id', '=', place.client_id)
        .where('key_digest', '=', place.key_digest)
        .execute();
      return answer;
    });
    // The change is done: that others could not be forgotten is not for its caller to hear.
    await forget(now).catch(() => {});
    return done;
  };
}

type Row = ServiceTables['service_once'];

/**
 * Takes a key, unless it is taken. Who asks for one that another transaction has just taken waits for its end.
 *
 * @returns what is known of a key that is taken
 */
async function claim(transaction: Db, row: Row): Promise<Row | undefined> {
  await transaction
    .deleteFrom('service_once')
    .where('client_id', '=', row.client_id)
    .where('key_digest', '=', row.key_digest)
    .where('created_at', '<=', row.created_at - keyLifetime)
    .execute();
  const taken = await transaction
    .insertInto('service_once')
    .values(row)
    .onConflict((conflict) => conflict.columns(['client_id', 'key_digest']).doNothing())
    .returning('key_digest')
    .executeTakeFirst();
  if (taken) return undefined;
  return transaction
    .selectFrom('service_once')
    .selectAll()
    .where('client_id', '=', row.client_id)
    .where('key_digest', '=', row.key_digest)
    .executeTakeFirstOrThrow();
}

async function replay(known: Row, changeDigest: string, key: string): Promise<Answer> {
  if (known.change_digest === changeDigest) return { ...(await unseal(known.answer, key)), replayed: true };
  const sentence = 'This key was used for another change. Use a new one for each change.';
  throw new Refusal('key-used-before', sentence, { errors: { [changeHeaders.key]: [sentence] } });
}

/** An answer holds an access token: it is kept so that only who sends the key again can read it. */
async function seal(answer: Answer, key: string): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(answer)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(await secretOf(key));
}

async function unseal(sealed: string, key: string): Promise<Answer> {
  const { plaintext } = await compactDecrypt(sealed, await secretOf(key));
  // Sealed by the function above, and by nobody else.
  return JSON.parse(new TextDecoder().decode(plaintext)) as Answer;
}

/** Another digest of the key than the one that is stored. */
async function secretOf(key: string): Promise<Uint8Array> {
  return fromBase64url(await sha256(`answer\n${key}`));
}
