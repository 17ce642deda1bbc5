import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { shows } from '../harness/list.ts';
import { cutNetwork, holdAnswers } from '../harness/network.ts';
import { appears, button, dialog, disappears, hasFocus, openPage } from '../harness/page.tsx';
import { pane, shownToken } from '../harness/pane.ts';
import { anna, person } from '../harness/people.ts';

const title = 'Find a command or a subscriber';
const people = [anna, person('bjarne'), person('annika')];
const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Command, username/ });
const options = () =>
  within(screen.getByRole('listbox'))
    .queryAllByRole('option')
    .map((option) => option.textContent);
const group = (name: string) =>
  within(screen.getByRole('group', { name }))
    .getAllByRole('option')
    .map((option) => option.textContent);
/** What a screen reader says is chosen, while the focus stays in the box. */
const chosen = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent;

type Page = Awaited<ReturnType<typeof openPage>>;

async function openPalette(
  address = '/subscribers',
  role: 'viewer' | 'support' | 'manager' = 'support',
): Promise<Page> {
  const page = await openPage(address, { people, role });
  await shows('anna', 'bjarne', 'annika');
  await appears('button', /^Account: ?Kari/);
  if (address !== '/subscribers') await (await pane('anna')).findByText('Norway');
  await page.user.keyboard('{Control>}k{/Control}');
  await dialog(title);
  await hasFocus(box);
  return page;
}

describe('the palette', () => {
  test('opens by ⌘ K too, while one types, and closes by Escape with the focus where it was', async () => {
    const { user } = await openPage('/subscribers', { people });
    await shows('anna', 'bjarne', 'annika');
    const find = screen.getByRole('searchbox');
    await user.click(find);
    await user.keyboard('{Meta>}k{/Meta}');
    await dialog(title);
    await hasFocus(box);
    await user.keyboard('{Escape}');
    await disappears('dialog', title);
    expect(document.activeElement).toBe(find);
  });

  test('begins with what was typed while it was still on its way', async () => {
    await openPage('/subscribers', { people });
    await shows('anna', 'bjarne', 'annika');
    await appears('button', /^Account: ?Kari/);
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    for (const key of ['a', 'n', 'n', 'i', 'Shift']) fireEvent.keyDown(document.body, { key });
    await dialog(title);
    expect(box().value).toBe('anni');
    await waitFor(() => expect(chosen()).toMatch(/^annika · /));
  });

  test('works where single keys are switched off, and stays away from what is open already', async () => {
    localStorage.setItem('character-keys', 'false');
    const { user } = await openPalette();
    await user.keyboard('{Control>}k{/Control}');
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
  });

  test('opens from the account menu as well', async () => {
    const { user } = await openPage('/subscribers', { people });
    await user.click(await appears('button', /^Account: ?Kari/));
    await user.click(await appears('button', 'Commands…'));
    await dialog(title);
    await hasFocus(box);
  });

  test('runs what is chosen by arrows and Enter, and begins at the first again with another text', async () => {
    const { user, address } = await openPalette();
    expect(chosen()).toBe('New subscriber');
    await user.keyboard('{ArrowUp}');
    expect(chosen()).toBe(options().at(-1));
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(chosen()).toBe('Activity');
    await user.keyboard('exp view');
    expect(options()).toEqual(['View: Expired', 'View: Expired trials', 'View: Expiring next']);
    expect(chosen()).toBe('View: Expired');
    await user.keyboard('{ArrowDown}{Enter}');
    await disappears('dialog', title);
    await waitFor(() => expect(address()).toBe('/subscribers?expired=true&trial=true'));
  });

  test('goes to the page where now falls in the order of expiry', async () => {
    const { user, address } = await openPalette();
    await user.keyboard('next{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?sort=expiresAt'));
  });

  test('offers each role what it may do, and nothing else', async () => {
    await openPalette('/subscribers/1', 'viewer');
    expect(group('anna')).toEqual(['Close']);
    expect(options()).not.toContain('New subscriber');
    expect(options()).not.toContain('Staff');
  });

  test('offers a manager everything about the subscriber that is open', async () => {
    const { user } = await openPalette('/subscribers/1', 'manager');
    expect(group('anna').map((name) => name.replace(/, to .*/, ''))).toEqual([
      'Close',
      'Edit',
      'Extend by 7 days',
      'Extend by 1 month',
      'Extend by 1 year',
      'Extend to a date…',
      'Copy token',
      'Show token',
      'Regenerate token…',
      'Delete…',
    ]);
    expect(group('Go to')).toContain('Staff');
    await user.keyboard('delete{Enter}');
    await dialog(/^Delete/);
  });
});

describe('what it does to the subscriber that is open', () => {
  test('is what the pane does: regenerate asks first', async () => {
    const { user } = await openPalette('/subscribers/1');
    await user.keyboard('regen{Enter}');
    const asked = await dialog('Regenerate access token');
    await user.click(asked.getByRole('button', { name: 'Cancel' }));
    await disappears('dialog', 'Regenerate access token');
  });

  test('extend says the new date before, and moves the expiry once', async () => {
    const page = await openPalette('/subscribers/1');
    await page.user.keyboard('extend 7');
    expect(chosen()).toMatch(/^Extend by 7 days, to 7 Jan 2027$/);
    await page.user.keyboard('{Enter}');
    await screen.findByText(/^anna expires on /);
    const saved = (await page.service.getSubscriber({ params: { id: 1 }, query: {} })).data;
    expect(saved.expiresAt).toBe('2027-01-07T22:00:00.000Z');
  });

  test('the token is copied, and shown only where the pane shows it', async () => {
    const page = await openPalette('/subscribers/1');
    const token = page.people[0]?.accessToken;
    await page.user.keyboard('copy token{Enter}');
    await screen.findByText('The token is on the clipboard.');
    expect(await navigator.clipboard.readText()).toBe(token);
    expect(document.body.textContent).not.toContain(token);
    await page.user.keyboard('{Control>}k{/Control}');
    await hasFocus(box);
    await page.user.keyboard('show token{Enter}');
    await waitFor(() => expect(shownToken()).toBe(token));
  });
});

describe('a subscriber', () => {
  test('is found by a part of the name once one pauses, and opens beside the list', async () => {
    const { user, asked, address } = await openPalette();
    await user.keyboard('ann');
    await waitFor(() =>
      expect(group('Subscribers')).toEqual(['anna · anna@example.com', 'annika · annika@example.com']),
    );
    expect(asked(/Username=/)).toEqual(['GET /api/subscribers?Username=ann&PageSize=8']);
    expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toBe('2 subscribers found.');
    await user.keyboard('{ArrowDown}{Enter}');
    await pane('annika');
    expect(address()).toBe('/subscribers/3');
  });

  test('is found by email and by id', async () => {
    const { user, address } = await openPalette();
    await user.keyboard('jarne@');
    await waitFor(() => expect(group('Subscribers')).toEqual(['bjarne · bjarne@example.com']));
    await user.clear(box());
    await user.keyboard('#2');
    expect(chosen()).toBe('Open #2');
    await user.keyboard('{Enter}');
    await pane('bjarne');
    expect(address()).toBe('/subscribers/2');
  });

  test('is always one of the text that stands there: an older answer never comes in between', async () => {
    const { user, asked } = await openPalette();
    const slow = holdAnswers(/Username=ann&/);
    await user.keyboard('ann');
    await screen.findByText('Looking for subscribers…');
    await user.clear(box());
    await user.keyboard('bja');
    await waitFor(() => expect(group('Subscribers')).toEqual(['bjarne · bjarne@example.com']));
    slow.release();
    const later = holdAnswers(/Username=bjar&/);
    await user.keyboard('r');
    await waitFor(() => expect(asked(/Username=bjar&/)).toHaveLength(1));
    expect(options()).toEqual([]);
    later.release();
    await waitFor(() => expect(group('Subscribers')).toEqual(['bjarne · bjarne@example.com']));
  });

  test('who is not there is said not to be, and so is a service that fails', async () => {
    const { user } = await openPalette();
    await user.keyboard('nobody');
    await screen.findByText('0 subscribers found.');
    cutNetwork(/Username=/);
    await user.keyboard('s');
    await screen.findByText(/^Subscribers could not be looked for\. No answer came\./, {}, { timeout: 5000 });
  });

  test('is found by the whole access token, which is not shown, kept or put into an address', async () => {
    const page = await openPalette();
    const token = page.people[1]?.accessToken ?? '';
    const answer = holdAnswers(/find-by-token/);
    await page.user.paste(`https://tv.example/get.php?token=${token}`);
    await screen.findByText('Looking for this access token…');
    expect(box().value).toBe('');
    answer.release();
    await pane('bjarne');
    expect(page.address()).toBe('/subscribers/2');
    expect(page.asked(/./).filter((name) => name.includes(token))).toEqual([]);
  });

  test('of no access token is said to be none, and a part of one asks nothing', async () => {
    const { user, asked } = await openPalette();
    await user.paste('A1b2'.repeat(10) + 'xyz');
    await screen.findByText('Nobody has this access token.');
    await user.clear(box());
    await user.paste('A1b2'.repeat(6));
    await screen.findByText(/^This looks like part of an access token\./);
    expect(asked(/Username=/)).toEqual([]);
  });
});

test('Enter does nothing where nothing has the name that stands there', async () => {
  const { user, address } = await openPalette();
  await user.keyboard('zzz{Enter}');
  expect(address()).toBe('/subscribers');
  await dialog(title);
  expect(button('Close')).toBeTruthy();
});
