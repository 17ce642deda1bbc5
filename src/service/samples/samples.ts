import { sql, type CompiledQuery } from 'kysely';
import { toBase64url } from '../../lib/crypto.ts';
import { createSeededRandom } from './seeded-random.ts';
import { inventUsernames, inventSubscriber } from './subscriber.ts';
import { isPostgres } from '../database.ts';
import { rebuildIndexes } from '../subscribers/indexes.ts';
import type { ServiceDb } from '../schema.ts';
import { wholeColumnsOf } from '../subscribers/store.ts';

/** True if there is a subscriber, or was one before all were deleted: the database never gives out an id again. */
export async function hasHadSubscribers(db: ServiceDb): Promise<boolean> {
  const given = isPostgres(db)
    ? sql`select 1 from subscribers_id_seq where is_called`
    : sql`select 1 from sqlite_sequence where name = 'subscribers'`;
  return (await given.execute(db)).rows.length > 0;
}

/**
 * Puts made-up subscribers into an empty service: all of them or, on an error, none. The same seed and time make
 * the same people, access tokens included, so samples are never to be mixed with real subscribers.
 * Given a transaction, it becomes a part of it.
 *
 * @param options.now ms since 1970; about this time the expiries spread
 */
export async function addSamples(
  db: ServiceDb,
  options: { count: number; seed: number; now: number },
): Promise<void> {
  const fill = async (transaction: ServiceDb) => {
    const many = options.count >= worthRebuilding;
    const insert = () => insertSamples(transaction, options);
    await (many ? rebuildIndexes(transaction, insert) : insert());
  };
  await (db.isTransaction ? fill(db) : db.transaction().execute(fill));
}

/** From so many on it takes longer to update the indexes with every row than to build them anew. */
const worthRebuilding = 20_000;

async function insertSamples(
  transaction: ServiceDb,
  { count, seed, now }: { count: number; seed: number; now: number },
): Promise<void> {
  const seeded = createSeededRandom(seed);
  const names = inventUsernames(seeded, count);
  const inventRow = (username: string) => ({
    ...wholeColumnsOf(inventSubscriber(seeded, username, now)),
    access_token: toBase64url(seeded.bytes(32)),
    status_id: seeded.weighted([
      [90, 1],
      [8, 2],
      [2, 3],
    ]),
  });
  let full: CompiledQuery | undefined;
  for (let first = 0; first < names.length; first += batch) {
    const rows = names.slice(first, first + batch).map(inventRow);
    const insert = () => transaction.insertInto('subscribers').values(rows).compile();
    if (rows.length < batch) await transaction.executeQuery(insert());
    else
      // Kysely takes longer to write this statement than the engine to run it.
      await transaction.executeQuery({
        ...(full ??= insert()),
        parameters: rows.flatMap((row) => Object.values(row)),
      });
  }
}

/** Rows in one statement: well below what any engine takes as parameters. */
const batch = 500;
