import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { cutNetwork } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, field, hasFocus, openApp } from '../../support/app/page.tsx';

const playlistUrlTemplate = 'https://tv.example/{username}/{token}.m3u8';
const open = (options = {}) => openApp('/messages', { playlistUrlTemplate, ...options });
/** The text of the card of a message. */
const textOf = async (name: string) => {
  const heading = await appears('heading', name);
  return heading.closest('li')?.querySelector('p')?.textContent;
};
const preview = () => screen.getByRole('region', { name: 'Preview for a made-up subscriber' });

describe('the page of messages', () => {
  it('lists them by when they are offered', async () => {
    await open();
    const group = within(await appears('region', 'After extending'));
    expect(group.getByRole('heading', { name: 'Subscription extended' })).toBeTruthy();
    expect(group.getByText('English')).toBeTruthy();
    expect(group.getByText(/now runs until {expires}/)).toBeTruthy();
    expect(screen.queryByText('Can’t be copied')).toBeNull();
  });

  it('can be read by support, who can change nothing', async () => {
    await open({ role: 'support' });
    await appears('heading', 'Welcome');
    expect(screen.getByText(/Managers can edit them/)).toBeTruthy();
    for (const name of [/^Add/, /^Edit/, /^Delete/])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByRole('link', { name: 'Messages' })).toBeNull();
  });

  it('says which messages can’t be copied without a template of playlist addresses, and why', async () => {
    await openApp('/messages');
    expect(await screen.findByText(/Playlist URLs aren’t set up.*PLAYLIST_URL_TEMPLATE/)).toBeTruthy();
    await appears('heading', 'Welcome');
    const off = screen.getAllByText('Can’t be copied').map((badge) => badge.closest('li')?.textContent);
    expect(off).toHaveLength(2);
    for (const text of off) expect(text).toContain('{playlistUrl}');
  });
});

describe('a manager', () => {
  it('adds a message, and sees it as a subscriber would get it', async () => {
    const { user } = await open();
    await user.click(await appears('button', 'Add message'));
    const form = await dialog('Add message');
    await user.type(field('Name'), 'Forlenget');
    await user.selectOptions(form.getByRole('combobox', { name: 'Language' }), 'Norwegian Bokmål');
    await user.type(field('Text'), 'Hei ');
    await user.click(form.getByRole('button', { name: 'Insert {username}' }));
    await user.keyboard(', til ');
    await user.click(form.getByRole('button', { name: 'Insert {expires}' }));
    await user.keyboard(', med ');
    await user.click(form.getByRole('button', { name: 'Insert {bundles}' }));
    await user.keyboard(': ');
    await user.click(form.getByRole('button', { name: 'Insert {playlistUrl}' }));
    const said =
      'Hei anna.berg, til 1. juli 2026 kl. 14:00 CEST, med 3 og 7: https://tv.example/anna.berg/ACCESS-TOKEN.m3u8';
    expect(preview().textContent).toContain(said);
    await user.click(form.getByRole('button', { name: 'Add message' }));
    await screen.findByText('Forlenget is added.');
    expect(await textOf('Forlenget')).toBe('Hei {username}, til {expires}, med {bundles}: {playlistUrl}');
    expect(screen.getByRole('heading', { name: 'Forlenget' }).closest('section')?.textContent).toMatch(
      /^After extending/,
    );
  });

  it('reads at the field what is wrong with a text or a name', async () => {
    const { user } = await open();
    await user.click(await appears('button', 'Add message'));
    const form = await dialog('Add message');
    await user.type(field('Name'), 'welcome');
    await user.type(field('Text'), 'Hello {{name}');
    await user.click(form.getByRole('button', { name: 'Add message' }));
    await form.findByText(
      '{name} is not a placeholder. Use one of: {username}, {expires}, {bundles}, {token}, {playlistUrl}.',
    );
    await user.clear(field('Text'));
    await user.type(field('Text'), 'Hello.');
    await user.click(form.getByRole('button', { name: 'Add message' }));
    await form.findByText(/There is already a message with this name/);
    await hasFocus(() => field('Name'));
  });

  it('is shown what somebody else saved meanwhile, before replacing it', async () => {
    const { user, as } = await open();
    await user.click(await appears('button', 'Edit Welcome'));
    await user.clear(field('Text'));
    await user.type(field('Text'), 'Mine.');
    const other = as('manager', 'Jonas');
    const welcome = (await other.bff.listMessages({})).data.find(({ name }) => name === 'Welcome');
    if (!welcome) throw new Error('There is no such message.');
    const { id, ...body } = welcome;
    await other.bff.changeMessage({ params: { id }, body: { ...body, text: 'Theirs.' } });
    const form = await dialog('Edit Welcome');
    await user.click(form.getByRole('button', { name: 'Save message' }));
    expect(await form.findByText('Theirs.')).toBeTruthy();
    expect(field('Text').value).toBe('Mine.');
    await user.click(form.getByRole('button', { name: 'Save message' }));
    await screen.findByText('Welcome is saved.');
    expect(await textOf('Welcome')).toBe('Mine.');
  });

  it('deletes a message, and gets it back by Undo', async () => {
    const { user } = await open();
    await user.click(await appears('button', 'Delete Welcome'));
    await disappears('heading', 'Welcome');
    await hasFocus(() => screen.getByRole('heading', { name: 'Messages' }));
    await user.click(await appears('button', 'Undo'));
    expect(await textOf('Welcome')).toMatch(/^Hello {username}/);
  });

  it('reads why a message could not be saved, and loses nothing', async () => {
    const { user } = await open();
    await user.click(await appears('button', 'Edit Welcome'));
    await user.type(field('Text'), ' More.');
    const online = cutNetwork();
    const form = await dialog('Edit Welcome');
    await user.click(form.getByRole('button', { name: 'Save message' }));
    await form.findByText(/Check the list/);
    online();
    await user.click(form.getByRole('button', { name: 'Save message' }));
    await screen.findByText('Welcome is saved.');
    expect(await textOf('Welcome')).toMatch(/More\.$/);
  });
});

describe('the question before unsaved changes of a message are lost', () => {
  it('comes when the dialog is closed and when the page is left', async () => {
    const { user, goTo, address } = await open();
    await user.click(await appears('button', 'Edit Welcome'));
    await user.type(field('Text'), ' More.');
    await user.keyboard('{Escape}');
    await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Keep editing' }));
    expect(field('Text').value).toMatch(/More\.$/);
    goTo('/activity');
    await user.click((await dialog('Leave without saving?')).getByRole('button', { name: 'Keep editing' }));
    expect(address()).toBe('/messages');
    await user.click((await dialog('Edit Welcome')).getByRole('button', { name: 'Cancel' }));
    await user.click(
      (await dialog('Leave without saving?')).getByRole('button', { name: 'Discard changes' }),
    );
    await disappears('dialog', 'Edit Welcome');
    expect(await textOf('Welcome')).not.toMatch(/More/);
  });

  it('does not come where there are no changes', async () => {
    const { user } = await open();
    await user.click(await appears('button', 'Edit Welcome'));
    await user.click((await dialog('Edit Welcome')).getByRole('button', { name: 'Cancel' }));
    await disappears('dialog', /./);
    await hasFocus(() => button('Edit Welcome'));
  });
});
