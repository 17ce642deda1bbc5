import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { Pool, types, type CustomTypesConfig, type PoolClient } from 'pg';
import { repeatConflicts, repeatTransactions } from './conflicts.ts';
import { databaseUnavailable } from './lost.ts';
import { PlainPostgresAdapter } from './plain-postgres.ts';
import { createPostgresCompiler } from './postgres-columns.ts';
import { isBroken, refusalFor } from './postgres-lost.ts';

/** Connections of one process to one database, and how long things may take, in ms. */
const limits = {
  max: 10,
  connectionTimeoutMillis: 5000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 10_000,
  // Ours, for a server that has gone silent; later than the server's own, which says more.
  query_timeout: 12_000,
} as const;

/**
 * A PostgreSQL database, or one that speaks its protocol. Connects when it is first used.
 *
 * @param options.patient without limits of time, for what has to wait until another process has brought the tables
 *   up to date
 * @param options.plain for an engine that has no more than SQL, see `plain-postgres.ts`
 */
export function openPostgres<Tables>(url: string, { patient = false, plain = false } = {}): Kysely<Tables> {
  const { max, connectionTimeoutMillis } = limits;
  const pool = new Pool({
    connectionString: url,
    application_name: 'subscriber-desk',
    keepAlive: true,
    types: { getTypeParser },
    ...(patient ? { max, connectionTimeoutMillis } : limits),
  });
  // A connection that breaks is replaced, and whoever was using it is told by the query; but unheard, these events
  // would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const dialect = new PostgresDialect({
    pool: {
      options: pool.options,
      connect: async () => asKysely(await connect(pool, patient), patient),
      end: () => pool.end(),
    },
  });
  dialect.createQueryCompiler = () => createPostgresCompiler({ plain });
  if (plain) dialect.createAdapter = () => new PlainPostgresAdapter();
  return repeatTransactions(new Kysely<Tables>({ dialect }));
}

/** @throws {Refusal} where there is none; while starting, the error itself, which says whose fault it is */
async function connect(pool: Pool, patient: boolean): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw patient ? error : databaseUnavailable(error);
  }
}

const nothing = { command: 'ROLLBACK', rowCount: 0, rows: [], oid: 0, fields: [] };

/** A connection that repeats a conflicting statement, unless a transaction is open: then the whole is repeated. */
function asKysely(client: PoolClient, patient: boolean): PostgresPoolClient {
  let [inTransaction, broken] = [false, false];
  const once = async (text: string, values: readonly unknown[], commits: boolean) => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      // What broke off has been rolled back already, and why it did is the error to be told.
      if (broken && text === 'rollback') return nothing;
      broken ||= isBroken(error);
      throw (patient ? null : refusalFor(error, commits)) ?? error;
    }
  };
  const send = async (text: string, values: readonly unknown[]) => {
    if (/^(begin|start transaction)\b/.test(text)) inTransaction = true;
    const commits = text === 'commit' || (!inTransaction && /^(insert|update|delete)\b/.test(text));
    const run = () => once(text, values, commits);
    try {
      return await (inTransaction ? run() : repeatConflicts(run));
    } finally {
      if (/^(commit|rollback)$/.test(text)) inTransaction = false;
    }
  };
  return {
    // The other overload takes cursors, for streams, which nobody here asks for.
    query: send as unknown as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || broken),
  };
}

const int8: number = types.builtins.INT8;

const getTypeParser: CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 ? safeNumber : types.getTypeParser(oid, format ?? 'text');

/** What SQLite gives as a number is one here too: PostgreSQL's 64-bit integers, and so its counts. */
function safeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError('An integer of the database is no safe number.');
  return number;
}
