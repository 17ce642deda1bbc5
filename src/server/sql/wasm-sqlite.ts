import sqlite3InitModule, {
  type BindableValue,
  type Database,
  type PreparedStatement,
} from '@sqlite.org/sqlite-wasm';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import { createRecorder, type Recorder } from './wasm-recorder.ts';

/** SQLite compiled to WebAssembly, in the memory of this tab: gone when it closes. */
export async function openWasmSqlite<Tables>(): Promise<Kysely<Tables>> {
  return (await openRecordedSqlite<Tables>()).db;
}

/** As `openWasmSqlite`, with a recorder of its changes. */
export async function openRecordedSqlite<Tables>(): Promise<{ db: Kysely<Tables>; recorder: Recorder }> {
  const sqlite = await (loaded ??= load());
  const database = new sqlite.oo1.DB(':memory:');
  database.exec('PRAGMA foreign_keys = ON');
  const rowId = () => sqlite.capi.sqlite3_last_insert_rowid(database);
  const dialect = new SqliteDialect({ database: asKysely(database, rowId) });
  return { db: new Kysely<Tables>({ dialect }), recorder: createRecorder(sqlite, database) };
}

/** Once for all databases of a tab. */
let loaded: ReturnType<typeof load> | undefined;

async function load() {
  const sqlite = await sqlite3InitModule();
  // It would write each failed constraint to the console. The caller gets the error anyway.
  sqlite.config.warn = () => undefined;
  return sqlite;
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

/** Runs a statement once and frees it: Kysely prepares one for every query. */
function* rows(statement: PreparedStatement, values: readonly unknown[]): Generator {
  try {
    // Kysely types parameters as unknown; the tables' own types allow only what SQLite takes.
    if (values.length > 0) statement.bind([...values] as BindableValue[]);
    while (statement.step()) yield statement.get({});
  } finally {
    statement.finalize();
  }
}
