import { fromBase64url, toBase64url } from '../contract/http/crypto.ts';
import * as z from 'zod/mini';
import { Settings } from './settings.ts';

/** Bytes as text, because a browser's session storage takes only texts. */
const Bytes = z.codec(z.string(), z.instanceof(Uint8Array), {
  decode: (text) => fromBase64url(text),
  encode: (bytes) => toBase64url(bytes),
});

/** What a tab needs to continue after a reload: everything that is not generated. */
const Kept = z.object({
  settings: Settings,
  /** How many steps of the scenario are done. */
  step: z.number(),
  /** Whether the user changed anything, so that starting over loses something. */
  touched: z.boolean(),
  /** When its subscribers were generated, in ms since 1970. */
  begunAt: z.number(),
  /** The id of the session, which is valid in this tab only. */
  session: z.nullable(z.string()),
  /** How many changes of the made-up history are written. */
  pastSteps: z.number(),
  /** What changed in the service since the start, and the highest id that it assigned. */
  service: Bytes,
  lastId: z.number(),
  /** All that is in the BFF's tables. */
  bff: Bytes,
});
export type Kept = z.infer<typeof Kept>;

const key = 'demo';

/** The tab's own storage. A reload finds it, other tabs do not, and closing the tab deletes it. */
export interface Memory {
  read(): Kept | null;
  /** @returns false if the browser blocks its storage or it is full */
  write(kept: Kept): boolean;
  /** Deletes it for good: later writes of this page are ignored. */
  forget(): void;
}

/** @param storage called each time, because a browser that blocks storage throws even when it is named */
export function createMemory(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Memory {
  let forgotten = false;
  return {
    read() {
      try {
        return z.decode(Kept, JSON.parse(storage().getItem(key) ?? ''));
      } catch {
        // There is none, or it is from another version. The demo starts over.
        return null;
      }
    },
    write(kept) {
      if (forgotten) return true;
      try {
        storage().setItem(key, JSON.stringify(z.encode(Kept, kept)));
        return true;
      } catch {
        return false;
      }
    },
    forget() {
      forgotten = true;
      try {
        storage().removeItem(key);
      } catch {
        // A browser that blocks storage has stored nothing.
      }
    },
  };
}
