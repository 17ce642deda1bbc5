import { sha256, seal, unseal } from '../lib/crypto.ts';
import { checkFingerprint, keyLifetime, keyUsedBefore } from '../contract/http/change-headers.ts';
import type { ServiceTables, ServiceDb } from './schema.ts';

/** The successful answer of an operation. */
export interface Result {
  body: unknown;
  etag?: string;
  /** True if the change was made before and this is the answer that was stored then. */
  replayed?: boolean;
}

/** A request for an operation that changes something. */
interface KeyedRequest {
  /** The id of the API client. The same key of another client is another key. */
  client: string;
  key: string | null;
  /** The operation and its input; reading it has put the fields into the contract's order. */
  request: unknown;
}

/**
 * Makes a change with a key only once, and answers it the same for a day. The key and the change are stored in one
 * transaction, so neither exists without the other. The answer is encrypted under the key, which is stored nowhere: it may
 * hold an access token, and only a client that sends the key again can read it.
 *
 * A refused change is not stored, so the key can be sent again and there are never more keys than changes. A client
 * that may make changes could fill the disk without keys as well.
 *
 * @throws {Problem} `key-used-before` if the key came with another request
 */
export type Once = (change: KeyedRequest, work: (db: ServiceDb) => Promise<Result>) => Promise<Result>;

/** Interval of looking for expired keys, in ms. */
const deleteExpiredEvery = 60_000;

/** Keys that are deleted with one change: others wait 10 ms for so many, and over a second for those of 100,000 changes. */
const deletedAtOnce = 500;

export function createOnce(deps: {
  db: ServiceDb;
  clock: () => number;
  random: (bytes: number) => Uint8Array;
}): Once {
  const { db, clock, random } = deps;
  let deletedAt = Number.NEGATIVE_INFINITY;
  const deleteExpired = async (now: number) => {
    if (now - deletedAt < deleteExpiredEvery) return;
    const isExpired = db.selectFrom('service_once').where('created_at', '<=', now - keyLifetime);
    const some = isExpired.select(['client_id', 'key_digest']).limit(deletedAtOnce);
    const { numDeletedRows } = await db
      .deleteFrom('service_once')
      .where((row) =>
        row(row.refTuple('client_id', 'key_digest'), 'in', some.$asTuple('client_id', 'key_digest')),
      )
      .executeTakeFirst();
    // The next change deletes the next ones.
    if (numDeletedRows < deletedAtOnce) deletedAt = now;
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
        .set({ answer: await seal('answer', key, answer, random) })
        .where('client_id', '=', row.client_id)
        .where('key_digest', '=', row.key_digest)
        .execute();
      return answer;
    });
    // The change is made, so its caller is not told that deleting old keys failed.
    await deleteExpired(now).catch(() => {});
    return answered;
  };
}

type Row = ServiceTables['service_once'];

/**
 * Stores a key, unless it is stored already. If another transaction is storing it right now, this waits for its end.
 *
 * @returns the row of a key that was stored already
 */
async function claimKey(transaction: ServiceDb, row: Row): Promise<Row | undefined> {
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

async function replay(known: Row, key: string): Promise<Result> {
  // Made by `createOnce`, so it is an answer if it can be decrypted.
  const answer = (await unseal('answer', key, known.answer)) as Result | undefined;
  if (answer) return { ...answer, replayed: true };
  throw keyUsedBefore(
    'The change was made, but its answer can no longer be read. Read the subscriber, and use a new key for your next change.',
  );
}
