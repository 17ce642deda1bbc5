import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

test('a database file is in WAL mode and waits for the disk at every commit', async () => {
  const db = openNodeSqlite(join(temporaryFolder(), 'database'));
  onTestFinished(() => db.destroy());
  const valueOf = async (name: string) =>
    (await sql<Record<string, unknown>>`PRAGMA ${sql.raw(name)}`.execute(db)).rows[0]?.[name];
  expect([await valueOf('journal_mode'), await valueOf('synchronous')]).toEqual(['wal', 2]);
});

test('a path where SQLite cannot keep a write-ahead log is refused', () => {
  const file = pathToFileURL(join(temporaryFolder(), 'database'));
  // This way of locking has no shared memory, as some network folders have none.
  file.search = 'vfs=unix-dotfile';
  expect(() => openNodeSqlite(file.href)).toThrow('write-ahead log');
});
