import { afterAll, beforeEach, vi } from 'vitest';

/** The time in all tests of the dashboard: noon in UTC, two in the afternoon in the browser's zone. */
export const testTime = Date.parse('2026-06-01T12:00:00Z');

const freeze = () => vi.useFakeTimers({ toFake: ['Date'], now: testTime });

beforeEach(() => void freeze());
// The next file of this process expects the true time.
afterAll(() => void vi.useRealTimers());
