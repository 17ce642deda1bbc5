import type { Kysely } from 'kysely';
import { sha256, sealAnswer, unsealAnswer } from '../contract/http/crypto.ts';
import { checkFingerprint, keyLifetime, keyUsedBefore } from '../contract/http/change-headers.ts';
import type { ServiceTables } from './schema.ts';

type Db = Kysely<ServiceTables>;

/** What an operation answers, as a 200. */
export interface Answer {
  body: unknown;
  etag?: string;
  /** Whether the change had been done before, and this is its answer of then. */
  replayed?: boolean;
}

/** A request for an operation that changes something. */
export interface Change {
  /** The id of the API client: the same key of another client is another key. */
  client: string;
  key: string | null;
  /** The operation and its input, whose fields are in the contract's order since they were read. */
  request: unknown;
}

/**
 * Does a change that came with a key once, and answers it the same for a day. The key is stored with the change, in one
 * transaction, so that there is never the one without the other.
 *
 * A refusal changed nothing and is not remembered: the same key may be sent again. So there are never more keys than
 * changes in a day; a client that may change things can fill the disk without any key as well.
 *
 * @throws {Refusal} `key-used-before` where the key came with another request
 */
export type Once = (change: Change, work: (db: Db) => Promise<Answer>) => Promise<Answer>;

/** How often expired keys are deleted, in ms. */
const deleteExpiredEvery = 60_000;

export function createOnce(deps: {
  db: Db;
  clock: () => number;
  random: (bytes: number) => Uint8Array;
}): Once {
  const { db, clock, random } = deps;
  let deletedAt = Number.NEGATIVE_INFINITY;
  const deleteExpired = async (now: number) => {
    if (now - deletedAt < deleteExpiredEvery) return;
    deletedAt = now;
    await db
      .deleteFrom('service_once')
      .where('created_at', '<=', now - keyLifetime)
      .execute();
  };

  return async ({ client, key, request }, work) => {
    if (key === null) return work(db);
    const now = clock();
    const row = {
      client_id: client,
      key_digest: await sha256(key),
      change_digest: await sha256(`${key}\n${JSON.stringify(request)}`),
      answer: '',
      created_at: now,
    };
    const answered = await db.transaction().execute(async (transaction) => {
      const known = await claimKey(transaction, row);
      if (known) {
        checkFingerprint(known.change_digest, row.change_digest);
        return replay(known, key);
      }
      const answer = await work(transaction);
      await transaction
        .updateTable('service_once')
        .set({ answer: await sealAnswer(key, answer, random) })
        .where('client_id', '=', row.client_id)
        .where('key_digest', '=', row.key_digest)
        .execute();
      return answer;
    });
    // The change is done: its caller need not hear that the deletion of others' keys failed.
    await deleteExpired(now).catch(() => {});
    return answered;
  };
}

type Row = ServiceTables['service_once'];

/**
 * Stores a key, unless it is there already. While another transaction has just stored it, this waits for the other's end.
 *
 * @returns the row of a key that is there already
 */
async function claimKey(transaction: Db, row: Row): Promise<Row | undefined> {
  await transaction
    .deleteFrom('service_once')
    .where('client_id', '=', row.client_id)
    .where('key_digest', '=', row.key_digest)
    .where('created_at', '<=', row.created_at - keyLifetime)
    .execute();
  const stored = await transaction
    .insertInto('service_once')
    .values(row)
    .onConflict((conflict) => conflict.columns(['client_id', 'key_digest']).doNothing())
    .returning('key_digest')
    .executeTakeFirst();
  if (stored) return undefined;
  return transaction
    .selectFrom('service_once')
    .selectAll()
    .where('client_id', '=', row.client_id)
    .where('key_digest', '=', row.key_digest)
    .executeTakeFirstOrThrow();
}

async function replay(known: Row, key: string): Promise<Answer> {
  // `createOnce` sealed it, so that it is an answer where it can be read at all.
  const answer = (await unsealAnswer(key, known.answer)) as Answer | undefined;
  if (answer) return { ...answer, replayed: true };
  throw keyUsedBefore(
    'This was done, but the answer to this key cannot be read any more. Read the subscriber, and use a new key for the next change.',
  );
}
