import { serverBusy } from '../../contract/http/problem.ts';
import type { Kysely, Logger } from 'kysely';
import { createQueue } from '../../lib/queue.ts';
import { openPostgres } from './postgres.ts';
import { openSqliteReader } from './sqlite-reader.ts';

/** Most slow reads that wait, and most ms that they wait. */
const waiting = { mostWaiting: 100, patience: 10_000 };

/** Few connections, so that slow reads take neither all connections nor all processors of the PostgreSQL server. */
const postgresConnections = 2;

/**
 * Runs slow reads on separate connections, so that they delay nothing else. A read does not begin if its client
 * disconnects while it waits.
 */
export function openSlowReads<Tables>(database: { file: string } | { url: string }, log?: Logger) {
  const atOnce = 'file' in database ? 1 : postgresConnections;
  const db: Kysely<Tables> =
    'file' in database
      ? openSqliteReader(database.file, log)
      : openPostgres(database.url, { connections: atOnce, ...(log && { log }) });
  const queue = createQueue({ ...waiting, atOnce, refusal: serverBusy });
  return {
    run: <T>(read: (db: Kysely<Tables>) => Promise<T>, signal?: AbortSignal) =>
      queue.run(() => read(db), signal),
    close: () => db.destroy(),
  };
}
