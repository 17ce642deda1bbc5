import type { Kysely } from 'kysely';
import { createQueue } from '../../contract/http/queue.ts';
import { openPostgres } from './postgres.ts';
import { openSqliteReader } from './sqlite-reader.ts';

/** How many slow reads may wait, and for how many ms. */
const waiting = { mostWaiting: 100, patience: 10_000 };

/** Few connections of PostgreSQL, so that slow reads neither take all connections nor all processors of its server. */
const postgresConnections = 2;

/**
 * Runs reads that can take long on connections of their own, so that they delay nothing else. A read whose client goes
 * while it waits never begins.
 */
export function openSlowReads<Tables>(database: { file: string } | { url: string }) {
  const atOnce = 'file' in database ? 1 : postgresConnections;
  const db: Kysely<Tables> =
    'file' in database
      ? openSqliteReader(database.file)
      : openPostgres(database.url, { connections: atOnce });
  const queue = createQueue({ ...waiting, atOnce });
  return {
    run: <T>(read: (db: Kysely<Tables>) => Promise<T>, signal?: AbortSignal) =>
      queue.run(() => read(db), signal),
    close: () => db.destroy(),
  };
}
