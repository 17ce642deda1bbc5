import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { announced, firstShown, table, toggleFilter, usernames } from '../../support/app/list.ts';
import { openDesk } from '../../support/app/desk.ts';
import { holdAnswers, refuseWith, saveData } from '../../support/app/network.ts';
import { button, link, renderApp, openApp } from '../../support/app/page.tsx';
import { crowd } from '../../support/people.ts';
import { testTime } from '../../support/setup/fixed-time.ts';

const people = crowd(60);
const size = () => screen.getByRole('combobox', { name: 'Rows per page' });
const isOff = (name: string) => button(name).getAttribute('aria-disabled') === 'true';

test('the buttons turn the pages, and are off but keep the focus at the first and last page', async () => {
  const { user, address, goBack } = await openApp('/subscribers', { people });
  await firstShown('p001');
  expect(screen.getByText('1–25 of 60')).toBeTruthy();
  expect([isOff('Previous page'), isOff('Next page')]).toEqual([true, false]);
  await user.click(button('Next page'));
  await firstShown('p026');
  expect([isOff('Previous page'), isOff('Next page')]).toEqual([false, false]);
  expect(address()).toBe('/subscribers?page=2&pageSize=25');
  await waitFor(() => expect(announced()).toContain('Page 2 of 3.'));
  await user.click(button('Next page'));
  await firstShown('p051');
  expect(screen.getByText('51–60 of 60')).toBeTruthy();
  expect([isOff('Previous page'), isOff('Next page')]).toEqual([false, true]);
  expect(document.activeElement).toBe(button('Next page'));
  await user.click(button('Next page'));
  expect(address()).toBe('/subscribers?page=3&pageSize=25');
  await user.click(button('Previous page'));
  await firstShown('p026');
  await user.click(button('Previous page'));
  await firstShown('p001');
  expect(address()).toBe('/subscribers');
  goBack();
  await firstShown('p026');
});

test('the page numbers always belong to the rows shown', async () => {
  const { user } = await openApp('/subscribers?pageSize=20', { people });
  await firstShown('p001');
  const shown = () =>
    `${screen.getByText(/\d–\d/).textContent} / ${screen.getByText(/^Page \d of \d$/).textContent}`;
  const seen: string[] = [];
  const look = () => seen.push(`${usernames()[0]}: ${shown()}`);
  look();
  const observer = new MutationObserver(look);
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  const answers = holdAnswers(/Page=3/);
  await user.click(button('Next page'));
  await firstShown('p021');
  await user.click(button('Next page'));
  await waitFor(() => expect(table().getAttribute('aria-busy')).toBe('true'));
  answers.release();
  await firstShown('p041');
  observer.disconnect();
  expect([...new Set(seen)]).toEqual([
    'p001: 1–20 of 60 / Page 1 of 3',
    'p021: 21–40 of 60 / Page 2 of 3',
    'p041: 41–60 of 60 / Page 3 of 3',
  ]);
});

test('a chosen page size goes to the first page and stays for later visits, and Back returns to the size before', async () => {
  const { user, address, goBack, goTo } = await openApp('/subscribers?page=2', { people });
  await firstShown('p026');
  await user.selectOptions(size(), '50');
  await firstShown('p001');
  expect(usernames()).toHaveLength(50);
  expect(address()).toBe('/subscribers?pageSize=50');
  goBack();
  await waitFor(() => expect(usernames()).toHaveLength(25));
  goTo('/password');
  await screen.findByRole('heading', { name: 'Change your password' });
  goTo('/subscribers');
  await waitFor(() => expect(usernames()).toHaveLength(50));
  expect(size()).toHaveProperty('value', '50');
  await user.click(button('Next page'));
  await firstShown('p051');
  expect(address()).toBe('/subscribers?page=2&pageSize=50');
});

test('the page size in an address wins over the chosen one, also if it is not among the choices', async () => {
  localStorage.setItem('page-size', '50');
  const { user, address, goTo } = await openApp('/subscribers?pageSize=25', { people });
  await firstShown('p001');
  expect(usernames()).toHaveLength(25);
  expect(address()).toBe('/subscribers?pageSize=25');
  await user.click(button('Next page'));
  await firstShown('p026');
  expect(address()).toBe('/subscribers?page=2&pageSize=25');
  goTo('/subscribers?pageSize=7');
  await waitFor(() => expect(usernames()).toHaveLength(7));
  expect(size()).toHaveProperty('value', '7');
});

test('the link of a page shows a colleague the same rows, whatever their usual page size', async () => {
  localStorage.setItem('page-size', '50');
  const { user, address } = await openApp('/subscribers', { people: crowd(130) });
  await firstShown('p001');
  await user.click(button('Next page'));
  await firstShown('p051');
  const shared = address();
  document.body.replaceChildren();
  localStorage.setItem('page-size', '100');
  const colleague = renderApp(shared);
  await firstShown('p051');
  expect(usernames()).toHaveLength(50);
  await colleague.user.click(button('Previous page'));
  await firstShown('p001');
  expect(usernames()).toHaveLength(50);
});

test('a link without a page size shows the usual one, which its address then has', async () => {
  localStorage.setItem('page-size', '50');
  const { address, requested } = await openApp('/subscribers?username=p&page=2', { people });
  await firstShown('p051');
  await waitFor(() => expect(address()).toBe('/subscribers?username=p&page=2&pageSize=50'));
  expect(requested(/Page=2/)).toHaveLength(1);
});

test('a stored page size that is out of range is ignored', async () => {
  localStorage.setItem('page-size', '100000');
  await openApp('/subscribers', { people });
  await waitFor(() => expect(usernames()).toHaveLength(25));
});

test('the old rows stay, dimmed and announced as busy, until the new ones are loaded', async () => {
  const { user } = await openApp('/subscribers', { people });
  await firstShown('p001');
  const answer = holdAnswers(/Expired=true/);
  await toggleFilter(user, 'Expired');
  await waitFor(() => expect(table().getAttribute('aria-busy')).toBe('true'));
  expect(table().closest('[data-stale]')).not.toBeNull();
  expect(usernames()).toHaveLength(25);
  answer.release();
  await screen.findByRole('heading', { name: 'No subscribers match' });
});

test('the links of the old rows keep their address until the new rows are there, and each row changes once', async () => {
  await openDesk({ people });
  const answer = holdAnswers(/Page=2/);
  const { user } = renderApp('/subscribers?expired=false');
  await firstShown('p001');
  const first = () => link('p001').getAttribute('href');
  let changes = 0;
  const observer = new MutationObserver((seen) => (changes += seen.length));
  const [body] = document.getElementsByTagName('tbody');
  observer.observe(body ?? document, { subtree: true, attributes: true, attributeFilter: ['href'] });
  await user.click(button('Next page'));
  await waitFor(() => expect(table().getAttribute('aria-busy')).toBe('true'));
  expect(first()).toBe('/subscribers/1?expired=false');
  answer.release();
  await firstShown('p026');
  expect(link('p026').getAttribute('href')).toBe('/subscribers/26?expired=false&page=2&pageSize=25');
  expect(changes).toBe(25);
  observer.disconnect();
});

describe('a page that is fetched ahead', () => {
  /** The list, on which time passes as usual, and faster where a test says so. */
  async function openStill(address = '/subscribers') {
    const toFake = ['Date', 'setTimeout', 'clearTimeout'] as const;
    vi.useFakeTimers({ toFake: [...toFake], now: testTime, shouldAdvanceTime: true });
    onTestFinished(() => void vi.useFakeTimers({ toFake: ['Date'], now: testTime }));
    const page = renderApp(address);
    await screen.findAllByRole('link', { name: /^p\d/ });
    return page;
  }
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

  it('is the next one when the pointer reaches its button, and from then on each next one', async () => {
    const { requested } = await openDesk({ people });
    // The page is never quiet.
    const count = holdAnswers(/IsTrial=true/);
    const { user } = renderApp('/subscribers');
    await firstShown('p001');
    await user.hover(button('Next page'));
    await waitFor(() => expect(requested(/Page=2/)).toHaveLength(1));
    await user.click(button('Next page'));
    await firstShown('p026');
    expect(requested(/Page=2/)).toHaveLength(1);
    await waitFor(() => expect(requested(/Page=3/)).toHaveLength(1));
    count.release();
  });

  it('is the one before when the focus reaches its button', async () => {
    const { requested } = await openApp('/subscribers?page=3', { people });
    await firstShown('p051');
    button('Previous page').focus();
    await waitFor(() => expect(requested(/Page=2/)).toHaveLength(1));
  });

  it('is the next one when the page is quiet for a second, so that turning to it takes no wait', async () => {
    const { requested } = await openDesk({ people });
    const { hasty, cache } = await openStill();
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    await pass(1);
    await waitFor(() => expect(requested(/Page=2/)).toHaveLength(1));
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    await pass(60);
    expect(requested(/Page=/)).toHaveLength(1);
    const answers = holdAnswers(/./);
    await hasty.click(button('Next page'));
    await firstShown('p026');
    expect(table().getAttribute('aria-busy')).toBe('false');
    answers.release();
  });

  it('waits while anything else is read', async () => {
    const { requested } = await openDesk({ people });
    const count = holdAnswers(/IsTrial=true/);
    const { cache } = await openStill();
    await pass(5);
    expect(requested(/Page=2/)).toEqual([]);
    count.release();
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    await pass(1);
    await waitFor(() => expect(requested(/Page=2/)).toHaveLength(1));
  });

  it('is none while the server is busy', async () => {
    const { requested } = await openDesk({ people });
    refuseWith(/IsTrial=true/, 'busy');
    await openStill();
    await waitFor(() => expect(requested(/IsTrial=true/)).toHaveLength(1));
    // Its second try comes after one second, and with its failure the page is quiet.
    await pass(1);
    await waitFor(() => expect(requested(/IsTrial=true/)).toHaveLength(2));
    await pass(5);
    expect(requested(/Page=2/)).toEqual([]);
  });

  it('is none where the browser saves data, but for a button that is reached', async () => {
    const { requested } = await openDesk({ people });
    saveData();
    const { hasty, cache } = await openStill();
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    await pass(5);
    expect(requested(/Page=2/)).toEqual([]);
    await hasty.hover(button('Next page'));
    await waitFor(() => expect(requested(/Page=2/)).toHaveLength(1));
  });

  it('is none after the last page', async () => {
    const { requested } = await openDesk({ people });
    const { hasty, cache } = await openStill('/subscribers?page=3');
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    await hasty.hover(button('Next page'));
    await pass(5);
    expect(requested(/Page=4/)).toEqual([]);
  });
});
