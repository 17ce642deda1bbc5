import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';

/** A SQLite file, or `:memory:`, by the driver that Node has built in. */
export function openNodeSqlite<Tables>(path: string): Kysely<Tables> {
  const database = new DatabaseSync(path, { timeout: 5000 });
  // FULL: an acknowledged write outlives a power cut, which WAL's NORMAL does not promise.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: asKysely(database) }) });
}

/** node:sqlite in the shape that Kysely knows. */
function asKysely(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...inputs(values)),
        run: (values) => statement.run(...inputs(values)),
        iterate: (values) => statement.iterate(...inputs(values)),
      };
    },
  };
}

// Kysely types parameters as unknown; the tables' own types allow only what SQLite takes.
const inputs = (values: readonly unknown[]) => values as readonly SQLInputValue[];
