import type { Kysely } from 'kysely';
import { toBase64url } from '../../contract/http/crypto.ts';
import { createDice } from './dice.ts';
import { inventUsernames } from './people.ts';
import { inventSubscriber } from './subscriber.ts';
import { withoutLargeLists } from '../subscribers/large-lists.ts';
import type { ServiceTables } from '../schema.ts';
import { wholeColumnsOf } from '../subscribers/subscriber-row.ts';

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
  const fill = async (transaction: Db) => {
    const many = options.count >= worthRebuilding;
    const insert = () => insertSamples(transaction, options);
    await (many ? withoutLargeLists(transaction, options.now, insert) : insert());
  };
  await (db.isTransaction ? fill(db) : db.transaction().execute(fill));
}

/** From so many on it takes longer to keep the lists' indexes with every row than to make them anew. */
const worthRebuilding = 20_000;

async function insertSamples(
  transaction: Db,
  { count, seed, now }: { count: number; seed: number; now: number },
): Promise<void> {
  const dice = createDice(seed);
  const names = inventUsernames(dice, count);
  const inventRow = (username: string) => ({
    ...wholeColumnsOf(inventSubscriber(dice, username, now)),
    access_token: toBase64url(dice.bytes(32)),
    status_id: dice.weighted([
      [90, 1],
      [8, 2],
      [2, 3],
    ]),
  });
  for (let place = 0; place < names.length; place += batch)
    await transaction
      .insertInto('subscribers')
      .values(names.slice(place, place + batch).map(inventRow))
      .execute();
}

/** Rows in one statement: well below what any engine takes as parameters. */
const batch = 500;
