import { createPreference } from '../components/preference.ts';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

export const theme = createPreference<Theme>(
  'theme',
  (stored) => themes.find((name) => name === stored) ?? 'system',
);

/** Applies the chosen theme to the page. */
export function applyTheme(): void {
  document.documentElement.dataset['theme'] = theme.get();
}

export const themeNames: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
};

export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  applyTheme();
}
