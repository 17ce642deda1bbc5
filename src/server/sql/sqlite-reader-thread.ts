/** The thread of `slow-reads.ts`: answers one query after the other. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { ReaderAnswer, ReaderQuery } from './slow-reads.ts';

const database = new DatabaseSync(String(workerData), { readOnly: true, timeout: 100 });
// In KiB, allocated as needed. A search that scans the table reads it once, so more would not help.
database.exec('PRAGMA cache_size = -65536');

const mostPrepared = 200;
const prepared = new Map<string, StatementSync>();

function prepare(sql: string): StatementSync {
  const known = prepared.get(sql);
  if (known) return known;
  if (prepared.size === mostPrepared) prepared.clear();
  const fresh = database.prepare(sql);
  prepared.set(sql, fresh);
  return fresh;
}

function answer({ sql, parameters }: ReaderQuery): ReaderAnswer {
  try {
    // Kysely types parameters as unknown; the tables' own types allow only what SQLite takes.
    return { rows: prepare(sql).all(...(parameters as readonly SQLInputValue[])) };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error';
    const errcode = error instanceof Error && 'errcode' in error ? Number(error.errcode) : null;
    return { message, errcode };
  }
}

parentPort?.on('message', (query: ReaderQuery) => parentPort?.postMessage(answer(query), []));
