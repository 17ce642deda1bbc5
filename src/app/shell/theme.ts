import { createPreference } from '../components/preference.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const theme = createPreference<Theme>(
  'theme',
  (kept) => themes.find((name) => name === kept) ?? 'system',
);

/** Applies the chosen theme to the page; the system theme needs no attribute. */
export function applyTheme(): void {
  const chosen = theme.get();
  if (chosen === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = chosen;
}
