import type { DatabaseSync } from 'node:sqlite';
import { searchTables } from '../../service/subscribers/text-search.ts';

/** Pages that one step of a merge writes: about 40 ms, in which nobody else can write. */
const pagesAtOnce = 200;

/**
 * Erases the deleted from the search indexes of a service's file. FTS5 only marks a row as deleted, and keeps its pieces
 * until it merges them with others; its option `secure-delete` does nothing in a table with `contentless_delete`. Merged as
 * in https://sqlite.org/fts5.html#the_merge_command: what is deleted meanwhile may stay.
 *
 * @param pause lets others write between two steps; 100,000 subscribers take about 20 of them and half a second
 */
export async function eraseDeletedTexts(database: DatabaseSync, pause?: () => Promise<void>): Promise<void> {
  // The pages that become free are overwritten.
  database.exec('PRAGMA secure_delete = ON');
  const changes = () => Number(database.prepare('SELECT total_changes() AS n').get()?.['n']);
  for (const table of searchTables) {
    // A file of an earlier version may lack one.
    if (!database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table)) continue;
    // The first step takes up all that there is; the others go on until nothing is left to do.
    for (let pages = -pagesAtOnce; ; pages = pagesAtOnce) {
      const before = changes();
      database.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ${pages})`);
      if (changes() - before < 2) break;
      await pause?.();
    }
  }
}
