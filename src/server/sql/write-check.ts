import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorFields, type Log } from '../../lib/log.ts';
import { Problem } from '../../contract/http/problem.ts';
import { diskFull } from './refusals.ts';
import { FilesGone } from './node-sqlite.ts';

/** Largest difference between the clocks of a server and of its database, in ms. */
const clocksApart = 60_000;

/** Interval of the checks, in ms, and validity of an answer: nobody may cause a write with each question. */
const times = { every: 30_000, goodFor: 5_000 } as const;

/**
 * Checks from time to time, and when asked, whether a database can be written to, and logs when that changes. Reading
 * goes on when the disk is full or the files are deleted, so only a write shows it.
 *
 * @param options.database names it in the log
 * @param options.file the SQLite file, if it is one
 * @param options.write writes something that changes nothing
 * @param options.readTime what time it is for a database on another machine, in ms since 1970
 */
export function startWriteCheck(options: {
  database: string;
  file?: string | undefined;
  write: () => Promise<unknown>;
  readTime?: (() => Promise<number>) | undefined;
  clock: () => number;
  log: Log;
}) {
  const { database, file, write, readTime, clock, log } = options;
  /** Why it cannot be written to. */
  let fault: string | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<boolean> | null = null;
  const check = async () => {
    try {
      const full = file === undefined ? null : await findFullDisk(file);
      if (full) throw full;
      await write();
      if (readTime && Math.abs((await readTime()) - clock()) > clocksApart) throw new ClockWrong();
      if (fault !== null) log('info', 'database-writable', { database });
      fault = null;
    } catch (error) {
      // Another process writes right now, so writing works.
      if (error instanceof Problem && error.code === 'busy') return fault === null;
      const { reason, ...cause } = causeOf(error);
      if (fault !== reason) log('error', 'database-not-writable', { database, reason, ...cause });
      fault = reason;
    }
    checkedAt = clock();
    return fault === null;
  };
  const canWrite = async () => {
    if (clock() - checkedAt < times.goodFor) return fault === null;
    return (running ??= check().finally(() => (running = null)));
  };
  const timer = setInterval(() => void canWrite(), times.every);
  return {
    /** True if the database can be written to. */
    canWrite,
    /** True if our clock was far from the database's at the last check. */
    isClockWrong: () => fault === clockWrong,
    stop: () => clearInterval(timer),
  };
}

const clockWrong = 'clock-wrong';
class ClockWrong extends Error {}

/** So little free space, in bytes, that writing only works as long as SQLite finds room in files that it has already. */
const leastSpace = 1024 * 1024;

/** The problem `disk-full` if the disk of a file is; null if there is room. */
export async function findFullDisk(file: string): Promise<Problem | null> {
  const { bavail, bsize } = await statfs(dirname(file)).catch(() => ({ bavail: 1, bsize: leastSpace }));
  return bavail * bsize < leastSpace ? diskFull(new Error('There is less than 1 MiB of free space.')) : null;
}

function causeOf(error: unknown): Readonly<Record<string, unknown>> & { reason: string } {
  const cause: unknown = error instanceof Problem ? error.cause : error;
  if (cause instanceof ClockWrong) return { reason: clockWrong };
  if (cause instanceof FilesGone) return { reason: 'files-deleted' };
  return { reason: error instanceof Problem ? error.code : 'other', ...errorFields(cause) };
}
