import { Worker } from 'node:worker_threads';
import {
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Logger,
  type QueryResult,
} from 'kysely';
import { threadFile } from '../installation.ts';
import { refusalOr } from './node-sqlite.ts';

/** A query for the thread, and its answer. */
export type ReaderQuery = Pick<CompiledQuery, 'sql' | 'parameters'>;
export type ReaderAnswer = { rows: unknown[] } | { message: string; errcode: number | null };

/**
 * Reads a SQLite file on a thread with a connection of its own. The driver of Node blocks its thread until a query is
 * done, so a slow one would delay every other request. The queries of this reader run one after the other.
 */
export function openSqliteReader<Tables>(path: string, log?: Logger): Kysely<Tables> {
  return new Kysely<Tables>({
    ...(log && { log }),
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new ReaderDriver(path),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Lends its one connection to one caller at a time. */
class ReaderDriver implements Driver {
  readonly #connection: ReaderConnection;
  /** Resolves when all earlier reads are done. */
  #turn: Promise<void> = Promise.resolve();
  #release = () => {};

  constructor(path: string) {
    this.#connection = new ReaderConnection(path);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#turn;
    this.#turn = promise;
    await before;
    this.#release = resolve;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  // `inSnapshot` sends its own statements. Kysely's transactions are for writers.
  async beginTransaction(): Promise<void> {
    throw new Error('This connection only reads.');
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#connection.close();
  }
}

/** Starts its thread with the first query, so that a program that needs no slow read does without. */
class ReaderConnection implements DatabaseConnection {
  readonly #path: string;
  #worker: Worker | null = null;
  #waiting: PromiseWithResolvers<ReaderAnswer> | null = null;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    // Queries that are still waiting for their turn must not start another thread.
    if (this.#isClosed) throw new Error('The database is closed.');
    const worker = (this.#worker ??= this.#start());
    this.#waiting = Promise.withResolvers();
    worker.postMessage({ sql, parameters } satisfies ReaderQuery, []);
    const answer = await this.#waiting.promise;
    // Kysely's caller says what a row is.
    if ('rows' in answer) return { rows: answer.rows as Row[] };
    throw refusalOr(Object.assign(new Error(answer.message), { errcode: answer.errcode }), false);
  }

  streamQuery(): never {
    throw new Error('This connection streams nothing.');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(threadFile('sql/sqlite-reader-thread'), {
      name: 'sqlite-reader',
      workerData: this.#path,
      execArgv: [],
    });
    // An idle thread does not keep the process alive.
    worker.unref();
    worker.on('message', (answer: ReaderAnswer) => this.#waiting?.resolve(answer));
    const fail = (error: unknown) => {
      // A thread that fails also exits, when the query that waits may be of the next thread.
      if (this.#worker !== worker) return;
      // The next query starts another thread.
      this.#worker = null;
      this.#waiting?.reject(refusalOr(error, false));
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(new Error('The thread that reads the database ended.')));
    return worker;
  }
}
