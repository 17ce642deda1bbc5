import { createPreference } from '../components/preference.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = createPreference<Theme>(
  'theme',
  (stored) => themes.find((name) => name === stored) ?? 'system',
);

/** Applies the chosen theme to the page; the system theme needs no attribute. */
export function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}
