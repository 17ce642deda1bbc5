import { fromBase64url, toBase64url } from '../contract/http/crypto.ts';
import * as z from 'zod/mini';
import { Settings } from './settings.ts';

/** Bytes as a text, which is all that a browser's session storage takes. */
const Bytes = z.codec(z.string(), z.instanceof(Uint8Array), {
  decode: (text) => fromBase64url(text),
  encode: (bytes) => toBase64url(bytes),
});

/** What a tab has to know to go on where it was before a reload: all that is not made up again from a seed. */
const Kept = z.object({
  settings: Settings,
  /** When its subscribers were made up, in ms since 1970. */
  begunAt: z.number(),
  /** The id of the session. It opens a desk that is in this tab and nowhere else. */
  session: z.nullable(z.string()),
  /** What changed since the beginning in the service, and the highest id that it gave out. */
  service: Bytes,
  lastId: z.number(),
  /** All that is in the desk's own tables. */
  desk: Bytes,
});
export type Kept = z.infer<typeof Kept>;

const key = 'demo';

/** The tab's own storage; a reload finds it, another tab does not, and it ends with the tab. */
export interface Memory {
  read(): Kept | null;
  /** Whether there was room: a browser may refuse, or have no more. */
  write(kept: Kept): boolean;
  /** For good: what this page still writes is written for nobody. */
  forget(): void;
}

/** @param storage asked for each time: a browser that refuses it throws already at its name */
export function createMemory(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Memory {
  let forgotten = false;
  return {
    read() {
      try {
        return z.decode(Kept, JSON.parse(storage().getItem(key) ?? ''));
      } catch {
        // Nothing, or of another version: the demo begins anew.
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
        // What could not be kept need not be forgotten.
      }
    },
  };
}
