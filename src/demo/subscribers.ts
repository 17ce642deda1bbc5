import { sql, type Kysely } from 'kysely';
import type { ServiceTables } from '../service/schema.ts';
import type { DataSet } from './settings.ts';

type Db = Kysely<ServiceTables>;

/** How many subscribers of a data set are made up one by one, and how often each of them then is there. */
export const counts: Record<DataSet, { each: number; times: number }> = {
  '25': { each: 25, times: 1 },
  '2000': { each: 2000, times: 1 },
  '50000': { each: 2000, times: 25 },
  empty: { each: 0, times: 1 },
  'expired-trials': { each: 2000, times: 1 },
};

/** Makes of subscribers that were made up one by one what a data set promises. */
export async function shape(db: Db, data: DataSet, now: number): Promise<void> {
  if (counts[data].times > 1) await multiply(db, counts[data].times, now);
  if (data === 'expired-trials') await expireAll(db, now);
}

/**
 * Adds namesakes of everybody, with a number, a token and an expiry of their own. SQLite makes tens of thousands of them
 * in the time that it takes to hand it some thousand from outside.
 */
async function multiply(db: Db, times: number, now: number): Promise<void> {
  await sql`
    with recursive turns(turn) as (values (2) union all select turn + 1 from turns where turn < ${times})
    insert into subscribers (access_token, username, username_search, email, email_search, expires_at,
      max_connections, is_trial, note, status_id, hls, mpeg_ts, bundles, ip_addresses, user_agents, countries)
    select substr(access_token, turn) || substr(access_token, 1, turn - 1),
      username || '-' || turn, username_search || '-' || turn, email, email_search,
      -- Up to a day earlier or later, but not past now.
      case when expires_at <= ${now}
        then min(${now}, expires_at + (id * 131 + turn * 7919) % 2881 * 60000 - 86400000)
        else max(${now} + 60000, expires_at + (id * 131 + turn * 7919) % 2881 * 60000 - 86400000) end,
      max_connections, is_trial, note, status_id, hls, mpeg_ts, bundles, ip_addresses, user_agents, countries
    from subscribers, turns order by turn, id`.execute(db);
}

/** Makes everybody's subscription a trial that has ended, as long ago as it would have gone on. */
async function expireAll(db: Db, now: number): Promise<void> {
  const ended = sql<number>`${now} - abs(expires_at - ${now})`;
  await db.updateTable('subscribers').set({ is_trial: 1, expires_at: ended }).execute();
}

/** The highest id that was ever given out, which SQLite notes beside the table, and no recording shows. */
export async function lastIdOf(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq from sqlite_sequence where name = 'subscribers'`.execute(db);
  return rows[0]?.seq ?? 0;
}

/** So that no id is given out twice. */
export async function setLastId(db: Db, id: number): Promise<void> {
  await sql`update sqlite_sequence set seq = ${id} where name = 'subscribers'`.execute(db);
}
