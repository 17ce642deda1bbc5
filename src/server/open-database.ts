import { Problem } from '../contract/http/problem.ts';
import { sql, type Kysely, type Logger, type Transaction } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Log } from '../lib/log.ts';
import { CannotStart, systemCode } from './cannot-start.ts';
import type { Config } from './config/config.ts';
import { openDataFile } from './data-folder.ts';
import { serialize, migrate } from './sql/migrate.ts';
import { beginServing, openNodeSqlite } from './sql/node-sqlite.ts';
import { postgresProblem, openPostgres } from './sql/postgres.ts';
import { openSlowReads } from './sql/slow-reads.ts';
import { findFullDisk, startWriteCheck } from './sql/write-check.ts';
import type { Traces } from './traces.ts';

/** A SQLite file, or the PostgreSQL database that an environment variable names. */
type DatabaseConfig = { file: string } | { variable: string; url: string };

/** The BFF's tables or the service's, by the name that their file and their migrations' table have on disk. */
type DatabaseName = 'desk' | 'service';

/** @throws {CannotStart} if the tables are in a file and `DATA_DIR` cannot be used */
export async function databaseConfigOf(name: DatabaseName, config: Config): Promise<DatabaseConfig> {
  const [variable, url] =
    name === 'desk'
      ? ['DATABASE_URL', config.DATABASE_URL]
      : ['SERVICE_DATABASE_URL', config.SERVICE_DATABASE_URL];
  return url === undefined ? { file: await openDataFile(config.DATA_DIR, name) } : { variable, url };
}

export interface DatabaseOptions<Tables> {
  /** Keeps the migrations of BFF and service apart if both are in one database. */
  name: DatabaseName;
  migrations: Readonly<Record<string, Migration>>;
  /** Adds what an empty database lacks. Processes that start at the same time do this one after the other. */
  fill: (transaction: Transaction<Tables>) => Promise<void>;
  /** Is told of each statement. */
  log?: Logger | undefined;
}

/**
 * Opens a database, migrates its tables and fills them.
 *
 * @throws {CannotStart} if it is missing, cannot be used, or belongs to a newer version
 */
export async function openDatabase<Tables>(
  config: DatabaseConfig,
  options: DatabaseOptions<Tables>,
): Promise<Kysely<Tables>> {
  return 'file' in config ? openFile(config.file, options) : openOnServer(config, options);
}

/**
 * Opens the database of the configuration for a server: with a connection for slow reads, and a check that it can be
 * written to.
 *
 * @param options.write writes something that changes nothing
 * @throws {CannotStart} as `openDatabase`
 */
export async function openForServing<Tables>(
  { config, clock, log, traces }: { config: Config; clock: () => number; log: Log; traces: Traces },
  options: Omit<DatabaseOptions<Tables>, 'log'> & { write: (db: Kysely<Tables>) => Promise<unknown> },
) {
  const database = await databaseConfigOf(options.name, config);
  const isFile = 'file' in database;
  const statements = traces.statements(isFile ? 'sqlite' : 'postgresql');
  const db = await openDatabase(database, { ...options, log: statements });
  await beginServing(db);
  const slowReads = openSlowReads<Tables>(database, statements);
  const { canWrite, isClockWrong, stop } = startWriteCheck({
    database: options.name,
    file: isFile ? database.file : undefined,
    write: () => options.write(db),
    readTime: isFile ? undefined : () => readTime(db),
    clock,
    log,
  });
  // A server with a wrong clock serves nobody from its first request on.
  if (!isFile) await canWrite();
  const close = async () => {
    stop();
    await Promise.all([db.destroy(), slowReads.close()]);
  };
  return { db, runSlowRead: slowReads.run, canWrite, isClockWrong, close };
}

async function readTime<Tables>(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{
    ms: string;
  }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
  return Number(rows[0]?.ms);
}

async function openFile<Tables>(file: string, { migrations, fill, log }: DatabaseOptions<Tables>) {
  let db: Kysely<Tables>;
  try {
    db = openNodeSqlite<Tables>(file, log);
    await migrate(db, migrations);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    // Without room for its log, SQLite only says that the disk fails.
    const passing = error instanceof Problem ? error : await findFullDisk(file);
    // The file is well: somebody else is at work on it, or its disk is full.
    if (passing) throw new CannotStart(`Cannot use ${file} now. ${passing.message}`, error);
    if (reason.startsWith('corrupted migrations'))
      throw new CannotStart(
        `${file} belongs to a newer version of Subscriber Desk. Update Subscriber Desk, or set DATA_DIR to another folder.`,
        error,
      );
    throw new CannotStart(
      `Cannot open ${file} (${reason}). Restore it from a backup, or move it away to start with an empty database.`,
      error,
    );
  }
  await serialize(db, fill);
  return db;
}

async function openOnServer<Tables>(
  { url, variable }: { url: string; variable: string },
  { name, migrations, fill, log }: DatabaseOptions<Tables>,
) {
  await using starting = openPostgres<Tables>(url, { patient: true });
  await requireUnicode(starting, variable)
    .then(() => migrate(starting, migrations, name))
    .catch((error: unknown) => {
      throw error instanceof CannotStart ? error : postgresProblem(variable, error);
    });
  await serialize(starting, fill, name).catch((error: unknown) => {
    // Without an SQLSTATE it may be a fault of ours.
    throw /^[\dA-Z]{5}$/.test(systemCode(error)) ? postgresProblem(variable, error) : error;
  });
  return openPostgres<Tables>(url, { ...(log && { log }) });
}

/** Other encodings cannot store all letters of names. */
async function requireUnicode<Tables>(db: Kysely<Tables>, variable: string): Promise<void> {
  const query = sql<{ encoding: string }>`select current_setting('server_encoding') as encoding`;
  const encoding = (await query.execute(db)).rows[0]?.encoding;
  if (encoding !== 'UTF8')
    throw new CannotStart(
      `The database in ${variable} has the encoding ${encoding}. Create one with the encoding UTF8.`,
    );
}
