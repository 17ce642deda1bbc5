import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { shows } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { openDesk } from '../../support/app/desk.ts';
import {
  appears,
  button,
  dialog,
  disappears,
  hasFocus,
  link,
  openApp,
  renderApp,
} from '../../support/app/page.tsx';
import { box, chosen, group, openPalette, options, people, title } from '../../support/app/palette.ts';
import { shownToken } from '../../support/app/pane.ts';

describe('the palette', () => {
  it('opens by ⌘ K while the user types, and Escape returns the focus', async () => {
    const { user } = await openApp('/subscribers', { people });
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

  it('leaves Enter to an input method, whose composition it ends', async () => {
    const { user } = await openPalette();
    await user.type(box(), 'new sub');
    await waitFor(() => expect(chosen()).toBe('New subscriber'));
    fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 });
    expect(chosen()).toBe('New subscriber');
    await user.keyboard('{Enter}');
    await appears('heading', 'New subscriber');
  });

  it('offers commands for the open subscriber as soon as they are possible', async () => {
    const { user } = await openApp('/subscribers', { people });
    await shows('anna', 'bjarne', 'annika');
    const answers = holdAnswers(/GET \/api\/subscribers\/1/);
    await user.click(link('anna'));
    await appears('complementary', 'anna');
    await user.keyboard('{Control>}k{/Control}');
    await dialog(title);
    await hasFocus(box);
    await user.type(box(), 'token');
    expect(options()).toEqual(['Copy token', 'Show token', 'Show token large']);
    answers.release();
    await waitFor(() =>
      expect(options()).toEqual(['Copy token', 'Show token', 'Show token large', 'Regenerate token…']),
    );
  });

  it('begins with what was typed while it was loading', async () => {
    await openApp('/subscribers', { people });
    await shows('anna', 'bjarne', 'annika');
    await appears('button', /^Account: ?Kari/);
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    for (const key of ['a', 'n', 'n', 'i', 'Shift']) fireEvent.keyDown(document.body, { key });
    await dialog(title);
    expect(box().value).toBe('anni');
    await waitFor(() => expect(chosen()).toMatch(/^annika · /));
  });

  it('runs what Enter chose while it was loading', async () => {
    await openApp('/subscribers', { people });
    await shows('anna', 'bjarne', 'annika');
    await appears('button', /^Account: ?Kari/);
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    for (const key of ['a', 'n', 'n', 'i', 'Enter']) fireEvent.keyDown(document.body, { key });
    await appears('complementary', 'annika');
  });

  it('opens with single-key shortcuts off too, and only once', async () => {
    localStorage.setItem('character-keys', 'false');
    const { user } = await openPalette();
    await user.keyboard('{Control>}k{/Control}');
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
  });

  it('opens from the account menu', async () => {
    const { user } = await openApp('/subscribers', { people });
    await user.click(await appears('button', /^Account: ?Kari/));
    await user.click(await appears('button', 'Commands…'));
    await dialog(title);
    await hasFocus(box);
  });

  it('runs the command chosen with arrow keys and Enter, and chooses the first again when the text changes', async () => {
    const { user, address } = await openPalette();
    await waitFor(() => expect(chosen()).toBe('New subscriber'));
    await user.keyboard('{ArrowUp}');
    expect(chosen()).toBe(options().at(-1));
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(chosen()).toBe('Subscribers');
    await user.keyboard('exp view');
    expect(options()).toEqual([
      'View: Expired',
      'View: Expired last 7 days',
      'View: Expired trials',
      'View: Expiring next',
    ]);
    await waitFor(() => expect(chosen()).toBe('View: Expired'));
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await disappears('dialog', title);
    await waitFor(() => expect(address()).toBe('/subscribers?expired=true&trial=true'));
  });

  it('runs the second of two commands with the same name, where it was chosen', async () => {
    const desk = await openDesk({ people, role: 'support' });
    const view = { place: 0, name: 'Mine' };
    await desk.db
      .insertInto('views')
      .values([
        { ...view, owner: '*', id: 'shared', query: JSON.stringify({ Username: 'anna' }) },
        { ...view, owner: 'tab', id: 'own', query: JSON.stringify({ Username: 'bjarne' }) },
      ])
      .execute();
    const { user, address } = renderApp('/subscribers');
    await shows('anna', 'bjarne', 'annika');
    await user.keyboard('{Control>}k{/Control}');
    await dialog(title);
    await hasFocus(box);
    await user.keyboard('mine view');
    await waitFor(() => expect(chosen()).toBe('View: Mine'));
    expect(options()).toEqual(['View: Mine', 'View: Mine']);
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?username=bjarne'));
  });

  it('opens the page of subscribers who expire next with the page size that was chosen last', async () => {
    localStorage.setItem('page-size', '2');
    const { user, address, service } = await openPalette('/subscribers?pageSize=3');
    for (const id of [1, 2])
      await service.updateSubscriber({ params: { id }, body: { expiresAt: '2026-05-01T12:00:00.000Z' } });
    await user.keyboard('next{Enter}');
    await waitFor(() => expect(address()).toBe('/subscribers?sort=expiresAt&page=2&pageSize=2'));
  });

  it('offers a viewer no commands that viewers may not use', async () => {
    await openPalette('/subscribers/1', 'viewer');
    await waitFor(() =>
      expect(group('anna').toSorted()).toEqual(['Check a connection…', 'Close', 'Copy message']),
    );
    expect(options()).not.toContain('New subscriber');
    expect(options()).not.toContain('Staff');
    // Nobody had to sign in.
    expect(options()).not.toContain('Sign out');
  });

  it('offers a manager everything about the subscriber that is open', async () => {
    const { user } = await openPalette('/subscribers/1', 'manager');
    const names = () => group('anna').map((name) => name.replace(/, to .*/, ''));
    await waitFor(() =>
      expect(names().toSorted()).toEqual([
        'Add note…',
        'Check a connection…',
        'Close',
        'Copy message',
        'Copy token',
        'Delete…',
        'Edit',
        'Extend by 1 month',
        'Extend by 1 year',
        'Extend by 7 days',
        'Extend to a date…',
        'Regenerate token…',
        'Show token',
        'Show token large',
      ]),
    );
    expect(group('Go to')).toContain('Staff');
    await user.keyboard('delete{Enter}');
    await dialog(/^Delete/);
  });
});

describe('a command of the palette for the open subscriber', () => {
  it('asks before it regenerates the token', async () => {
    const { user } = await openPalette('/subscribers/1');
    await user.keyboard('regen{Enter}');
    const asking = await dialog('Regenerate access token');
    await user.click(asking.getByRole('button', { name: 'Cancel' }));
    await disappears('dialog', 'Regenerate access token');
  });

  it('names the new date before it extends, and extends once', async () => {
    const page = await openPalette('/subscribers/1');
    await page.user.keyboard('extend 7');
    await waitFor(() => expect(chosen()).toMatch(/^Extend by 7 days, to 7 Jan 2027$/));
    await page.user.keyboard('{Enter}');
    await screen.findByText(/^anna now expires on /);
    expect((await page.saved()).expiresAt).toBe('2027-01-07T22:00:00.000Z');
  });

  it('copies the token without showing it, and shows it in the pane', async () => {
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

test('Enter in the palette does nothing if no command matches the text', async () => {
  const { user, address } = await openPalette();
  await user.keyboard('zzz{Enter}');
  expect(address()).toBe('/subscribers');
  await dialog(title);
  expect(button('Close')).toBeTruthy();
});
