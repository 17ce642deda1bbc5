import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import './jsdom-gaps.ts';

// Long enough for a machine that does other things besides; a test that passes does not wait for it.
configure({ asyncUtilTimeout: 60_000, reactStrictMode: true });

// jsdom always says en-US. Times and numbers are written as this region does.
Object.defineProperty(navigator, 'language', { value: 'en-GB' });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  delete document.documentElement.dataset['theme'];
});
