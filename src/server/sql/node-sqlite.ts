import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  Kysely,
  sql,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  type DatabaseConnection,
  type Logger,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { changeUnconfirmed, databaseBusy, databaseUnavailable, diskFull } from './refusals.ts';

/**
 * Milliseconds that a statement waits while another process writes. SQLite waits with the whole process, which does no
 * harm before it serves requests. Later it is asked again every few ms, while others have their turns; then a change is
 * refused and can be sent again.
 */
const patience = { starting: 5000, serving: 200 } as const;
const askAgainEvery = 4;
/**
 * Ms of changes, each of which begins where the last one ends, after which a process leaves others that have changed something, too,
 * a moment: they ask again in it, and would never have a turn otherwise. Alone, it would make 8 % fewer changes.
 */
const moment = { every: 50, length: askAgainEvery + 2 } as const;

/** A SQLite file, or `:memory:`, by the driver that Node has built in. */
export function openNodeSqlite<Tables>(path: string, log?: Logger): Kysely<Tables> {
  const database = new DatabaseSync(path, { timeout: patience.starting });
  switchToWal(database);
  // FULL: an acknowledged write outlives a power cut, which WAL's NORMAL does not promise.
  database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  // What is deleted is overwritten, so that the file does not keep it. Interleaved runs show no difference in time.
  database.exec('PRAGMA secure_delete = ON');
  // In KiB, taken as it is needed: the indexes of a million subscribers do not fit into the usual 2 MiB.
  database.exec('PRAGMA cache_size = -65536');
  requireDurable(database);
  const config = { database: asKysely(database, watchFiles(path)) };
  const dialect = new SqliteDialect(config);
  dialect.createAdapter = () => new TransactionalAdapter();
  dialect.createDriver = () => new PatientDriver(config);
  return new Kysely<Tables>({ dialect, ...(log && { log }) });
}

/** Retries: if several processes open a new file at once, SQLite refuses some instead of letting them wait. */
function switchToWal(database: DatabaseSync): void {
  for (let tries = 1; ; tries += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (tries === 200 || codeOf(error) !== codes.busy) throw error;
    }
    // Blocks for 25 ms, as every call of this driver does; nothing else is under way yet.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
  }
}

/** SQLite does not report that it could not do what a pragma asks for, as on a file system without shared memory. */
function requireDurable(database: DatabaseSync): void {
  const valueOf = (name: string) => database.prepare(`PRAGMA ${name}`).get()?.[name];
  // A database in memory keeps nothing anyway.
  const [journal, synchronous] = [valueOf('journal_mode'), valueOf('synchronous')];
  if (synchronous === full && (journal === 'wal' || journal === 'memory')) return;
  database.close();
  throw new Error('it cannot keep a write-ahead log there');
}
const full = 2;

/** SQLITE_BUSY, NOMEM, READONLY, IOERR, FULL, CANTOPEN and PROTOCOL (https://sqlite.org/rescode.html). */
const codes = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  disk: 10,
  full: 13,
  cannotOpen: 14,
  lockProtocol: 15,
} as const;

/** These errors pass without a restart, and with them certainly nothing was changed. */
const passing: readonly (number | null)[] = [codes.cannotOpen, codes.readOnly, codes.lockProtocol];

/** SQLite's primary code, without the details of the extended code. */
function codeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;
}

/** True if another process holds the lock that was asked for. */
export const isBusy = (error: unknown): boolean => codeOf(error) === codes.busy;

/**
 * Lets Kysely migrate in a transaction, so that of two processes one waits for the other. SQLite can, whatever Kysely
 * says.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** A number that the changes of others alone make another one. */
const dataVersion = CompiledQuery.raw('PRAGMA data_version');

/** Asks again while another process writes: with such a refusal nothing was done. */
class PatientDriver extends SqliteDriver {
  #endedAt = 0;
  #busySince = 0;
  #version: unknown;

  override async init(...given: Parameters<SqliteDriver['init']>): Promise<void> {
    await super.init(...given);
    const connection = await this.acquireConnection();
    await this.#hasOthers(connection);
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = async <Row>(...query: Parameters<typeof execute>) => {
      for (const until = performance.now() + patience.serving; ;) {
        try {
          return await execute<Row>(...query);
        } catch (error) {
          if (!isBusy(Object(error).cause) || performance.now() > until) throw error;
        }
        await pause(askAgainEvery);
      }
    };
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await super.beginTransaction(connection);
    if (performance.now() - this.#endedAt > moment.length) this.#busySince = performance.now();
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#endedAt = performance.now();
    if (this.#endedAt - this.#busySince < moment.every) return;
    // The change is made, whatever comes of the question.
    if (await this.#hasOthers(connection).catch(() => false)) await pause(moment.length);
    this.#busySince = performance.now();
  }

  /** True if another process has changed the database since it was opened. */
  async #hasOthers(connection: DatabaseConnection): Promise<boolean> {
    const { rows } = await connection.executeQuery<{ data_version: number }>(dataVersion);
    this.#version ??= rows[0]?.data_version;
    return rows[0]?.data_version !== this.#version;
  }
}

/** From now on no statement waits with the whole process. Does nothing to a database other than SQLite. */
export async function beginServing<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  await sql`PRAGMA busy_timeout = 0`.execute(db);
}

/** node:sqlite in the shape that Kysely knows. */
function asKysely(database: DatabaseSync, checkFiles: CheckFiles): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    close: () => database.close(),
    prepare(text) {
      const known = prepared.get(text);
      if (known) return known;
      try {
        const fresh = prepare(database, text, checkFiles);
        if (prepared.size === mostPrepared) prepared.clear();
        prepared.set(text, fresh);
        return fresh;
      } catch (error) {
        // Not around the statement, so that the stack still leads to the caller.
        throw refusalOr(error, false);
      }
    },
  };
}

/** Kysely prepares a statement again for every query, which takes longer than most queries. */
const mostPrepared = 200;

function prepare(database: DatabaseSync, text: string, checkFiles: CheckFiles): SqliteStatement {
  // Takes the write lock at once. A transaction that reads first is refused the lock, instead of waiting for it, if
  // another process has written in the meantime.
  const statement = database.prepare(text === 'begin' ? 'begin immediate' : text);
  // Our own SQL may begin with a line break.
  const changes = /^\s*(insert|update|delete)\b/.test(text);
  const commits = () => text === 'commit' || (changes && !database.isTransaction);
  const begins = text === 'begin';
  return {
    reader: statement.columns().length > 0,
    all(values) {
      if (commits()) checkFiles();
      return refusing(commits(), () => statement.all(...inputs(values)));
    },
    run(values) {
      // When the disk is full, SQLite has already rolled back.
      if (text === 'rollback' && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 };
      if (begins || commits()) checkFiles();
      return refusing(commits(), () => statement.run(...inputs(values)));
    },
    iterate: (values) => statement.iterate(...inputs(values)),
  };
}

// Kysely types parameters as unknown; the tables' own types allow only what SQLite takes.
const inputs = (values: readonly unknown[]) => values as readonly SQLInputValue[];

function refusing<T>(commits: boolean, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw refusalOr(error, commits);
  }
}

/**
 * Turns an error that passes without a restart into a refusal, which service and BFF answer. Returns any other error as
 * it is.
 *
 * @param commits whether what failed would have been done with it: a commit, or a change outside of any transaction
 */
export function refusalOr(error: unknown, commits: boolean): unknown {
  const code = codeOf(error);
  if (code === codes.busy) return databaseBusy(error);
  if (code === codes.full) return diskFull(error);
  if (passing.includes(code)) return databaseUnavailable(error);
  if (code !== codes.disk && code !== codes.noMemory) return error;
  // A disk that fails at the end of a commit may have kept it, or not.
  return commits ? changeUnconfirmed(error) : databaseUnavailable(error);
}

/** @throws {Problem} `database-unavailable` if a file of the database is no longer the one that is open */
type CheckFiles = () => void;

/** The database, its write-ahead log, and the index of that log. */
const suffixes = ['', '-wal', '-shm'];

/**
 * Watches the files of an open SQLite database. If somebody deletes or replaces one, SQLite goes on writing into a file
 * without a name, and all of it is gone when the process ends. Looking takes some microseconds, and is done before each
 * write.
 */
function watchFiles(path: string): CheckFiles {
  // Windows lets nobody delete an open file, and its file systems have other numbers.
  if (path === ':memory:' || process.platform === 'win32') return () => undefined;
  const known = new Map<string, string>();
  const check = () => {
    for (const suffix of suffixes) {
      const [now, before] = [identityOf(path + suffix), known.get(suffix)];
      // SQLite creates the log with the first use.
      if (before === undefined && now !== null) known.set(suffix, now);
      if (before !== undefined && now !== before) throw databaseUnavailable(new FilesGone());
    }
  };
  check();
  return check;
}

function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}-${found.ino}` : null;
}

/** A file of the database is no longer the one that is open. */
export class FilesGone extends Error {
  override readonly name = 'FilesGone';
  readonly code = 'DATABASE_FILES_DELETED';

  constructor() {
    super('The files of the database were deleted or replaced.');
  }
}
