import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { announced, shows } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, link, openPage } from '../../support/app/page.tsx';
import { anna } from '../../support/app/people.ts';
import { holdTimers } from '../../support/app/timers.ts';

const rows = /GET \/api\/subscribers$/;

test('what is not there after 400 ms is said to be loading, and before that nothing is', async () => {
  const slow = holdTimers(400);
  const answer = holdAnswers(rows);
  await openPage('/subscribers', { people: [anna] });
  await appears('table', 'Subscribers');
  expect(screen.queryByText(/Loading/)).toBeNull();
  slow.goOff();
  expect(announced()).toContain('Loading the list of subscribers…');
  answer.release();
  await shows('anna');
  await waitFor(() => expect(screen.queryByText(/Loading/)).toBeNull());
});

test('after 10 s it says what is awaited, and it can be asked for again', async () => {
  const stuck = holdTimers(10_000);
  const answer = holdAnswers(rows);
  const { user, asked } = await openPage('/subscribers', { people: [anna] });
  await appears('table', 'Subscribers');
  stuck.goOff();
  await screen.findByText('Still waiting for the list of subscribers.');
  await user.click(button('Try again'));
  await waitFor(() => expect(asked(rows)).toHaveLength(2));
  expect(screen.queryByText(/Still waiting/)).toBeNull();
  answer.release();
  await shows('anna');
});

test('a subscriber whose lists are long in coming is named as what is awaited', async () => {
  const { user } = await openPage('/subscribers', { people: [anna] });
  await shows('anna');
  const slow = holdTimers(400);
  const answer = holdAnswers(/subscribers\/1/);
  await user.click(link('anna'));
  await appears('complementary', 'anna');
  await waitFor(() => {
    slow.goOff();
    expect(announced()).toContain('Loading the subscriber…');
  });
  answer.release();
  await screen.findByText('192.0.2.0/24');
  await waitFor(() => expect(announced().join()).not.toContain('Loading'));
});

test('what is only refreshed is not said to be awaited', async () => {
  const { cache } = await openPage('/subscribers', { people: [anna] });
  await shows('anna');
  await waitFor(() => expect(cache.isFetching()).toBe(0));
  const slow = holdTimers(400);
  const answer = holdAnswers(/./);
  void cache.invalidateQueries();
  await waitFor(() => expect(cache.isFetching()).toBeGreaterThan(0));
  slow.goOff();
  expect(screen.queryByText(/Loading/)).toBeNull();
  answer.release();
});
