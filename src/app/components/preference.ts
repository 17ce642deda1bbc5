import { useSyncExternalStore } from 'react';
import type { Store } from '../../lib/store.ts';

const changeEvent = 'preference-change';

/**
 * A choice about the page that this browser remembers, under a key of its storage. It is kept nowhere else.
 *
 * @param read parses the stored text, which may be missing or from another version
 */
export function createPreference<T extends string | number | boolean>(
  key: string,
  read: (stored: string | null) => T,
): Store<T> {
  return {
    get() {
      try {
        return read(localStorage.getItem(key));
      } catch {
        return read(null);
      }
    },
    set(value) {
      try {
        localStorage.setItem(key, String(value));
      } catch {
        // A browser that blocks storage blocks the session cookie too, so the user cannot sign in anyway.
      }
      window.dispatchEvent(new Event(changeEvent));
    },
    subscribe(listener) {
      window.addEventListener(changeEvent, listener);
      return () => window.removeEventListener(changeEvent, listener);
    },
  };
}

export const usePreference = <T>({ subscribe, get }: Store<T>): T => useSyncExternalStore(subscribe, get);
