import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { announced, shows, table, usernames } from '../../../support/app/list.ts';
import { cutNetwork, holdAnswers } from '../../../support/app/network.ts';
import { appears, button, disappears, link, openPage } from '../../../support/app/page.tsx';
import { numbered, plainUpstream } from '../../../support/app/plain-service.ts';

/** The dashboard over a service that has no filter for trials. */
async function openPlainPage(address: string, count: number) {
  const rows = Array.from({ length: count }, (_, index) => numbered(index + 1));
  return { ...(await openPage(address, { upstream: plainUpstream(rows) })), rows };
}
const names = (...ids: number[]) => ids.map((id) => numbered(id).username);
const saying = (text: string) => waitFor(() => expect(announced()).toContain(text));
const pagesAsked = ({ asked }: Awaited<ReturnType<typeof openPlainPage>>) =>
  asked(/^GET \/api\/subscribers\?(Expired=true&)?Page=\d+&PageSize=(1\d\d|200)$/).length;

test('"Trial" works where the service has no filter for it: all are looked at, and counted exactly', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await page.user.click(await appears('button', 'Trial'));
  await saying('Complete: 200 of 1,000 looked at are trials.');
  expect(await appears('heading', /^Subscribers\s+200$/)).toBeTruthy();
  expect(usernames()).toEqual(names(...Array.from({ length: 25 }, (_, place) => 5 * (place + 1))));
  expect(announced()).toContain('200 subscribers.');
  expect(page.asked(/IsTrial/)).toEqual([]);
});

test('an address with the filter opens it too, without asking the service for what it would refuse', async () => {
  await openPlainPage('/subscribers?trial=true&page=8', 1000);
  await saying('Complete: 200 of 1,000 looked at are trials.');
  expect(usernames().at(-1)).toBe('p001000');
  expect(screen.queryByRole('alert', { name: /Couldn’t/ })).toBeNull();
});

test('what was found is sorted and paged here, and not looked for again', async () => {
  const page = await openPlainPage('/subscribers?trial=true', 100);
  await saying('Complete: 20 of 100 looked at are trials.');
  const asked = pagesAsked(page);
  await page.user.click(button('Expires'));
  // The expired ones first, each id the earlier the higher it is.
  await waitFor(() => expect(usernames().slice(0, 7)).toEqual(names(90, 75, 60, 45, 30, 15, 100)));
  await page.user.click(button('Expires'));
  await waitFor(() => expect(usernames().at(-1)).toBe('p000090'));
  await page.user.click(button('Username'));
  await page.user.click(button('Username'));
  await waitFor(() => expect(usernames()[0]).toBe('p000100'));
  expect(screen.getByText(/^Sorted here, letter by letter/)).toBeTruthy();
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '50');
  await waitFor(() => expect(usernames()).toHaveLength(20));
  expect(pagesAsked(page)).toBe(asked);
});

test('it shows how far it is, and "Cancel" leaves what was found, said to be partial', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('link', 'p000001');
  holdAnswers(/Page=2&PageSize=1/);
  await page.user.click(button('Trial'));
  const bar = await appears('progressbar', 'Looking for trials');
  await waitFor(() => expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['200', '1000']));
  expect(screen.getByText('200 of 1,000, 40 found')).toBeTruthy();
  expect(table().getAttribute('aria-busy')).toBe('true');
  await page.user.click(button('Cancel'));
  await saying('Partial: 40 of 200 looked at are trials; there are 1,000 in all.');
  expect(usernames()).toHaveLength(25);
  expect(announced()).toContain('40 subscribers.');
});

test('"Look again" starts over after a cancel, and finds them all', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('link', 'p000001');
  const held = holdAnswers(/Page=2&PageSize=1/);
  await page.user.click(button('Trial'));
  await screen.findByText('200 of 1,000, 40 found');
  await page.user.click(button('Cancel'));
  await page.user.click(await appears('button', 'Look again'));
  held.release();
  await saying('Complete: 200 of 1,000 looked at are trials.');
});

test('leaving the filter gives it up: nothing more is asked for, and coming back begins anew', async () => {
  const page = await openPlainPage('/subscribers', 2000);
  await appears('link', 'p000001');
  const held = holdAnswers(/Page=[2-9]&PageSize=1/);
  await page.user.click(button('Trial'));
  await screen.findByText('200 of 2,000, 40 found');
  await page.user.click(button('Trial'));
  await disappears('progressbar', 'Looking for trials');
  const asked = pagesAsked(page);
  held.release();
  await page.user.click(button('Expires'));
  await waitFor(() => expect(page.asked(/SortBy=expiresAt$/)).toHaveLength(1));
  expect(pagesAsked(page)).toBe(asked);
  await page.user.click(button('Trial'));
  await saying('Complete: 400 of 2,000 looked at are trials.');
});

test('the view "Expired trials" shares the result, and has its count once it is known', async () => {
  const page = await openPlainPage('/subscribers', 300);
  await appears('link', 'p000001');
  await page.user.click(link('Expired trials'));
  await saying('Complete: 20 of 100 looked at are trials.');
  await appears('link', 'Expired trials20');
  expect(usernames()[0]).toBe('p000015');
  const asked = pagesAsked(page);
  await page.user.click(link('All'));
  await shows(...names(...Array.from({ length: 25 }, (_, place) => place + 1)));
  await page.user.click(link('Expired trials20'));
  await saying('Complete: 20 of 100 looked at are trials.');
  expect(pagesAsked(page)).toBe(asked);
});

test('what was found stays until somebody looks again', async () => {
  const page = await openPlainPage('/subscribers?trial=true', 100);
  await saying('Complete: 20 of 100 looked at are trials.');
  page.rows.splice(4, 1);
  void page.cache.invalidateQueries({ queryKey: ['listSubscribers'] });
  await page.user.click(button('Look again'));
  await saying('Complete: 19 of 99 looked at are trials.');
  expect(usernames()[0]).toBe('p000010');
});

test('a change made here starts no search by itself, but is said beside what was found', async () => {
  const page = await openPlainPage('/subscribers?trial=true', 100);
  await saying('Complete: 20 of 100 looked at are trials.');
  const asked = pagesAsked(page);
  const meta = { invalidates: ['listSubscribers'] } as const;
  await page.cache
    .getMutationCache()
    .build(page.cache, { mutationFn: async () => null, meta })
    .execute(null);
  await saying('Complete: 20 of 100 looked at are trials. Something was changed since.');
  expect(pagesAsked(page)).toBe(asked);
});

test('one failure on the way is tried again; two end it with what to do', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('link', 'p000001');
  const mend = cutNetwork(/Page=2&PageSize=1/);
  await page.user.click(button('Trial'));
  const alert = within(await appears('alert'));
  expect(alert.getByText('Subscriber Desk doesn’t answer. Check your connection.')).toBeTruthy();
  expect(page.asked(/Page=2&PageSize=1/)).toHaveLength(2);
  mend();
  await page.user.click(alert.getByRole('button', { name: 'Try again' }));
  await saying('Complete: 200 of 1,000 looked at are trials.');
});
