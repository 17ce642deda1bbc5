import { sql, type Kysely } from 'kysely';
import type { BffTables } from '../bff/schema.ts';
import { openRecordedSqlite } from '../server/sql/wasm-sqlite.ts';
import type { ServiceTables } from '../service/schema.ts';
import type { DataSet } from './settings.ts';
import type { Stored } from './store.ts';

type Db = Kysely<ServiceTables>;

export type Data = Awaited<ReturnType<typeof openData>>;

/** The two databases of the demo: the service's and the BFF's. */
export async function openData() {
  const [service, bff] = await Promise.all([
    openRecordedSqlite<ServiceTables>(),
    openRecordedSqlite<BffTables>(),
  ]);
  return { service, bff };
}

/** Records changes from now on. What exists now can be generated again. */
export function recordChanges({ service, bff }: Data): void {
  // The service's other tables hold clients and keys, which are new on every page load.
  service.recorder.begin('subscribers');
  bff.recorder.begin();
}

/**
 * All that changed. It waits for transactions that are under way: those of the BFF first, which may wait for the service,
 * but not the other way round.
 */
export const changesOf = ({ service, bff }: Data): Promise<Pick<Stored, 'service' | 'lastId' | 'bff'>> =>
  bff.db.connection().execute(() =>
    service.db.connection().execute(async (connection) => ({
      lastId: await lastIdOf(connection),
      service: service.recorder.changes(),
      bff: bff.recorder.changes(),
    })),
  );

/** Repeats the changes of an earlier page load, or of the tab that led before. */
export async function replayChanges({ service, bff }: Data, stored: Stored): Promise<void> {
  service.recorder.replay(stored.service);
  await setLastId(service.db, stored.lastId);
  bff.recorder.replay(stored.bff);
  await releaseJobs({ bff });
}

/** Lets jobs go on at once that a page was working on, which is gone. */
export async function releaseJobs({ bff }: Pick<Data, 'bff'>): Promise<void> {
  await bff.db.updateTable('jobs').set({ lease_until: 0 }).execute();
}

/** How many subscribers of a data set are generated, and by how much their number is then multiplied. */
export const counts: Record<DataSet, { each: number; times: number }> = {
  '25': { each: 25, times: 1 },
  '2000': { each: 2000, times: 1 },
  '50000': { each: 2000, times: 25 },
  empty: { each: 0, times: 1 },
  'expired-trials': { each: 2000, times: 1 },
};

/** Turns the generated subscribers into the data set. */
export async function completeDataSet(db: Db, data: DataSet, now: number): Promise<void> {
  if (counts[data].times > 1) await multiply(db, counts[data].times, now);
  if (data === 'expired-trials') await expireAll(db, now);
}

/** Adds copies with other names, tokens and expiry times. SQLite makes 50,000 in the time of a few thousand inserts. */
async function multiply(db: Db, times: number, now: number): Promise<void> {
  await sql`
    with recursive turns(turn) as (values (2) union all select turn + 1 from turns where turn < ${times})
    insert into subscribers (access_token, username, username_search, username_folded, email,
      email_search, email_folded, expires_at,
      max_connections, is_trial, note, status_id, hls, mpeg_ts, bundles, ip_addresses, user_agents, countries)
    select substr(access_token, turn) || substr(access_token, 1, turn - 1),
      username || '-' || turn, username_search || '-' || turn, username_folded || '-' || turn,
      email, email_search, email_folded,
      -- Up to a day earlier or later, but not past now.
      case when expires_at <= ${now}
        then min(${now}, expires_at + (id * 131 + turn * 7919) % 2881 * 60000 - 86400000)
        else max(${now} + 60000, expires_at + (id * 131 + turn * 7919) % 2881 * 60000 - 86400000) end,
      max_connections, is_trial, note, status_id, hls, mpeg_ts, bundles, ip_addresses, user_agents, countries
    from subscribers, turns order by turn, id`.execute(db);
}

/** Makes every subscription a trial that ended as long ago as it would have lasted. */
async function expireAll(db: Db, now: number): Promise<void> {
  const ended = sql<number>`${now} - abs(expires_at - ${now})`;
  await db.updateTable('subscribers').set({ is_trial: 1, expires_at: ended }).execute();
}

/** The highest id that was ever assigned. SQLite keeps it in a table of its own, which is not recorded. */
async function lastIdOf(db: Db): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    select seq from sqlite_sequence where name = 'subscribers'`.execute(db);
  return rows[0]?.seq ?? 0;
}

/** So that no id is assigned twice. */
async function setLastId(db: Db, id: number): Promise<void> {
  await sql`update sqlite_sequence set seq = ${id} where name = 'subscribers'`.execute(db);
}
