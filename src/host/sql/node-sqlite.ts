import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, sql, SqliteAdapter, SqliteDialect, type SqliteDatabase } from 'kysely';
import { Refusal } from '../../contract/problem.ts';

/**
 * Milliseconds that a statement waits while another process writes. The driver waits with the whole process, which
 * does no harm before it serves anybody; later, whoever wants to write is asked to come again.
 */
const patience = { starting: 5000, serving: 100 } as const;

/** A SQLite file, or `:memory:`, by the driver that Node has built in. */
export function openNodeSqlite<Tables>(path: string): Kysely<Tables> {
  const database = new DatabaseSync(path, { timeout: patience.starting });
  // FULL: an acknowledged write outlives a power cut, which WAL's NORMAL does not promise.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: asKysely(database) }) });
}

/** From now on nobody waits long for a lock; for a database that is no SQLite nothing changes. */
export async function beginServing<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  await sql`PRAGMA busy_timeout = ${sql.lit(patience.serving)}`.execute(db);
}

/** node:sqlite in the shape that Kysely knows. */
function asKysely(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (values) => unlessLocked(() => statement.all(...inputs(values))),
        run: (values) => unlessLocked(() => statement.run(...inputs(values))),
        iterate: (values) => statement.iterate(...inputs(values)),
      };
    },
  };
}

// Kysely types parameters as unknown; the tables' own types allow only what SQLite takes.
const inputs = (values: readonly unknown[]) => values as readonly SQLInputValue[];

/** The one error of the driver that mends itself; both rooms answer a refusal as what it says. */
function unlessLocked<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isLocked(error)) throw error;
    throw new Refusal('busy', 'Somebody else is writing at this moment. Try again.', {
      headers: { 'Retry-After': '1' },
    });
  }
}

/** SQLITE_BUSY, with whatever more the extended code says (https://sqlite.org/rescode.html). */
function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
