import { screen, waitFor } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { shows, table, usernames } from '../../../support/app/list.ts';
import { delayAnswers, holdAnswers } from '../../../support/app/network.ts';
import { appears, disappears, hasFocus, link, openPage } from '../../../support/app/page.tsx';
import { crowd } from '../../../support/people.ts';

const people = crowd(60);
const focused = () => document.activeElement?.textContent;
const name = (number: number) => `p${String(number).padStart(3, '0')}`;
const firstShown = async (number: number) => waitFor(() => expect(usernames()[0]).toBe(name(number)));
const onRow = (number: number) => waitFor(() => expect(focused()).toBe(name(number)));

async function openList(address = '/subscribers', first = 1) {
  const page = await openPage(address, { people });
  await firstShown(first);
  return page;
}

describe('keys in the list', () => {
  test('move from row to row with j and k or arrows, and open with Enter', async () => {
    const { user, address } = await openList();
    await user.keyboard('j');
    expect(document.activeElement).toBe(link('p001'));
    await user.keyboard('jj{ArrowDown}');
    expect(focused()).toBe('p004');
    await user.keyboard('k{ArrowUp}');
    expect(focused()).toBe('p002');
    await user.keyboard('{Enter}');
    await appears('complementary', 'p002');
    expect(address()).toBe('/subscribers/2');
  });

  test('stop at the first and the last row', async () => {
    const { user, address } = await openList('/subscribers?page=3', 51);
    await user.keyboard('j{ArrowDown>9/}k{ArrowDown}j');
    await onRow(60);
    expect(address()).toBe('/subscribers?page=3&pageSize=25');
    await user.keyboard('{ArrowUp>80/}');
    await onRow(1);
    expect(address()).toBe('/subscribers');
    await user.keyboard('k');
    expect(focused()).toBe('p001');
  });

  test('go from the last row to the first of the next page, and back', async () => {
    const { user, address } = await openList();
    link('p025').focus();
    await user.keyboard('j');
    await onRow(26);
    expect(address()).toBe('/subscribers?page=2&pageSize=25');
    await user.keyboard('k');
    await onRow(25);
    expect(address()).toBe('/subscribers');
  });

  test('go to the next page with another page size too', async () => {
    const { user, address } = await openList('/subscribers?pageSize=20');
    link('p020').focus();
    await user.keyboard('j');
    await onRow(21);
    expect(address()).toBe('/subscribers?page=2&pageSize=20');
  });

  test('lose no press while the next page is loading', async () => {
    const { user } = await openList('/subscribers?sort=username_desc', 60);
    const answers = holdAnswers(/Page=2/);
    link('p036').focus();
    await user.keyboard('jjj');
    answers.release();
    await onRow(33);
  });

  test('do not take the focus to a page that was not opened by keys', async () => {
    const answers = holdAnswers(/\?Page=2/);
    const { user } = await openList();
    link('p025').focus();
    await user.keyboard('j');
    await user.click(screen.getByRole('button', { name: 'Username' }));
    await firstShown(1);
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await firstShown(26);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next page' }));
    answers.release();
  });

  test('leave arrows alone if another part of the page has the focus', async () => {
    const { user } = await openList();
    screen.getByRole('combobox', { name: 'Plan' }).focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Plan' }));
  });

  test('edit the row with e', async () => {
    const { user } = await openList();
    await user.keyboard('jje');
    await appears('heading', 'Edit p002');
  });
});

describe('keys with the pane open', () => {
  test('open the next subscriber with j and k, also from page to page', async () => {
    const { user, address, goBack } = await openList();
    await user.click(link('p024'));
    await appears('complementary', 'p024');
    await user.keyboard('j');
    await appears('complementary', 'p025');
    await user.keyboard('j');
    await appears('complementary', 'p026');
    expect(address()).toBe('/subscribers/26?page=2&pageSize=25');
    await hasFocus(() => screen.getByRole('heading', { name: 'p026' }));
    await user.keyboard('kk');
    await appears('complementary', 'p024');
    expect(address()).toBe('/subscribers/24');
    goBack();
    await waitFor(() => expect(address()).not.toContain('24'));
  });

  test('open it with arrows as well, from anything in the pane that has no use for them', async () => {
    const { user } = await openList();
    await user.click(link('p003'));
    await hasFocus(() => screen.getByRole('heading', { name: 'p003' }));
    await user.keyboard('{ArrowDown}');
    await hasFocus(() => screen.getByRole('heading', { name: 'p004' }));
    link('Edit').focus();
    await user.keyboard('{ArrowUp}');
    await hasFocus(() => screen.getByRole('heading', { name: 'p003' }));
  });

  test('edit the subscriber in the pane with e, and close the pane with Escape', async () => {
    const { user } = await openList();
    await user.click(link('p003'));
    await appears('complementary', 'p003');
    await user.keyboard('jj');
    await appears('complementary', 'p005');
    await user.keyboard('{Escape}');
    await disappears('complementary', 'p005');
    expect(document.activeElement).toBe(link('p005'));
    await user.keyboard('{Enter}');
    await appears('complementary', 'p005');
    await user.keyboard('e');
    await appears('heading', 'Edit p005');
  });
});

test('moving down 200 rows by keys never waits for an answer at 50 ms latency', async () => {
  // The pager is out of sight, so only the keys fetch pages ahead.
  vi.spyOn(IntersectionObserver.prototype, 'observe').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const { user } = await openPage('/subscribers', { people: crowd(210) });
  await firstShown(1);
  // A key held down comes again every 33 ms: two presses later an answer of 50 ms is there.
  const answers = delayAnswers(/GET \/api\/subscribers\?/);
  // Looked up once: finding it by its role takes longer than the press.
  const list = table();
  let cold = 0;
  for (let row = 1; row <= 200; row += 1) {
    await user.keyboard('j');
    answers.letGo(2);
    if (list.getAttribute('aria-busy') === 'true') cold += 1;
    await onRow(row);
  }
  expect(cold).toBe(0);
  await shows(...Array.from({ length: 25 }, (_, place) => name(176 + place)));
});
