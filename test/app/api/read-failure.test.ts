import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { testTime } from '../../support/setup/fixed-time.ts';
import { cutNetwork, refuseWith } from '../../support/app/network.ts';
import { appears, button, disappears, openPage } from '../../support/app/page.tsx';

const staff = /^GET \/bff\/staff/;
const heading = 'Couldn’t load the staff accounts';

async function openStaff() {
  const page = await openPage('/staff', { role: 'manager' });
  const failure = within(await appears('alert'));
  failure.getByRole('heading', { name: heading });
  return { ...page, failure };
}

describe('a failed read', () => {
  // Time passes as usual, and faster where a test says so.
  beforeEach(() => {
    const toFake = ['Date', 'setTimeout', 'clearTimeout'] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: testTime, shouldAdvanceTime: true });
  });
  afterEach(() => void vi.useRealTimers());

  test('of an outage says that it is tried again, and is tried every 15 seconds until it works', async () => {
    const mend = cutNetwork(staff);
    const { failure, asked, cache } = await openStaff();
    failure.getByText('Subscriber Desk doesn’t answer. Check your connection. We’ll keep trying.');
    for (const _ of [1, 2]) {
      const before = asked(staff).length;
      await vi.advanceTimersByTimeAsync(15_000);
      await waitFor(() => expect(asked(staff).length).toBeGreaterThan(before));
      // The same element: one that disappears and returns would be announced each time.
      failure.getByText(/We’ll keep trying\.$/);
      expect(screen.getByRole('heading', { name: heading })).toBeTruthy();
      await waitFor(() => expect(cache.isFetching()).toBe(0));
    }
    mend();
    await vi.advanceTimersByTimeAsync(15_000);
    await appears('table', 'Staff');
    await disappears('heading', heading);
  });

  test.each([
    ['upstream-unreachable', 'The subscriber service doesn’t answer. We’ll keep trying.'],
    ['upstream-timeout', 'The subscriber service doesn’t answer. We’ll keep trying.'],
    ['bad-upstream', 'The subscriber service isn’t working properly. We’ll keep trying.'],
    ['internal-error', 'Subscriber Desk isn’t working properly. We’ll keep trying.'],
    ['busy', 'Subscriber Desk is busy. We’ll keep trying.'],
  ] as const)(
    'names the server that fails, and does not ask to check a change: %s',
    async (code, sentence) => {
      refuseWith(staff, code);
      const { failure } = await openStaff();
      failure.getByText(sentence);
      failure.getByText(/^If this continues, tell an administrator the request ID:/);
    },
  );

  test('that was refused is not tried again by itself', async () => {
    refuseWith(staff, 'bad-request');
    const { asked } = await openStaff();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked(staff)).toHaveLength(1);
    expect(screen.queryByText(/keep trying/)).toBeNull();
    expect(button('Try again')).toBeTruthy();
  });
});
