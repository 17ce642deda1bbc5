import { statSync } from 'node:fs';
import { databaseUnavailable } from './refusals.ts';

/** @throws {Problem} `database-unavailable` if a file of the database is no longer the one that is open */
export type CheckFiles = () => void;

/** The database, its write-ahead log, and the index of that log. */
const suffixes = ['', '-wal', '-shm'];

/**
 * Watches the files of an open SQLite database. If somebody deletes or replaces one, SQLite goes on writing into a file
 * without a name, and all of it is gone when the process ends. Looking takes some microseconds, and is done before each
 * write.
 */
export function watchFiles(path: string): CheckFiles {
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
