import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const key = 'theme';
const listeners = new Set<() => void>();

function read(): Theme {
  return themes.find((theme) => theme === kept()) ?? 'system';
}

/** A browser may refuse all storage; the system's theme needs none. */
function kept(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Puts the chosen theme on the page; the system's own needs nothing. */
export function applyTheme(): void {
  const theme = read();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, read);
}
