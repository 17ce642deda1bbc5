import type { Kysely } from 'kysely';
import { base64url } from 'jose';
import { createDice } from './samples/dice.ts';
import { inventUsernames } from './samples/people.ts';
import { inventSubscriber } from './samples/subscriber.ts';
import type { ServiceTables } from './store/schema.ts';
import { wholeColumnsOf } from './store/subscriber-row.ts';

type Db = Kysely<ServiceTables>;

export async function hasSubscribers(db: Db): Promise<boolean> {
  return (await db.selectFrom('subscribers').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Puts made-up subscribers into an empty service: all of them or, on an error, none. The same seed and time make
 * the same people, access tokens included, so samples are never to be mixed with real subscribers.
 * Given a transaction, it becomes a part of it.
 *
 * @param options.now ms since 1970; about this time the expiries spread
 */
export async function addSamples(
  db: Db,
  options: { count: number; seed: number; now: number },
): Promise<void> {
  const dice = createDice(options.seed);
  const rows = inventUsernames(dice, options.count).map((username) => ({
    ...wholeColumnsOf(inventSubscriber(dice, username, options.now)),
    access_token: base64url.encode(dice.bytes(32)),
    status_id: dice.weighted([
      [90, 1],
      [8, 2],
      [2, 3],
    ]),
  }));
  const insert = async (transaction: Db) => {
    for (let place = 0; place < rows.length; place += batch)
      await transaction
        .insertInto('subscribers')
        .values(rows.slice(place, place + batch))
        .execute();
  };
  await (db.isTransaction ? insert(db) : db.transaction().execute(insert));
}

/** Rows in one statement: well below what any engine takes as parameters. */
const batch = 500;
