import type { Theme } from './theme.ts';

export const themeNames: Readonly<Record<Theme, string>> = {
  system: 'System theme',
  light: 'Light theme',
  dark: 'Dark theme',
};
