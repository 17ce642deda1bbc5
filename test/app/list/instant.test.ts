import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { firstShown, shows, table, toggleFilter, usernames } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, dialog, link, openApp } from '../../support/app/page.tsx';
import { crowd, person } from '../../support/people.ts';

const past = { expiresAt: '2026-05-01T12:00:00.000Z' };

test('Back shows the previous page from the cache, without a grey row or an answer', async () => {
  const { user, goBack } = await openApp('/subscribers', { people: crowd(60) });
  await firstShown('p001');
  await user.click(button('Next page'));
  await firstShown('p026');
  const answers = holdAnswers(/./);
  goBack();
  await firstShown('p001');
  expect(table().getAttribute('aria-busy')).toBe('false');
  expect(within(table()).getAllByRole('row')).toHaveLength(26);
  answers.release();
});

test('an older answer that arrives last does not replace a newer one', async () => {
  const people = [person('anna', past), person('bjarne', { ...past, isTrial: true }), person('cecilie')];
  const { user } = await openApp('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  const older = holdAnswers(/Expired=true(?!.*IsTrial)/);
  const newer = holdAnswers(/Expired=true&IsTrial=true&?(?!PageSize)/);
  await toggleFilter(user, 'Expired');
  await toggleFilter(user, 'Trial');
  newer.release();
  await shows('bjarne');
  older.release();
  await toggleFilter(user, 'Trial');
  await shows('anna', 'bjarne');
});

test('an answer to a request from before a change does not overwrite the change', async () => {
  const people = [person('anna', past), person('bjarne', past)];
  const { user } = await openApp('/subscribers', { people });
  await shows('anna', 'bjarne');
  await user.click(link('anna'));
  await appears('complementary', 'anna');
  const before = holdAnswers(/\?Expired=true$/);
  await toggleFilter(user, 'Expired');
  await waitFor(() => expect(table().getAttribute('aria-busy')).toBe('true'));
  await user.click(await screen.findByRole('button', { name: 'Delete…' }));
  await waitFor(() => expect(button('Delete…').getAttribute('aria-disabled')).toBeNull());
  await user.click(button('Delete…'));
  await user.click((await dialog('Delete anna?')).getByRole('button', { name: 'Delete subscriber' }));
  await screen.findByText('anna was deleted.');
  before.release();
  await shows('bjarne');
});

test('coming back to the window refreshes the rows without a flicker', async () => {
  const { cache, service, requested } = await openApp('/subscribers', { people: crowd(3) });
  await shows('p001', 'p002', 'p003');
  await service.deleteSubscriber({ params: { id: 2 } });
  await cache.invalidateQueries({ refetchType: 'none' });
  const answer = holdAnswers(/GET \/api\/subscribers\?|GET \/api\/subscribers$/);
  const before = requested(/GET \/api\/subscribers$/).length;
  window.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(requested(/GET \/api\/subscribers$/).length).toBe(before + 1));
  expect(usernames()).toEqual(['p001', 'p002', 'p003']);
  expect(table().getAttribute('aria-busy')).toBe('false');
  expect(table().closest('[data-stale]')).toBeNull();
  answer.release();
  await shows('p001', 'p003');
});

test('the focus stays on its row when rows before it disappear', async () => {
  const { cache, service } = await openApp('/subscribers', { people: crowd(3) });
  await shows('p001', 'p002', 'p003');
  link('p003').focus();
  await service.deleteSubscriber({ params: { id: 2 } });
  await cache.invalidateQueries();
  await shows('p001', 'p003');
  expect(document.activeElement).toBe(link('p003'));
});

test('the focus stays on its check box when rows before it disappear', async () => {
  const { cache, service, user } = await openApp('/subscribers', { people: crowd(3) });
  await shows('p001', 'p002', 'p003');
  await user.click(button('Select'));
  const box = await screen.findByRole('checkbox', { name: 'Select p003' });
  box.focus();
  await service.deleteSubscriber({ params: { id: 2 } });
  await cache.invalidateQueries();
  await shows('p001', 'p003');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Select p003');
});

test('a subscriber is fetched ahead when its row is hovered or gets the focus', async () => {
  const { user, requested } = await openApp('/subscribers', { people: crowd(3) });
  await shows('p001', 'p002', 'p003');
  await user.hover(link('p002'));
  await waitFor(() => expect(requested(/GET \/api\/subscribers\/2/)).toHaveLength(1));
  await user.keyboard('j');
  await waitFor(() => expect(requested(/GET \/api\/subscribers\/1/)).toHaveLength(1));
});
