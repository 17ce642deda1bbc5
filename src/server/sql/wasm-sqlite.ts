import sqlite3InitModule, {
  type BindableValue,
  type Database,
  type PreparedStatement,
  type Sqlite3Static,
} from '@sqlite.org/sqlite-wasm';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';

/** SQLite compiled to WebAssembly, in the memory of this tab or worker. */
export async function openWasmSqlite<Tables>(): Promise<{
  db: Kysely<Tables>;
  /** Everything in it, as the bytes of a database file. */
  image: () => Uint8Array<ArrayBuffer>;
}> {
  const sqlite = await (loaded ??= load());
  const database = new sqlite.oo1.DB(':memory:');
  return { db: inKysely(sqlite, database), image: () => sqlite.capi.sqlite3_js_db_export(database) };
}

/**
 * Opens a folder of database files in the browser's private file system, in a worker: a transaction that is committed outlives any
 * crash. One worker at a time can have it; another waits for the end of the
 * one that has it.
 *
 * @throws where the browser keeps no files, as in private windows of some
 */
export async function openDatabaseFiles(folder: string) {
  const sqlite = await (loaded ??= load());
  await untilClosed(folder);
  const pool = await sqlite.installOpfsSAHPoolVfs({ directory: folder, name: 'files' });
  return {
    has: (name: string) => pool.getFileNames().includes(`/${name}`),
    /** Creates a file, whole or not at all. */
    async put(name: string, image: Uint8Array<ArrayBuffer>) {
      pool.unlink(`/${name}`);
      await pool.importDb(`/${name}`, image);
    },
    open<Tables>(name: string): Kysely<Tables> {
      const database = new pool.OpfsSAHPoolDb(`/${name}`);
      // A log needs no sync for each transaction, which take a second for one change where the disk is busy.
      database.exec(
        'PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL',
      );
      return inKysely(sqlite, database);
    },
  };
}

/**
 * Waits until no worker has the files open: a browser may take a moment to close those of one that it has ended. SQLite
 * would not wait, and where it cannot open a folder, it deletes it.
 */
async function untilClosed(folder: string): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const own = await root.getDirectoryHandle(folder, { create: true });
  // The name that SQLite gives the folder of its files.
  const files = await own.getDirectoryHandle('.opaque', { create: true });
  for await (const file of files.values())
    if (file instanceof FileSystemFileHandle) while (await isOpenElsewhere(file)) await pause();
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

async function isOpenElsewhere(file: FileSystemFileHandle): Promise<boolean> {
  try {
    (await (file as WorkerFile).createSyncAccessHandle()).close();
    return false;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NoModificationAllowedError') return true;
    throw error;
  }
}

/** Workers can do more with a file than pages. */
interface WorkerFile extends FileSystemFileHandle {
  createSyncAccessHandle: () => Promise<{ close: () => void }>;
}

/** Once for all databases of a tab or worker. */
let loaded: ReturnType<typeof load> | undefined;

async function load() {
  const sqlite = await sqlite3InitModule();
  // It would write each failed constraint to the console. The caller gets the error anyway.
  sqlite.config.warn = () => undefined;
  return sqlite;
}

function inKysely<Tables>({ capi }: Sqlite3Static, database: Database): Kysely<Tables> {
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
