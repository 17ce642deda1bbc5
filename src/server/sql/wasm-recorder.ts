import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm';

/** Writes down what changes in a database: https://www.sqlite.org/sessionintro.html. */
export interface Recorder {
  /** Begins, for one table or for all that have a primary key. */
  begin(table?: string): void;
  /** All that changed since the beginning, as it is now. */
  changes(): Uint8Array<ArrayBuffer>;
  /** Repeats the changes of an earlier recording. @throws if they do not fit the database */
  replay(changes: Uint8Array): void;
}

export function createRecorder({ capi, wasm }: Sqlite3Static, database: Database): Recorder {
  let session: ReturnType<typeof wasm.peekPtr> | null = null;
  const check = (code: number) => void database.checkRc(code);
  return {
    begin(table) {
      withStack(wasm, () => {
        const pointer = wasm.pstack.allocPtr();
        check(capi.sqlite3session_create(database, 'main', pointer));
        session = wasm.peekPtr(pointer);
      });
      check(capi.sqlite3session_attach(session ?? 0, table ?? 0));
    },
    changes() {
      const written = session;
      if (written === null) return new Uint8Array();
      return withStack(wasm, () => {
        const size = wasm.pstack.alloc(8);
        const pointer = wasm.pstack.allocPtr();
        check(capi.sqlite3session_changeset(written, size, pointer));
        const [start, length] = [wasm.peekPtr(pointer), wasm.peek32(size)];
        const copy = new Uint8Array(wasm.heap8u().subarray(start, start + length));
        capi.sqlite3_free(start);
        return copy;
      });
    },
    replay(changes) {
      if (changes.length === 0) return;
      const pointer = wasm.allocFromTypedArray(changes);
      try {
        const never = () => capi.SQLITE_CHANGESET_ABORT;
        check(capi.sqlite3changeset_apply(database, changes.length, pointer, 0, never, 0));
      } finally {
        wasm.dealloc(pointer);
      }
    },
  };
}

/** Frees the scratch memory of SQLite that the work has taken. */
function withStack<Result>(wasm: Sqlite3Static['wasm'], work: () => Result): Result {
  const before = wasm.pstack.pointer;
  try {
    return work();
  } finally {
    wasm.pstack.restore(before);
  }
}
