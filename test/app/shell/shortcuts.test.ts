import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { shortcuts } from '../../../src/app/components/shortcuts.tsx';
import { findBox as box, announced, shows } from '../../support/app/list.ts';
import { appears, button, dialog, disappears, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { anna, person } from '../../support/people.ts';

const people = [anna, person('bjarne')];
const heading = () => screen.getByRole('heading', { level: 1 });

async function openList(role: 'viewer' | 'support' | 'manager' = 'support') {
  const page = await openApp('/subscribers', { people, role });
  await shows('anna', 'bjarne');
  await appears('button', /^Account: ?Kari/);
  return page;
}

describe('a single-key shortcut', () => {
  test('the key / goes to the find box, from another page too', async () => {
    const { user, address } = await openList();
    await user.keyboard('/');
    expect(document.activeElement).toBe(box());
    expect(box().value).toBe('');
    box().blur();
    await user.keyboard('n');
    await appears('heading', 'New subscriber');
    heading().focus();
    await user.keyboard('/');
    await hasFocus(box);
    expect(address()).toBe('/subscribers');
  });

  test('the key n opens the form for a new subscriber, also with Caps Lock on', async () => {
    const { user } = await openList();
    await user.keyboard('{CapsLock>}N{/CapsLock}');
    await appears('heading', 'New subscriber');
  });

  test('Shift counts with Caps Lock on as well', async () => {
    const { user, address } = await openList('manager');
    link('anna').focus();
    await user.keyboard('{CapsLock>}{Shift>}e{/Shift}{/CapsLock}');
    await appears('dialog', /^Export/);
    expect(address()).toBe('/subscribers');
  });

  test('the letter of another script counts as the Latin one on its key', async () => {
    await openList();
    fireEvent.keyDown(heading(), { key: 'л', code: 'KeyK', ctrlKey: true });
    const palette = await appears('dialog', 'Find a command or a subscriber');
    fireEvent.keyDown(palette, { key: 'Escape' });
    await disappears('dialog', 'Find a command or a subscriber');
    fireEvent.keyDown(heading(), { key: 'т', code: 'KeyN' });
    await appears('heading', 'New subscriber');
  });

  it('says why the role does not allow it', async () => {
    const { user, address } = await openList('viewer');
    await user.keyboard('n');
    await screen.findByText('Viewers can’t create subscribers.');
    link('anna').focus();
    await user.keyboard('e');
    await screen.findByText('Viewers can’t change subscribers.');
    expect(address()).toBe('/subscribers');
  });

  it.each(['{Control>}n{/Control}', '{Alt>}n{/Alt}', '{Meta>}n{/Meta}', '{Shift>}N{/Shift}'])(
    'does nothing with a modifier key: %s',
    async (keys) => {
      const { user, address } = await openList();
      await user.keyboard(keys);
      await user.keyboard('/');
      expect(address()).toBe('/subscribers');
      expect(document.activeElement).toBe(box());
    },
  );

  it('types its letter in a field, and does nothing in a dialog or a menu', async () => {
    const { user, address } = await openList();
    await user.click(box());
    await user.keyboard('jn?');
    expect(box().value).toBe('jn?');
    await user.clear(box());
    await shows('anna', 'bjarne');
    await user.click(button(/^Account/));
    await user.keyboard('n');
    await user.keyboard('{Escape}');
    await user.keyboard('?');
    await dialog('Keyboard shortcuts');
    await user.keyboard('n');
    expect(address()).toBe('/subscribers');
    await dialog('Keyboard shortcuts');
  });
});

describe('the shortcuts dialog', () => {
  it('lists every shortcut, and closes by Escape', async () => {
    const { user } = await openList('manager');
    heading().focus();
    await user.keyboard('?');
    const shown = await dialog('Keyboard shortcuts');
    const reported = shown.getAllByRole('definition').map((definition) => definition.textContent);
    // And the two that a row has by itself.
    expect(reported).toHaveLength(Object.keys(shortcuts).length + 2);
    expect(reported).toContain('Next row or subscriber');
    const keys = shown.getAllByRole('term').map((term) => term.textContent);
    expect(keys.slice(2, 4)).toEqual(['⇧E', 'j↓']);
    await user.keyboard('{Escape}');
    await disappears('dialog', 'Keyboard shortcuts');
    expect(document.activeElement).toBe(heading());
  });

  it('lists none that the role can’t use', async () => {
    const { user } = await openList('viewer');
    await user.keyboard('?');
    const shown = await dialog('Keyboard shortcuts');
    shown.getByText('Find subscribers');
    expect(shown.queryByText(/^(New|Export|Edit|Select|Add|Go to)/)).toBeNull();
  });

  it('opens from the account menu', async () => {
    const { user } = await openList();
    await user.click(button(/^Account/));
    await user.click(await appears('button', 'Keyboard shortcuts'));
    const shown = await dialog('Keyboard shortcuts');
    await user.click(shown.getByRole('button', { name: 'Close' }));
    await disappears('dialog', 'Keyboard shortcuts');
    expect(document.activeElement).toBe(button(/^Account/));
  });
});

describe('the switch for single-key shortcuts', () => {
  const choice = { name: 'Single-key shortcuts', checked: true };

  it('stops letters and signs from the dialog, while arrow keys still move', async () => {
    const { user, address } = await openList();
    expect(within(link(/^New subscriber/)).getByText('n')).toBeTruthy();
    await user.keyboard('?');
    await user.click((await dialog('Keyboard shortcuts')).getByRole('checkbox', choice));
    await user.keyboard('{Escape}');
    await disappears('dialog', 'Keyboard shortcuts');
    heading().focus();
    await user.keyboard('n/j?');
    expect(document.activeElement).toBe(heading());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(address()).toBe('/subscribers');
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(link('anna'));
    expect(within(link(/^New subscriber/)).queryByText('n')).toBeNull();
  });

  it('turns them off and on in the account menu', async () => {
    const { user } = await openList();
    await user.click(button(/^Account/));
    await user.click(await appears('checkbox', 'Single-key shortcuts'));
    await user.keyboard('{Escape}');
    await user.keyboard('/');
    expect(document.activeElement).not.toBe(box());
    await user.click(button(/^Account/));
    await user.click(screen.getByRole('checkbox', { name: 'Single-key shortcuts', checked: false }));
    button(/^Account/).focus();
    await user.keyboard('{Escape}/');
    expect(document.activeElement).toBe(box());
  });

  it('stays off until the next visit', async () => {
    localStorage.setItem('character-keys', 'false');
    const { user } = await openList();
    await user.keyboard('n');
    await waitFor(() => expect(announced()).toContain('2 subscribers.'));
    expect(screen.queryByRole('heading', { name: 'New subscriber' })).toBeNull();
  });
});
