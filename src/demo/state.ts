import type { Settings } from './settings.ts';

/** What the bar shows. */
export interface Shown extends Settings {
  signedIn: boolean;
  /** False once the browser's storage is full or refused: a reload will not find the last changes. */
  isKept: boolean;
}

export interface State {
  get: () => Shown;
  change: (part: Partial<Shown>) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createState(begin: Omit<Shown, 'isKept'>): State {
  let shown: Shown = { ...begin, isKept: true };
  const listeners = new Set<() => void>();
  return {
    get: () => shown,
    change(part) {
      shown = { ...shown, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
