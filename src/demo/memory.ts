import { fromBase64url, toBase64url } from '../contract/http/crypto.ts';
import * as z from 'zod/mini';
import { Settings } from './settings.ts';

/** Bytes as a text, which is all that a browser's session storage takes. */
const Bytes = z.codec(z.string(), z.instanceof(Uint8Array), {
  decode: (text) => fromBase64url(text),
  encode: (bytes) => toBase64url(bytes),
});

/** What a tab needs to continue after a reload: everything that is not generated from a seed. */
const Kept = z.object({
  settings: Settings,
  /** When its subscribers were generated, in ms since 1970. */
  begunAt: z.number(),
  /** The id of the session, which is valid in this tab only. */
  session: z.nullable(z.string()),
  /** What changed in the service since the start, and the highest id that it assigned. */
  service: Bytes,
  lastId: z.number(),
  /** All that is in the BFF's tables. */
  bff: Bytes,
});
export type Kept = z.infer<typeof Kept>;

const key = 'demo';

/** The tab's own storage: a reload finds it, another tab does not, and it ends with the tab. */
export interface Memory {
  read(): Kept | null;
  /** @returns false where the browser refuses it or its storage is full */
  write(kept: Kept): boolean;
  /** For good: later writes of this page are dropped. */
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
        // Nothing, or from another version: the demo starts new.
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
        // Nothing was stored either.
      }
    },
  };
}
