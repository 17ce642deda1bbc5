import { cleanup, configure, getConfig } from '@testing-library/react';
import { afterEach } from 'vitest';
import './jsdom-gaps.ts';

const { getElementError } = getConfig();
/** True while a test waits for something, when nobody reads why it is not there yet. */
const isWaiting = () => Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true;

configure({
  // Long enough for a machine that does other things besides; a test that passes does not wait for it.
  asyncUtilTimeout: 60_000,
  // Printing the page each time took a tenth of the time of the tests. It is printed when the wait has failed.
  getElementError: (message, container) =>
    isWaiting()
      ? Object.assign(new Error(message ?? ''), { name: 'TestingLibraryElementError' })
      : getElementError(message, container),
});

// jsdom always says en-US. Times and numbers are written as this region does.
Object.defineProperty(navigator, 'language', { value: 'en-GB' });

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  delete document.documentElement.dataset['theme'];
});
