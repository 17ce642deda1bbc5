import {
  ColumnDefinitionNode,
  DataTypeNode,
  GeneratedNode,
  Kysely,
  PostgresDialect,
  PostgresQueryCompiler,
  sql,
  type Logger,
  type PostgresPoolClient,
} from 'kysely';
import { DatabaseError, Pool, types, type CustomTypesConfig, type PoolClient } from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import type { Problem } from '../../contract/http/problem.ts';
import { changeUnconfirmed, databaseUnavailable, diskFull, databaseBusy } from './refusals.ts';
import { random } from '../runtime.ts';
import { CannotStart, systemCode } from '../cannot-start.ts';

/** Time limits, in ms. */
const limits = {
  connectionTimeoutMillis: 5000,
  statement_timeout: 10_000,
  idle_in_transaction_session_timeout: 10_000,
  // Ours, for a server that has gone silent; later than the server's own, which says more.
  query_timeout: 12_000,
} as const;

/**
 * A PostgreSQL database. Connects when it is first used.
 *
 * @param options.patient without limits of time, to wait until another process has brought the tables up to date
 * @param options.connections how many connections this process opens at most
 * @param options.log is told of each statement
 */
export function openPostgres<Tables>(
  url: string,
  { patient = false, connections = 10, log }: { patient?: boolean; connections?: number; log?: Logger } = {},
): Kysely<Tables> {
  const { connectionTimeoutMillis } = limits;
  const pool = new Pool({
    connectionString: url,
    application_name: 'subscriber-desk',
    keepAlive: true,
    types: { getTypeParser },
    max: connections,
    ...(patient ? { connectionTimeoutMillis } : limits),
  });
  // A broken connection is replaced, and its query fails. Without listeners these events would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const dialect = new PostgresDialect({
    pool: {
      options: pool.options,
      connect: async () => asKysely(await connect(pool, patient), patient),
      end: () => pool.end(),
    },
  });
  dialect.createQueryCompiler = () => new PostgresCompiler();
  return repeatTransactions(new Kysely<Tables>({ dialect, ...(log && { log }) }));
}

/** @throws {Problem} if no connection can be opened; while starting, the error itself, which says why */
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
      // The server has rolled back already. The error to report is the one that broke the connection.
      if (broken && text === 'rollback') return nothing;
      broken ||= isBroken(error);
      throw (patient ? null : refusalFor(error, commits)) ?? error;
    }
  };
  const send = async (text: string, values: readonly unknown[]) => {
    if (/^(begin|start transaction)\b/.test(text)) inTransaction = true;
    const commits = text === 'commit' || (!inTransaction && /^\s*(insert|update|delete)\b/.test(text));
    const run = () => once(text, values, commits);
    try {
      return await (inTransaction ? run() : repeatConflicts(run));
    } finally {
      if (/^(commit|rollback)$/.test(text)) inTransaction = false;
    }
  };
  return {
    // The other overload takes cursors, for streams, which this program does not use.
    query: send as unknown as PostgresPoolClient['query'],
    release: (destroy = false) => client.release(destroy || broken),
  };
}

const int8: number = types.builtins.INT8;

const getTypeParser: CustomTypesConfig['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
  oid === int8 ? safeNumber : types.getTypeParser(oid, format ?? 'text');

/** Reads PostgreSQL's 64-bit integers, such as counts, as numbers, like SQLite. */
function safeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError('An integer of the database is no safe number.');
  return number;
}

/** True if a connection cannot be used again: without an SQLSTATE an earlier answer may still be on its way. */
function isBroken(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P)/.test(error.code ?? '');
}

/**
 * The refusal for a failure of the database itself that passes.
 *
 * @param commits whether the statement commits: a commit, or a change outside of any transaction
 * @returns null for any other error, such as one of the statement
 */
function refusalFor(error: unknown, commits: boolean): Problem | null {
  // Thrown by `safeNumber`.
  if (error instanceof RangeError) return null;
  if (isBroken(error)) return commits ? changeUnconfirmed(error) : databaseUnavailable(error);
  const code = error instanceof DatabaseError ? (error.code ?? '') : '';
  if (code === statementCompletionUnknown) return changeUnconfirmed(error);
  if (code === noDiskSpace) return diskFull(error);
  return passing.test(code) ? databaseUnavailable(error) : null;
}

/** From distributed engines and proxies: a commit may have been done. */
const statementCompletionUnknown = '40003';

/** Out of disk space or connections, a cancelled statement, a server that is read-only since another took over. */
const passing = /^(53|57014|25006)/;

const noDiskSpace = '53100';

/**
 * Columns of a migration mean the same as in SQLite: an `integer` has 64 bits, one that counts up is an identity, and a
 * `text` sorts by its code points.
 */
class PostgresCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    const type = DataTypeNode.is(node.dataType) ? node.dataType.dataType : null;
    if (type === 'text')
      super.visitColumnDefinition(ColumnDefinitionNode.cloneWithFrontModifier(node, byCodePoint));
    else super.visitColumnDefinition(type === 'integer' ? withWideInteger(node) : node);
  }
}

// The database's own locale would sort differently from machine to machine.
const byCodePoint = sql`collate "C"`.toOperationNode();

function withWideInteger({ autoIncrement, ...rest }: ColumnDefinitionNode): ColumnDefinitionNode {
  return {
    ...rest,
    dataType: DataTypeNode.create('bigint'),
    ...(autoIncrement && { generated: GeneratedNode.create({ identity: true, byDefault: true }) }),
  };
}

/** Most runs of a transaction before its caller is told to come again. */
export const mostRuns = 5;

/**
 * Repeats, a few times, a transaction that another one made fail. Throws anything else at once: after a connection
 * that breaks during a commit, it is unknown whether the transaction was done, and repeating it could do it twice.
 *
 * @throws {Problem} `busy` if it failed each time
 */
async function repeatConflicts<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let runs = 1; ; runs += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (runs === mostRuns) throw databaseBusy(error);
    }
    await pause(delayAfter(runs));
  }
}

/** Makes every transaction of a database repeat whole on a conflict: its work may be run more than once. */
export function repeatTransactions<Tables>(db: Kysely<Tables>): Kysely<Tables> {
  const begin = db.transaction.bind(db);
  db.transaction = () => {
    const builder = begin();
    const execute = builder.execute.bind(builder);
    return Object.assign(builder, {
      execute: (work: Parameters<typeof execute>[0]) => repeatConflicts(() => execute(work)),
    });
  };
  return db;
}

/** The SQLSTATEs serialization_failure and deadlock_detected (PostgreSQL, appendix A): both rolled everything back. */
function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '40001' || error.code === '40P01');
}

/** In ms; by chance, so that the two that met do not meet again. */
function delayAfter(runs: number): number {
  const [byte = 0] = random(1);
  return 5 * 2 ** runs * (0.5 + byte / 510);
}

/**
 * Why a PostgreSQL database cannot be used, in a sentence for the operator. Without the driver's message and the value
 * of the variable, because both may contain the password.
 */
export function postgresProblem(variable: string, error: unknown): CannotStart {
  const code = systemCode(error);
  const sentence = sentences[code] ?? sentenceFor(code, error);
  return new CannotStart(sentence.replaceAll('$', variable), error);
}

/** By SQLSTATE; `$` stands for the variable. */
const sentences: Readonly<Record<string, string>> = {
  '28P01': 'The database server refuses the user or the password. Correct them in $.',
  '28000':
    'The database server does not allow this user to connect from here. Correct the user in $, or allow it in pg_hba.conf.',
  '3D000': 'The database server has no database with this name. Create it, or correct the name in $.',
  '42501': 'The database user may not create tables. Make the user in $ the owner of the database.',
  '0A000':
    'The database server in $ does not have the extension pg_trgm. Install the contrib package of PostgreSQL there, such as postgresql-contrib.',
  '25006': 'The database in $ takes no changes: it is a standby, or read-only. Set $ to the primary.',
  '53300':
    'The database server in $ accepts no more connections. Raise its max_connections, or close other connections.',
  '57P03': 'The database server in $ is starting or stopping. Try again when it is ready.',
};

function sentenceFor(code: string, error: unknown): string {
  if (error instanceof Error && error.message.startsWith('corrupted migrations'))
    return 'The database in $ belongs to a newer version of Subscriber Desk, or to another program. Update Subscriber Desk, or set $ to another database.';
  // The driver's own sentence, without a code.
  if (error instanceof Error && error.message === 'The server does not support SSL connections')
    return 'The database server in $ encrypts no connections. Turn on ssl there, or add ?sslmode=disable to $ where you trust the network.';
  if (error instanceof Error && 'syscall' in error && error.syscall === 'open')
    return `A file that $ names cannot be read (${code}). Correct its path.`;
  if (/^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS)/.test(code))
    return `The certificate of the database server cannot be trusted (${code}). Add sslrootcert=FILE to $.`;
  if (/^[0-9A-Z]{5}$/.test(code))
    return `The database in $ reports an error (SQLSTATE ${code}). Look the code up in the PostgreSQL manual, and check the server log.`;
  return `The database server in $ does not answer${code && ` (${code})`}. Start it, or correct the host and the port in $.`;
}
