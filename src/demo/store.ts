import * as z from 'zod/mini';

/** All of the data that is not generated. */
const Stored = z.object({
  /** When its subscribers were generated, in ms since 1970. */
  begunAt: z.number(),
  /** How many days its clock is ahead. */
  days: z.number(),
  /** How many changes of the made-up history are written. */
  pastSteps: z.number(),
  /** What changed in the service since the start, and the highest id that it assigned. */
  service: z.instanceof(Uint8Array),
  lastId: z.number(),
  /** All that is in the BFF's tables. */
  bff: z.instanceof(Uint8Array),
});
export type Stored = z.infer<typeof Stored>;

/** Where the data are kept that several tabs may show. One tab at a time uses it. */
export interface Store {
  /** @returns null if there are none, or they are from another version */
  read(): Promise<Stored | null>;
  /** @returns false if the browser blocks its storage or it is full */
  write(stored: Stored): Promise<boolean>;
  /** Deletes them for good: later writes are ignored. */
  forget(): Promise<void>;
}

const table = 'data';
/** A tab that the browser has put aside finds its data for so long, in ms. */
const life = 24 * 60 * 60_000;

/** A store in a browser. */
interface BrowserStore extends Store {
  /** Whether the browser does not block it. */
  isUsable(): Promise<boolean>;
  /** Deletes what tabs have left that were closed; it never fails. */
  deleteOld(): Promise<void>;
}

/** Keeps data under this name in the browser's database, in which a transaction is either whole or not there. */
export function createStore(name: string, now: () => number): BrowserStore {
  let opened: Promise<IDBDatabase> | undefined;
  let forgotten = false;
  const use = async <Result>(
    mode: IDBTransactionMode,
    work: (data: IDBObjectStore) => IDBRequest<Result>,
  ) => {
    const transaction = (await (opened ??= open())).transaction(table, mode);
    const request = work(transaction.objectStore(table));
    await new Promise<void>((done, failed) => {
      transaction.addEventListener('complete', () => done());
      transaction.addEventListener('abort', () => failed(transaction.error ?? new Error('It was aborted.')));
    });
    return request.result;
  };
  return {
    async read() {
      const found = z.safeParse(
        Stored,
        await use<unknown>('readonly', (data) => data.get(name)).catch(() => null),
      );
      return found.success ? found.data : null;
    },
    write: (stored) =>
      forgotten
        ? Promise.resolve(true)
        : use('readwrite', (data) => data.put({ ...stored, writtenAt: now() }, name)).then(
            () => true,
            () => false,
          ),
    async forget() {
      forgotten = true;
      await use('readwrite', (data) => data.delete(name)).catch(() => undefined);
    },
    isUsable: () =>
      use('readonly', (data) => data.count()).then(
        () => true,
        () => false,
      ),
    async deleteOld() {
      const { held = [] } = await navigator.locks.query();
      const inUse = [name, ...held.map((lock) => lock.name)];
      await use('readwrite', (data) => {
        const all = data.openCursor();
        all.addEventListener('success', () => {
          const found = all.result;
          if (!found) return;
          // Only `write` puts something there.
          const { writtenAt } = found.value as { writtenAt: number };
          if (writtenAt < now() - life && !inUse.some((used) => used === found.key)) found.delete();
          found.continue();
        });
        return all;
      }).catch(() => undefined);
    },
  };
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('subscriber-desk-demo', 1);
  request.addEventListener('upgradeneeded', () => void request.result.createObjectStore(table));
  return new Promise((done, failed) => {
    request.addEventListener('success', () => done(request.result));
    request.addEventListener('error', () => failed(request.error ?? new Error('The database is blocked.')));
  });
}
