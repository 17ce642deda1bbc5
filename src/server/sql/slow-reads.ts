import {
  Kysely,
  type Logger,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely';
import { serverBusy } from '../../contract/http/problem.ts';
import { createQueue } from '../../lib/queue.ts';
import { openPostgres } from './postgres.ts';
import { createThread } from '../thread.ts';
import { refusalOr } from './node-sqlite.ts';

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

/** A query for the thread, and its answer. */
export type ReaderQuery = Pick<CompiledQuery, 'sql' | 'parameters'>;
export type ReaderAnswer = { rows: unknown[] } | { message: string; errcode: number | null };

/**
 * Reads a SQLite file on a thread with a connection of its own. The driver of Node blocks its thread until a query is
 * done, so a slow one would delay every other request. All reads share the connection: see `openSlowReads`, which lets
 * one read after the other have it.
 */
export function openSqliteReader<Tables>(path: string, log?: Logger): Kysely<Tables> {
  return new Kysely<Tables>({
    ...(log && { log }),
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(path),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Its thread starts with the first query, so that a program that needs no slow read does without. */
function createDriver(path: string): Driver {
  const thread = createThread<ReaderAnswer>('sql/sqlite-reader-thread', path);
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const answer = await thread.ask({ sql, parameters } satisfies ReaderQuery).catch((error: unknown) => {
        throw refusalOr(error, false);
      });
      // Kysely's caller says what a row is.
      if ('rows' in answer) return { rows: answer.rows as Row[] };
      throw refusalOr(Object.assign(new Error(answer.message), { errcode: answer.errcode }), false);
    },
    streamQuery: readsOnly,
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    // `inSnapshot` sends its own statements. Kysely's transactions are for writers.
    beginTransaction: readsOnly,
    commitTransaction: readsOnly,
    rollbackTransaction: readsOnly,
    destroy: () => thread.close(),
  };
}

function readsOnly(): never {
  throw new Error('This connection only reads, and not by streams.');
}
