import { act, screen, waitFor } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { announced, shows } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, link, openApp } from '../../support/app/page.tsx';
import { anna } from '../../support/people.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const rows = /GET \/api\/subscribers$/;

test('the page announces that the list is loading until it is there', async () => {
  const answer = holdAnswers(rows);
  await openApp('/subscribers', { people: [anna] });
  await waitFor(() => expect(announced()).toContain('Loading the list of subscribers…'));
  answer.release();
  await shows('anna');
  await waitFor(() => expect(screen.queryByText(/Loading/)).toBeNull());
});

test('the page says after 10 s what it still waits for, and requests it again when asked', async () => {
  vi.useFakeTimers({
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
    now: testTime,
    shouldAdvanceTime: true,
  });
  onTestFinished(() => void vi.useRealTimers());
  const answer = holdAnswers(rows);
  const { user, requested } = await openApp('/subscribers', { people: [anna] });
  await screen.findByText('Loading the list of subscribers…');
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  screen.getByText('Still waiting for the list of subscribers.');
  await user.click(button('Try again'));
  await waitFor(() => expect(requested(rows)).toHaveLength(2));
  await waitFor(() => expect(screen.queryByText(/Still waiting/)).toBeNull());
  answer.release();
  await shows('anna');
});

test('the page announces a subscriber that loads slowly, but not in the first 400 ms', async () => {
  const { user } = await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  const answer = holdAnswers(/subscribers\/1/);
  const start = performance.now();
  await user.click(link('anna'));
  await appears('complementary', 'anna');
  await waitFor(() => expect(announced()).toContain('Loading the subscriber…'));
  expect(performance.now() - start).toBeGreaterThanOrEqual(400);
  answer.release();
  await screen.findByText('192.0.2.0/24');
  await waitFor(() => expect(announced().join()).not.toContain('Loading'));
});

test('the page announces what is missing, not a list that is only refreshed', async () => {
  const { user, cache } = await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  await waitFor(() => expect(cache.isFetching()).toBe(0));
  const answer = holdAnswers(/./);
  void cache.invalidateQueries();
  await waitFor(() => expect(cache.isFetching()).toBeGreaterThan(0));
  await user.click(link('anna'));
  // If a refresh counted, the list would be announced instead, because it is requested first.
  await waitFor(() => expect(announced()).toContain('Loading the subscriber…'));
  answer.release();
  await screen.findByText('192.0.2.0/24');
});
