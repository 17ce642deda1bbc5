import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { toasts } from '../../support/app/activity.ts';
import type { Page } from '../../support/app/page.tsx';
import { fill } from '../../support/app/form.ts';
import { announced } from '../../support/app/list.ts';
import { cutNetwork } from '../../support/app/network.ts';
import { appears, button, dialog, disappears, hasFocus, openApp } from '../../support/app/page.tsx';
import { pane, shownToken } from '../../support/app/pane.ts';
import { anna, person } from '../../support/people.ts';

const reveal = /\/reveal-token$/;
const playlistUrlTemplate = 'https://tv.example/{username}/{token}.m3u8';
const people = [anna, person('bjarne')];

const message = () => appears('region', 'Message').then((region) => within(region));
const chosen = async () => {
  const list = (await message()).getByRole<HTMLSelectElement>('combobox', { name: 'Message' });
  return list.selectedOptions[0]?.textContent;
};
const choices = async () => (await message()).getAllByRole('option').map(({ textContent }) => textContent);
const copy = async ({ user }: Page, what = 'message') => {
  // Copied once already, the button says so for a moment.
  await user.click(button(new RegExp(`^Cop(y|ied) ${what}$`)));
  await waitFor(() => expect(announced()).toContain(`The ${what} is on the clipboard.`));
  return navigator.clipboard.readText();
};
async function openAnna(options = {}) {
  const page = await openApp('/subscribers/1', { people, playlistUrlTemplate, ...options });
  await pane('anna');
  await message();
  return { page, token: page.people[0]?.accessToken ?? '' };
}

describe('the message in the pane', () => {
  it('tells the new expiry after extending, until that is undone', async () => {
    const { page } = await openAnna();
    await page.user.click(await appears('button', /^\+1 month/));
    const text = /^Hello anna,\n\nYour subscription now runs until (\d+ \w+ \d{4} at \d\d:\d\d CES?T)\.$/;
    await (
      await message()
    ).findByText((_, element) => element?.tagName === 'P' && text.test(element.textContent));
    expect(await copy(page)).toMatch(text);
    expect(page.requested(reveal)).toEqual([]);
    await page.user.click(toasts().getByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await chosen()).toBe('Subscription details'));
    expect((await message()).queryByText(/now runs until/)).toBeNull();
  });

  it('suits any occasion while nothing was done, and any other can be chosen', async () => {
    const { page } = await openAnna();
    expect(await choices()).toEqual([
      'Subscription details',
      'Welcome',
      'Subscription extended',
      'New playlist address',
      'Token replaced',
    ]);
    expect(await copy(page)).toMatch(/^Hello anna,\n\nYour subscription runs until/);
    await page.user.selectOptions(screen.getByRole('combobox', { name: 'Message' }), 'Subscription extended');
    expect(await copy(page)).toMatch(/^Hello anna,\n\nYour subscription now runs until/);
  });

  it('is in the language of the last one that was copied, its date too', async () => {
    const { page } = await openAnna();
    const body = { occasion: 'general', language: 'nb', name: 'Varer til', text: '{expires}' } as const;
    await page.as('manager').bff.addMessage({ body });
    await page.cache.invalidateQueries();
    await waitFor(async () => expect(await choices()).toContain('Varer til · Norwegian Bokmål'));
    expect(await chosen()).toBe('Subscription details · English');
    await page.user.selectOptions(
      screen.getByRole('combobox', { name: 'Message' }),
      'Varer til · Norwegian Bokmål',
    );
    expect(await copy(page)).toMatch(/^\d+\. \w+ \d{4} kl\. \d\d:\d\d CES?T$/);
    page.goTo('/subscribers/2');
    await pane('bjarne');
    await waitFor(async () => expect(await chosen()).toBe('Varer til · Norwegian Bokmål'));
  });

  it('names the bundles in its language, and is not offered to who has none', async () => {
    const { page } = await openAnna();
    const { bff } = page.as('manager');
    await bff.saveBundles({ body: { version: 0, bundles: [{ number: 7, name: 'Film', isSold: true }] } });
    const text = 'Du har {bundles}.';
    await bff.addMessage({ body: { occasion: 'general', language: 'nb', name: 'Pakker', text } });
    await page.cache.invalidateQueries();
    await waitFor(async () => expect(await choices()).toContain('Pakker · Norwegian Bokmål'));
    await page.user.selectOptions(
      screen.getByRole('combobox', { name: 'Message' }),
      'Pakker · Norwegian Bokmål',
    );
    expect(await copy(page)).toBe('Du har 30 og Film.');
    page.goTo('/subscribers/2');
    await pane('bjarne');
    expect((await choices()).join()).not.toContain('Pakker');
  });

  it('has the playlist URL only on the clipboard, and the journal records who got it', async () => {
    const { page, token } = await openAnna();
    await page.user.selectOptions(screen.getByRole('combobox', { name: 'Message' }), 'Welcome');
    await (await message()).findByText(/••••••••••••/);
    expect(page.requested(reveal)).toEqual([]);
    expect(await copy(page)).toContain(`\nhttps://tv.example/anna/${token}.m3u8\n`);
    expect(page.requested(reveal)).toHaveLength(1);
    expect(document.documentElement.outerHTML).not.toContain(token);
    expect(JSON.stringify(localStorage) + page.address() + document.title).not.toContain(token);
  });

  it('is not copied if the token cannot be had, which a toast says', async () => {
    const { page } = await openAnna();
    await page.user.selectOptions(screen.getByRole('combobox', { name: 'Message' }), 'Welcome');
    await navigator.clipboard.writeText('something else');
    cutNetwork(reveal);
    await page.user.click(button('Copy message'));
    await screen.findByText(/^Couldn’t get the token of anna/);
    expect(await navigator.clipboard.readText()).toBe('something else');
  });

  it('is copied by a command of the palette', async () => {
    const { page } = await openAnna();
    await page.user.keyboard('{Control>}k{/Control}');
    await page.user.keyboard('Copy message');
    await appears('option', /^Copy message/);
    await page.user.keyboard('{Enter}');
    await screen.findByText('The message is on the clipboard.');
    expect(await navigator.clipboard.readText()).toMatch(/^Hello anna/);
  });

  it.each([
    ['viewers, who see no token', { role: 'viewer' }, []],
    ['a deployment without a template', { playlistUrlTemplate: undefined }, ['Token replaced']],
  ])('has no playlist URL for %s, nor has the token’s card', async (_, options, more) => {
    await openAnna(options);
    expect(await choices()).toEqual(['Subscription details', 'Subscription extended', ...more]);
    expect(screen.queryByRole('button', { name: 'Copy playlist URL' })).toBeNull();
  });
});

test('the pane has no message where each needs a template of playlist addresses, and there is none', async () => {
  const { as, goTo } = await openApp('/activity', { people });
  const { bff } = as('manager');
  for (const { id, text } of (await bff.listMessages({})).data)
    if (!text.includes('{playlistUrl}')) await bff.deleteMessage({ params: { id } });
  goTo('/subscribers/1');
  const shown = await pane('anna');
  await shown.findByRole('button', { name: 'Copy token' });
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Message' })).toBeNull());
});

describe('the playlist URL', () => {
  it('is copied beside the token without being shown', async () => {
    const { page, token } = await openAnna();
    expect(await copy(page, 'playlist URL')).toBe(`https://tv.example/anna/${token}.m3u8`);
    expect(page.requested(reveal)).toHaveLength(1);
    expect(document.documentElement.outerHTML).not.toContain(token);
  });

  it('is shown with the token and hidden with it', async () => {
    const { page, token } = await openAnna();
    await page.user.click(button('Show token'));
    await screen.findByText(`https://tv.example/anna/${token}.m3u8`);
    await page.user.click(button('Hide token'));
    expect(document.documentElement.outerHTML).not.toContain(token);
  });
});

test('the dialog that regenerated a token has the message with the new address, and then the pane has it', async () => {
  const { page, token } = await openAnna();
  await page.user.click(button('Regenerate token…'));
  const asking = await dialog('Regenerate access token');
  await page.user.click(asking.getByRole('button', { name: 'Regenerate token' }));
  await screen.findByText('New token');
  const shown = await dialog('Regenerate access token');
  await hasFocus(() => shown.getByRole('button', { name: 'Copy token' }));
  await page.user.click(shown.getByRole('button', { name: 'Copy message' }));
  await shown.findByText('The message is on the clipboard.');
  const text = await navigator.clipboard.readText();
  expect(text).toMatch(/Use this one from now on:\nhttps:\/\/tv\.example\/anna\/[\w-]{43}\.m3u8\n/);
  expect(text).not.toContain(token);
  expect(page.requested(reveal)).toEqual([]);
  await page.user.click(shown.getByRole('button', { name: 'Copy playlist URL' }));
  await shown.findByText('The playlist URL is on the clipboard.');
  await page.user.click(shown.getByRole('button', { name: 'Done' }));
  await disappears('dialog', 'Regenerate access token');
  expect(await chosen()).toBe('New playlist address');
  expect(await copy(page)).toBe(text);
});

test('the message after regenerating has the new token where there is no template of playlist addresses', async () => {
  const { page, token } = await openAnna({ playlistUrlTemplate: undefined });
  await page.user.click(button('Regenerate token…'));
  const asking = await dialog('Regenerate access token');
  await page.user.click(asking.getByRole('button', { name: 'Regenerate token' }));
  await screen.findByText('New token');
  const shown = await dialog('Regenerate access token');
  await page.user.click(shown.getByRole('button', { name: 'Copy message' }));
  await shown.findByText('The message is on the clipboard.');
  const text = await navigator.clipboard.readText();
  expect(text).toMatch(/Use this one from now on:\n[\w-]{43}\n/);
  expect(text).not.toContain(token);
  await page.user.click(shown.getByRole('button', { name: 'Done' }));
  expect(await copy(page)).toBe(text);
});

test('the message and the token are there to be copied after a subscriber is created', async () => {
  const page = await openApp('/subscribers/new', { playlistUrlTemplate });
  await screen.findByLabelText('Note');
  await fill(page.user, 'Username', 'carla');
  await fill(page.user, 'Email', 'carla@example.com');
  await page.user.click(await appears('button', /^\+1 year/));
  await page.user.click(button('Create subscriber'));
  await pane('carla');
  await (await message()).findByText(/^Hello carla/);
  const text = await copy(page);
  expect(text).toMatch(
    /Your subscription is ready and runs until .*\nhttps:\/\/tv\.example\/carla\/[\w-]{43}\.m3u8/,
  );
  await page.user.click((await message()).getByRole('button', { name: 'Copy token' }));
  await waitFor(() => expect(announced()).toContain('The token is on the clipboard.'));
  expect(text).toContain(await navigator.clipboard.readText());
  expect(shownToken()).toMatch(/^•{12}/);
});
