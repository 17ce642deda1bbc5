import { afterEach } from 'vitest';

/** What tests of the page need around them. Those of plain functions do without one: opening it takes time. */
if (typeof document !== 'undefined') {
  await import('./jsdom-gaps.ts');
  const { act, cleanup, configure } = await import('@testing-library/react');

  // Long enough for a machine that does other things besides; a test that passes does not wait for it.
  configure({ asyncUtilTimeout: 6000, reactStrictMode: true });

  afterEach(() => {
    // Toasts outlive the page that they were shown on.
    for (const toast of document.querySelectorAll<HTMLElement>('[aria-label="Dismiss"]'))
      act(() => toast.click());
    cleanup();
    localStorage.clear();
    sessionStorage.clear();
    delete document.documentElement.dataset['theme'];
  });
}
