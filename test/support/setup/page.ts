import { act, cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import './jsdom-gaps.ts';

// Long enough for a machine that does other things besides; a test that passes does not wait for it.
configure({ asyncUtilTimeout: 6000, reactStrictMode: true });

// As high as the longest list: nothing is laid out here, so that no row waits for a frame because it is not in sight.
window.innerHeight = 10_000;

afterEach(() => {
  // Toasts outlive the page that they were shown on.
  for (const toast of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss"]'))
    act(() => toast.click());
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  delete document.documentElement.dataset['theme'];
});
