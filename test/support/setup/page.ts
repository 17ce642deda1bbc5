import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import './jsdom-gaps.ts';

// Long enough for a machine that does other things besides; a test that passes does not wait for it.
configure({ asyncUtilTimeout: 15_000, reactStrictMode: true });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  delete document.documentElement.dataset['theme'];
});
