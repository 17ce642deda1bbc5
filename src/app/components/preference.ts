import { useSyncExternalStore } from 'react';

/** How somebody likes the page, kept in this browser alone; it tells nothing of anybody. */
export interface Preference<T extends string | number | boolean> {
  get: () => T;
  set: (value: T) => void;
  subscribe: (listener: () => void) => () => void;
}

/**
 * A preference under a key of the browser's storage.
 *
 * @param read makes a value of what is kept, which may be missing or of another time
 */
export function createPreference<T extends string | number | boolean>(
  key: string,
  read: (kept: string | null) => T,
): Preference<T> {
  const listeners = new Set<() => void>();
  // A browser may refuse all storage; then the choice lasts as long as the page.
  let unkept: string | null = null;
  return {
    get() {
      try {
        return read(localStorage.getItem(key) ?? unkept);
      } catch {
        return read(unkept);
      }
    },
    set(value) {
      unkept = null;
      try {
        localStorage.setItem(key, String(value));
      } catch {
        unkept = String(value);
      }
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function usePreference<T extends string | number | boolean>(preference: Preference<T>): T {
  return useSyncExternalStore(preference.subscribe, preference.get);
}
