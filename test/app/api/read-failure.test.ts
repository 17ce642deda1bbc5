import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testTime } from '../../support/setup/fixed-time.ts';
import { answerAsProxy, cutNetwork, garbleAnswers, refuseWith } from '../../support/app/network.ts';
import { appears, button, disappears, openApp } from '../../support/app/page.tsx';
import { crowd } from '../../support/people.ts';

const staff = /^GET \/bff\/staff/;
const heading = 'Couldn’t load the staff accounts';

async function openStaff() {
  const page = await openApp('/staff', { role: 'manager' });
  const failure = within(await appears('alert'));
  failure.getByRole('heading', { name: heading });
  return { ...page, failure };
}

describe('a failed read', () => {
  // Time passes as usual, and faster where a test says so.
  beforeEach(() => {
    const toFake = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: testTime, shouldAdvanceTime: true });
  });
  afterEach(() => void vi.useRealTimers());

  it('names an outage, and is tried again every 15 seconds until it works', async () => {
    const mend = cutNetwork(staff);
    const { failure, requested, cache } = await openStaff();
    failure.getByText('Subscriber Desk doesn’t answer. Check your connection. We’ll keep trying.');
    for (const _ of [1, 2]) {
      const before = requested(staff).length;
      await vi.advanceTimersByTimeAsync(15_000);
      await waitFor(() => expect(requested(staff).length).toBeGreaterThan(before));
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

  const list = /^GET \/api\/subscribers(\?|$)/;
  it.each([
    ['the list', '/subscribers', list, cutNetwork, () => appears('table', 'Subscribers')],
    ['the list', '/subscribers', list, answerAsProxy, () => appears('table', 'Subscribers')],
    ['the list', '/subscribers', list, garbleAnswers, () => appears('table', 'Subscribers')],
    [
      'this subscriber',
      '/subscribers/1',
      /\/subscribers\/1/,
      garbleAnswers,
      () => screen.findByText('User agents'),
    ],
    ['the overview', '/overview', /overview$/, garbleAnswers, () => screen.findByText('Can watch now')],
    [
      'the activity',
      '/activity',
      /activity(\?|$)/,
      garbleAnswers,
      () => appears('heading', 'No activity yet'),
    ],
    ['the staff accounts', '/staff', staff, garbleAnswers, () => appears('table', 'Staff')],
    ['the jobs', '/jobs', /jobs(\?|$)/, garbleAnswers, () => appears('heading', 'No jobs yet')],
  ] as const)(
    'ends within 15 seconds of the end of its cause: %s at %s',
    async (what, address, which, begin, isThere) => {
      const mend = begin(which);
      await openApp(address, { role: 'manager', people: crowd(2) });
      await appears('heading', `Couldn’t load ${what}`);
      mend();
      await vi.advanceTimersByTimeAsync(15_000);
      await isThere();
      await disappears('heading', `Couldn’t load ${what}`);
    },
  );

  it('is tried again for the session too, and what that allows appears', async () => {
    const mend = refuseWith(/^GET \/bff\/session/, 'internal-error');
    const { requested, cache } = await openApp('/subscribers?trial=true', {
      role: 'manager',
      people: crowd(2),
    });
    await waitFor(() => expect(requested(/session/)).not.toEqual([]));
    // Each is asked twice at once.
    await vi.advanceTimersByTimeAsync(5_000);
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    mend();
    await vi.advanceTimersByTimeAsync(15_000);
    await appears('heading', 'No subscribers match');
    await appears('link', 'Staff');
  });

  it('is tried again only by its button if it was refused', async () => {
    const mend = refuseWith(staff, 'bad-request');
    const { requested, user } = await openStaff();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(requested(staff)).toHaveLength(1);
    expect(screen.queryByText(/keep trying/)).toBeNull();
    mend();
    await user.click(button('Try again'));
    await appears('table', 'Staff');
  });
});
