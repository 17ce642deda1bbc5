import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { testTime } from '../../support/setup/fixed-time.ts';
import { shows } from '../../support/app/list.ts';
import { cutNetwork } from '../../support/app/network.ts';
import { appears, button, openApp } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { crowd } from '../../support/people.ts';

const minutes = (count: number) => void vi.setSystemTime(testTime + count * 60_000);
const refresh = (page: { cache: { invalidateQueries: () => Promise<void> } }) =>
  void page.cache.invalidateQueries();

/** The browser loses its network, or has it again. */
function network(there: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(there);
  window.dispatchEvent(new Event(there ? 'online' : 'offline'));
}
afterEach(() => {
  network(true);
  vi.restoreAllMocks();
});

describe('a dashboard without a network', () => {
  it('says in a banner since when and how old the data is, and still opens cached pages', async () => {
    const page = await openApp('/subscribers', { people: crowd(60) });
    await screen.findByText('1–25 of 60');
    await waitFor(() => expect(page.requested(/Page=2/)).toHaveLength(1));
    minutes(3);
    cutNetwork();
    network(false);
    await screen.findByText('You’ve been offline since 14:03.');
    expect(screen.getByText(/Showing data from 14:00\./)).toBeTruthy();
    await page.user.click(button('Next page'));
    await screen.findByText('26–50 of 60');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('reads everything again as soon as the network is back, and the banner disappears', async () => {
    const page = await openApp('/subscribers', { people: crowd(3) });
    await shows('p001', 'p002', 'p003');
    const mend = cutNetwork();
    network(false);
    await screen.findByText('You’ve been offline since 14:00.');
    await page.service.deleteSubscriber({ params: { id: 2 } });
    mend();
    network(true);
    await shows('p001', 'p003');
    expect(screen.queryByText(/been offline/)).toBeNull();
  });

  it('says that a page without cached data cannot be loaded, and the banner gives no age', async () => {
    cutNetwork(/GET \/api\/subscribers/);
    await openApp('/subscribers');
    network(false);
    await appears('heading', 'Couldn’t load the list');
    expect(screen.getByText('You’ve been offline since 14:00.')).toBeTruthy();
    expect(screen.queryByText(/Showing data/)).toBeNull();
  });
});

describe('an outage', () => {
  it('is named by a banner that says since when, while the rows stay, and that a successful retry removes', async () => {
    const page = await openApp('/subscribers', { people: crowd(3) });
    await shows('p001', 'p002', 'p003');
    const mend = cutNetwork();
    minutes(2);
    refresh(page);
    await screen.findByText('Subscriber Desk hasn’t answered since 14:02.');
    expect(screen.getByText(/data from 14:00/)).toBeTruthy();
    minutes(5);
    refresh(page);
    await waitFor(() => expect(page.cache.isFetching()).toBe(0));
    expect(screen.getByText('Subscriber Desk hasn’t answered since 14:02.')).toBeTruthy();
    await shows('p001', 'p002', 'p003');
    expect(screen.queryByRole('alert')).toBeNull();
    mend();
    await page.user.click(button('Try again'));
    await waitFor(() => expect(screen.queryByText(/hasn’t answered/)).toBeNull());
  });

  it('is also named by a banner when a change gets no answer, until the change is done', async () => {
    const page = await openApp('/subscribers/1', { people: crowd(1) });
    await (await pane('p001')).findByText('Bundles');
    const mend = cutNetwork();
    await page.user.click(button(/^\+7 days/));
    await screen.findByText('Subscriber Desk hasn’t answered since 14:00.');
    // Found before, because the page asks by itself as well.
    const checkNow = await appears('button', 'Check now');
    mend();
    await page.user.click(checkNow);
    await screen.findByText(/^p001 now expires on/);
    await waitFor(() => expect(screen.queryByText(/hasn’t answered/)).toBeNull());
  });

  it('names the subscriber service in the banner if that fails, with the request ID', async () => {
    const page = await openApp('/subscribers', { people: crowd(3) });
    await shows('p001', 'p002', 'p003');
    page.upstream.operation = () => new Response(null, { status: 500 });
    refresh(page);
    const sentence = await screen.findByText('The subscriber service has been failing since 14:00.');
    const banner = sentence.closest('div');
    expect(page.requestIds).toContain(within(banner ?? document.body).getByText(/^[\w-]{8,}$/).textContent);
    await shows('p001', 'p002', 'p003');
  });

  it.each([
    ['the subscriber in the pane', '/subscribers/1', () => screen.findByText('#1 · p001@example.com')],
    ['the activity in the pane', '/subscribers/1', () => screen.findByText('No changes yet')],
    ['the activity page', '/activity', () => appears('heading', 'No activity yet')],
  ])('leaves %s, and is reported once', async (_, address, isThere) => {
    const page = await openApp(address, { people: crowd(1) });
    await isThere();
    await waitFor(() => expect(page.cache.isFetching()).toBe(0));
    cutNetwork();
    refresh(page);
    await screen.findByText(/hasn’t answered since/);
    await waitFor(() => expect(page.cache.isFetching()).toBe(0));
    expect(screen.queryByText(/^Couldn’t (load|refresh) th(is subscriber|e activity|e list)/)).toBeNull();
    await isThere();
  });
});
