import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { firstShown, shows, table } from '../../support/app/list.ts';
import { delayAnswers, holdAnswers, saveData } from '../../support/app/network.ts';
import { appears, disappears, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { crowd } from '../../support/people.ts';

const people = crowd(60);
const focused = () => document.activeElement?.textContent;
const name = (number: number) => `p${String(number).padStart(3, '0')}`;
const onRow = (number: number) => waitFor(() => expect(focused()).toBe(name(number)));

async function openList(address = '/subscribers', first = 1) {
  const page = await openApp(address, { people });
  await firstShown(name(first));
  return page;
}

describe('a key for rows', () => {
  it('moves from row to row with j and k or arrows, and opens one with Enter', async () => {
    const { user, address } = await openList();
    const plan = screen.getByRole('combobox', { name: 'Plan' });
    plan.focus();
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(plan);
    plan.blur();
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

  it('stops at the first and the last row', async () => {
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

  it('goes from the last row to the first of the next page, and back, with any page size', async () => {
    const { user, address } = await openList('/subscribers?pageSize=20');
    link('p020').focus();
    await user.keyboard('j');
    await onRow(21);
    expect(address()).toBe('/subscribers?page=2&pageSize=20');
    await user.keyboard('k');
    await onRow(20);
    expect(address()).toBe('/subscribers?pageSize=20');
  });

  it('loses no press while the next page is loading', async () => {
    const { user } = await openList('/subscribers?sort=username_desc', 60);
    const answers = holdAnswers(/Page=2/);
    link('p036').focus();
    await user.keyboard('jjj');
    answers.release();
    await onRow(33);
  });

  it('does not take the focus to a page that was not opened by keys', async () => {
    const answers = holdAnswers(/\?Page=2/);
    const { user } = await openList();
    link('p025').focus();
    await user.keyboard('j');
    await user.click(screen.getByRole('button', { name: 'Username' }));
    await firstShown('p001');
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await firstShown('p026');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next page' }));
    answers.release();
  });
});

describe('a key for rows beside an open pane', () => {
  it('opens the next subscriber with j and k or arrows, also from page to page', async () => {
    const { user, address, goBack } = await openList();
    await user.click(link('p024'));
    await appears('complementary', 'p024');
    await user.keyboard('j');
    await appears('complementary', 'p025');
    await user.keyboard('j');
    await appears('complementary', 'p026');
    expect(address()).toBe('/subscribers/26?page=2&pageSize=25');
    await hasFocus(() => screen.getByRole('heading', { name: 'p026' }));
    await user.keyboard('{ArrowUp}');
    await hasFocus(() => screen.getByRole('heading', { name: 'p025' }));
    link('Edit').focus();
    await user.keyboard('{ArrowUp}');
    await appears('complementary', 'p024');
    expect(address()).toBe('/subscribers/24');
    goBack();
    await waitFor(() => expect(address()).not.toContain('24'));
  });

  it('edits the subscriber in the pane with e, and closes the pane with Escape', async () => {
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

test('a key for rows never waits for an answer while it is held down, at a latency of 50 ms', async () => {
  // Only the keys fetch pages ahead.
  saveData();
  const { user } = await openList();
  // A key held down comes again every 33 ms: two presses later an answer of 50 ms is there.
  const answers = delayAnswers(/GET \/api\/subscribers\?/);
  // Looked up once: finding it by its role takes longer than the press.
  const list = table();
  let cold = 0;
  for (let row = 1; row <= 60; row += 1) {
    await user.keyboard('j');
    answers.letGo(2);
    if (list.getAttribute('aria-busy') === 'true') cold += 1;
    await onRow(row);
  }
  expect(cold).toBe(0);
  await shows(...people.slice(50).map(({ username }) => username));
});
