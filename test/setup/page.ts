import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

/** When all tests of the dashboard take place: noon in UTC, two in the afternoon in the browser's zone. */
export const testTime = Date.parse('2026-06-01T12:00:00Z');

const freeze = () => vi.useFakeTimers({ toFake: ['Date'], now: testTime });

// Before the dashboard is imported, because its one clock looks at the time as soon as it is there.
freeze();
beforeEach(() => void freeze());

// Long enough for a machine that does other things besides; a test that passes does not wait for it.
configure({ asyncUtilTimeout: 6000, reactStrictMode: true });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  delete document.documentElement.dataset['theme'];
});
