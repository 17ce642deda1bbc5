import { createPreference } from '../components/preference.ts';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

export const themeNames: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
};

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

export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  applyTheme();
}
