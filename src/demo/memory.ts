import * as z from 'zod/mini';
import { Settings } from './settings.ts';

/** What a tab needs to continue after a reload, besides the data, which it may share with other tabs. */
const Kept = z.object({
  /** The id of the data that it shows. */
  dataId: z.string(),
  settings: Settings,
  /** How many steps of the scenario are done. */
  step: z.number(),
  /** Whether the user changed anything, so that starting over loses something. */
  touched: z.boolean(),
  /** The id of the session, which is valid in this tab only. */
  session: z.nullable(z.string()),
});
export type Kept = z.infer<typeof Kept>;

const key = 'demo';
/** Set where the next page of the tab is to begin with data of its own. */
const newKey = 'demo-new';

/** The tab's own storage. A reload finds it, other tabs do not, and closing the tab deletes it. */
export interface Memory {
  read(): Kept | null;
  /** @returns false if the browser blocks its storage or it is full */
  write(kept: Kept): boolean;
  /** Deletes it for good: later writes of this page are ignored, and the next page begins with data of its own. */
  forget(): void;
  /** Whether the page before has called `forget`. */
  startsOver(): boolean;
}

/** @param storage called each time, because a browser that blocks storage throws even when it is named */
export function createMemory(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Memory {
  let forgotten = false;
  const attempt = <Result>(work: (open: ReturnType<typeof storage>) => Result, otherwise: Result): Result => {
    try {
      return work(storage());
    } catch {
      return otherwise;
    }
  };
  return {
    // There may be none, or it is from another version. The demo starts over.
    read: () => attempt((open) => z.parse(Kept, JSON.parse(open.getItem(key) ?? '')), null),
    write(kept) {
      if (forgotten) return true;
      return attempt((open) => {
        open.setItem(key, JSON.stringify(kept));
        open.removeItem(newKey);
        return true;
      }, false);
    },
    forget() {
      forgotten = true;
      attempt((open) => {
        open.removeItem(key);
        open.setItem(newKey, 'true');
      }, undefined);
    },
    startsOver: () => attempt((open) => open.getItem(newKey) !== null, false),
  };
}
