import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useNow } from '../../../src/app/components/now.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const day = 24 * 60 * 60_000;

test('whoever comes back to the page after a night sees the present, before any timer goes off', () => {
  const { result } = renderHook(() => useNow());
  expect(result.current).toBe(testTime);
  vi.setSystemTime(testTime + day);
  expect(result.current).toBe(testTime);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  expect(result.current).toBe(testTime + day);
});

test('a clock that is set back is followed at the next look', () => {
  vi.setSystemTime(testTime + day);
  const { result, rerender } = renderHook(() => useNow());
  expect(result.current).toBe(testTime + day);
  vi.setSystemTime(testTime);
  rerender();
  expect(result.current).toBe(testTime);
});
