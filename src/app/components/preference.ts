import { useSyncExternalStore } from 'react';

/** A choice about the page that this browser remembers. */
interface Preference<T extends string | number | boolean> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

const changeEvent = 'preference-change';

/**
 * A preference under a key of the browser's storage. It is kept nowhere else.
 *
 * @param read parses the stored text, which may be missing or from another version
 */
export function createPreference<T extends string | number | boolean>(
  key: string,
  read: (stored: string | null) => T,
): Preference<T> {
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

export function usePreference<T extends string | number | boolean>(preference: Preference<T>): T {
  return useSyncExternalStore(preference.subscribe, preference.get);
}
