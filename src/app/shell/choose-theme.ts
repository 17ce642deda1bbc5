import { applyTheme, theme, type Theme } from './theme.ts';

// Apart from `theme.ts`, because the first view only applies the theme.

export const themeNames: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
};

export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  applyTheme();
}
