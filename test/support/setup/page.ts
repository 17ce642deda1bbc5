import { act, cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import './jsdom-gaps.ts';

// Long enough for a machine that does other things besides; a test that passes does not wait for it.
configure({ asyncUtilTimeout: 15_000, reactStrictMode: true });

afterEach(() => {
  // Toasts outlive the page that they were shown on.
  for (const toast of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss"]'))
    act(() => toast.click());
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  delete document.documentElement.dataset['theme'];
});
