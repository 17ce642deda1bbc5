import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { announced, shows, table, usernames, toggleFilter } from '../../support/app/list.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { appears, button, disappears, link, openApp } from '../../support/app/page.tsx';
import { numbered, plainUpstream } from '../../support/app/plain-service.ts';

/** The dashboard over a service that has no filter for trials. */
async function openPlainPage(address: string, count: number) {
  const rows = Array.from({ length: count }, (_, index) => numbered(index + 1));
  return { ...(await openApp(address, { upstream: plainUpstream(rows) })), rows };
}
const names = (...ids: number[]) => ids.map((id) => numbered(id).username);
const saying = (text: string) => waitFor(() => expect(announced()).toContain(text));
const pagesAsked = ({ asked }: Awaited<ReturnType<typeof openPlainPage>>) =>
  asked(/^GET \/api\/subscribers\?(Expired=true&)?Page=\d+&PageSize=(1\d\d|200)$/).length;

test('the filter by trial checks all subscribers if the service has none, and counts exactly', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('combobox', 'Plan');
  await toggleFilter(page.user, 'Trial');
  await saying('200 of 1,000 subscribers are trials.');
  expect(await appears('heading', /^Subscribers\s+200$/)).toBeTruthy();
  expect(usernames()).toEqual(names(...Array.from({ length: 25 }, (_, place) => 5 * (place + 1))));
  expect(announced()).toContain('200 subscribers.');
  expect(page.asked(/IsTrial/)).toEqual([]);
});

test('the result of a trial scan is sorted and paged in the browser, without another scan', async () => {
  const page = await openPlainPage('/subscribers?trial=true&page=2&pageSize=15', 100);
  await saying('20 of 100 subscribers are trials.');
  expect(usernames()).toEqual(names(80, 85, 90, 95, 100));
  expect(page.asked(/IsTrial/)).toEqual([]);
  const asked = pagesAsked(page);
  await page.user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '50');
  await waitFor(() => expect(usernames()).toHaveLength(20));
  await page.user.click(button('Expires'));
  // The expired ones first; the higher the id, the earlier the expiry.
  await waitFor(() => expect(usernames().slice(0, 7)).toEqual(names(90, 75, 60, 45, 30, 15, 100)));
  await page.user.click(button('Expires'));
  await waitFor(() => expect(usernames().at(-1)).toBe('p000090'));
  await page.user.click(button('Username'));
  await page.user.click(button('Username'));
  await waitFor(() => expect(usernames()[0]).toBe('p000100'));
  expect(screen.getByText(/^Sorted in your browser, ignoring case/)).toBeTruthy();
  expect(pagesAsked(page)).toBe(asked);
});

test('a trial scan shows its progress, “Cancel” keeps what was found, and “Check again” starts over', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('link', 'p000001');
  const held = holdAnswers(/Page=2&PageSize=1/);
  await toggleFilter(page.user, 'Trial');
  const bar = await appears('progressbar', 'Checking for trials');
  await waitFor(() => expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['200', '1000']));
  expect(screen.getByText('200 of 1,000 checked, 40 trials')).toBeTruthy();
  expect(table().getAttribute('aria-busy')).toBe('true');
  await page.user.click(button('Cancel'));
  await saying('Stopped after 200 of 1,000 subscribers: 40 are trials.');
  expect(usernames()).toHaveLength(25);
  expect(announced()).toContain('40 subscribers.');
  await page.user.click(await appears('button', 'Check again'));
  held.release();
  await saying('200 of 1,000 subscribers are trials.');
});

test('removing the trial filter stops the scan, and setting it again starts over', async () => {
  const page = await openPlainPage('/subscribers', 2000);
  await appears('link', 'p000001');
  const held = holdAnswers(/Page=[2-9]&PageSize=1/);
  await toggleFilter(page.user, 'Trial');
  await screen.findByText('200 of 2,000 checked, 40 trials');
  await toggleFilter(page.user, 'Trial');
  await disappears('progressbar', 'Checking for trials');
  const asked = pagesAsked(page);
  held.release();
  await page.user.click(button('Expires'));
  await waitFor(() => expect(page.asked(/SortBy=expiresAt$/)).toHaveLength(1));
  expect(pagesAsked(page)).toBe(asked);
  await toggleFilter(page.user, 'Trial');
  await saying('400 of 2,000 subscribers are trials.');
});

test('the view “Expired trials” shares the result of the scan, and shows its count', async () => {
  const page = await openPlainPage('/subscribers', 300);
  await appears('link', 'p000001');
  await page.user.click(link('Expired trials'));
  await saying('20 of 100 subscribers are trials.');
  await appears('link', 'Expired trials20');
  expect(usernames()[0]).toBe('p000015');
  const asked = pagesAsked(page);
  await page.user.click(link('All'));
  await shows(...names(...Array.from({ length: 25 }, (_, place) => place + 1)));
  await page.user.click(link('Expired trials20'));
  await saying('20 of 100 subscribers are trials.');
  expect(pagesAsked(page)).toBe(asked);
});

test('a change is mentioned beside the result of a trial scan, which stays until “Check again”', async () => {
  const page = await openPlainPage('/subscribers?trial=true', 100);
  await saying('20 of 100 subscribers are trials.');
  const asked = pagesAsked(page);
  const meta = { invalidates: ['listSubscribers'] } as const;
  await page.cache
    .getMutationCache()
    .build(page.cache, { mutationFn: async () => null, meta })
    .execute(null);
  await saying('20 of 100 subscribers are trials. Subscribers have changed since.');
  expect(pagesAsked(page)).toBe(asked);
  page.rows.splice(4, 1);
  await page.user.click(button('Check again'));
  await saying('19 of 99 subscribers are trials.');
  expect(usernames()[0]).toBe('p000010');
});

test('a trial scan retries one failed request; after two it offers to try again', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('link', 'p000001');
  const mend = cutNetwork(/Page=2&PageSize=1/);
  await toggleFilter(page.user, 'Trial');
  const alert = within(await appears('alert'));
  expect(alert.getByText('Subscriber Desk doesn’t answer. Check your connection.')).toBeTruthy();
  expect(page.asked(/Page=2&PageSize=1/)).toHaveLength(2);
  mend();
  await page.user.click(alert.getByRole('button', { name: 'Try again' }));
  await saying('200 of 1,000 subscribers are trials.');
});

test('a range of expiry is found without a scan where the service cannot filter by it, and sorted by username by one', async () => {
  const page = await openPlainPage('/subscribers?expired=false', 100);
  // The higher the id, the earlier the expiry.
  await waitFor(() => expect(usernames().slice(0, 3)).toEqual(names(100, 98, 97)));
  expect(pagesAsked(page)).toBe(0);
  await page.user.click(button('Username'));
  await saying('67 of 100 subscribers match.');
  expect(usernames().slice(0, 3)).toEqual(names(1, 2, 4));
});
