import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { says, shows, table, usernames, toggleFilter } from '../../support/app/list.ts';
import { appears, button, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { numbered, plainUpstream } from '../../support/app/plain-service.ts';

/** The dashboard over a service that has no filter for trials. */
async function openPlainPage(address: string, count: number, gate: Promise<void> | null = null) {
  const rows = Array.from({ length: count }, (_, index) => numbered(index + 1));
  const service = { rows, read: [] as string[], isDown: false, gate };
  const upstream = plainUpstream(rows, async (url) => {
    // Pages as a scan reads them.
    if (!/Page=\d+&PageSize=(1\d\d|200)$/.test(url)) return;
    service.read.push(url);
    if (!/Page=1&/.test(url)) await service.gate;
    if (service.isDown) throw new TypeError('down');
  });
  return { ...(await openApp(address, { upstream })), ...service, service };
}

/** Holds all pages of a scan but the first. */
function holdPages({ service }: Awaited<ReturnType<typeof openPlainPage>>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  service.gate = promise;
  return resolve;
}

const names = (...ids: number[]) => ids.map((id) => numbered(id).username);
test('the filter by trial checks all subscribers if the service has none, and counts exactly', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('combobox', 'Plan');
  await toggleFilter(page.user, 'Trial');
  await says('200 of 1,000 subscribers are trials.');
  expect(await appears('heading', /^Subscribers\s+200$/)).toBeTruthy();
  await shows(...names(...Array.from({ length: 25 }, (_, place) => 5 * (place + 1))));
  await says('200 subscribers.');
});

test('the result of a trial scan is sorted and paged without another scan', async () => {
  const page = await openPlainPage('/subscribers?trial=true&page=2&pageSize=15', 100);
  await says('20 of 100 subscribers are trials.');
  await shows(...names(80, 85, 90, 95, 100));
  const requested = page.read.length;
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
  expect(screen.getByText(/^Sorted ignoring case/)).toBeTruthy();
  expect(page.read.length).toBe(requested);
});

test('a trial scan shows its progress, “Cancel” keeps what was found, and “Check again” starts over', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('link', 'p000001');
  const release = holdPages(page);
  await toggleFilter(page.user, 'Trial');
  const bar = await appears('progressbar', 'Checking for trials');
  await waitFor(() => expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['200', '1000']));
  expect(screen.getByText('200 of 1,000 checked, 40 trials')).toBeTruthy();
  expect(table().getAttribute('aria-busy')).toBe('true');
  await page.user.click(button('Cancel'));
  await says('Stopped after 200 of 1,000 subscribers: 40 are trials.');
  await waitFor(() => expect(usernames()).toHaveLength(25));
  await says('40 subscribers.');
  await hasFocus(() => screen.getByRole('heading', { level: 1 }));
  await page.user.click(await appears('button', 'Check again'));
  await appears('button', 'Cancel');
  await hasFocus(() => screen.getByRole('heading', { level: 1 }));
  release();
  await says('200 of 1,000 subscribers are trials.');
});

test('a list that is opened by its address shows the progress of its scan, and no failure', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await openPlainPage('/subscribers?trial=true', 1000, promise);
  await screen.findByText('200 of 1,000 checked, 40 trials');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(table().getAttribute('aria-busy')).toBe('true');
  resolve();
  await says('200 of 1,000 subscribers are trials.');
});

test('the view “Expired trials” shares the result of the scan, and shows its count', async () => {
  const page = await openPlainPage('/subscribers', 300);
  await appears('link', 'p000001');
  await page.user.click(link('Expired trials'));
  await says('20 of 100 subscribers are trials.');
  await appears('link', 'Expired trials20');
  await waitFor(() => expect(usernames()[0]).toBe('p000015'));
  const requested = page.read.length;
  await page.user.click(link('All'));
  await shows(...names(...Array.from({ length: 25 }, (_, place) => place + 1)));
  await page.user.click(link('Expired trials20'));
  await says('20 of 100 subscribers are trials.');
  expect(page.read.length).toBe(requested);
});

test('the result stays until “Check again”', async () => {
  const page = await openPlainPage('/subscribers?trial=true', 100);
  await says('20 of 100 subscribers are trials.');
  screen.getByText(/^Checked/);
  page.rows.splice(4, 1);
  await page.user.click(button('Check again'));
  await says('19 of 99 subscribers are trials.');
  await waitFor(() => expect(usernames()[0]).toBe('p000010'));
});

test('a scan that fails says so, and offers to try again', async () => {
  const page = await openPlainPage('/subscribers', 1000);
  await appears('link', 'p000001');
  page.service.isDown = true;
  await toggleFilter(page.user, 'Trial');
  const alert = within(await appears('alert'));
  page.service.isDown = false;
  await page.user.click(alert.getByRole('button', { name: 'Try again' }));
  await says('200 of 1,000 subscribers are trials.');
});

test('a range of expiry is found without a scan where the service cannot filter by it, and sorted by username by one', async () => {
  const page = await openPlainPage('/subscribers?expired=false', 100);
  // The higher the id, the earlier the expiry.
  await waitFor(() => expect(usernames().slice(0, 3)).toEqual(names(100, 98, 97)));
  expect(page.read.length).toBe(0);
  await page.user.click(button('Username'));
  await says('67 of 100 subscribers match.');
  await waitFor(() => expect(usernames().slice(0, 3)).toEqual(names(1, 2, 4)));
});

test('several statuses are found by a check of all subscribers if the service filters by one alone', async () => {
  const page = await openPlainPage('/subscribers?statuses=1,2', 60);
  await says('60 of 60 subscribers match.');
  page.rows.splice(0, 60, ...page.rows.map((row) => ({ ...row, status: row.id % 6 })));
  await page.user.click(button('Check again'));
  await says('20 of 60 subscribers match.');
  await shows(...names(...page.rows.filter(({ status }) => [1, 2].includes(status)).map(({ id }) => id)));
});
