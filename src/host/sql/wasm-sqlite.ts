import sqlite3InitModule, {
  type BindableValue,
  type Database,
  type PreparedStatement,
} from '@sqlite.org/sqlite-wasm';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';

/** SQLite compiled to WebAssembly, in the memory of this tab: gone when it closes. */
export async function openWasmSqlite<Tables>(): Promise<Kysely<Tables>> {
  const { oo1, capi } = await sqlite3InitModule();
  const database = new oo1.DB(':memory:');
  database.exec('PRAGMA foreign_keys = ON');
  const rowId = () => capi.sqlite3_last_insert_rowid(database);
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: asKysely(database, rowId) }) });
}

/** sqlite-wasm in the shape that Kysely knows. */
function asKysely(database: Database, lastInsertRowid: () => bigint): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        reader: statement.columnCount > 0,
        all: (values) => [...rows(statement, values)],
        run: (values) => {
          for (const _ of rows(statement, values));
          return { changes: database.changes(), lastInsertRowid: lastInsertRowid() };
        },
        iterate: (values) => rows(statement, values),
      };
    },
  };
}

/** Runs a statement once and lets go of it: Kysely prepares one for every query. */
function* rows(statement: PreparedStatement, values: readonly unknown[]): Generator {
  try {
    // Kysely types parameters as unknown; the tables' own types allow only what SQLite takes.
    if (values.length > 0) statement.bind([...values] as BindableValue[]);
    while (statement.step()) yield statement.get({});
  } finally {
    statement.finalize();
  }
}
