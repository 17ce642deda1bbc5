import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toasts } from '../../../support/app/activity.ts';
import { button, dialog, disappears, hasFocus, openApp } from '../../../support/app/page.tsx';
import { suspend } from '../../../support/app/desk.ts';
import { openPane, pane } from '../../../support/app/pane.ts';
import { anna } from '../../../support/people.ts';

const line =
  '203.0.113.7 - - [22/Nov/2026:19:12:17 +0000] "GET /live/secret-token/12.m3u8 HTTP/1.1" 403 1 "-" "VLC/3.0.18"';

async function openCheck(role: 'viewer' | 'support' = 'support') {
  const page = await openPane({ role });
  await page.user.click(button('Check a connection…'));
  const shown = await dialog('Check a connection of anna');
  const paste = async (text: string) => {
    const box = shown.getByLabelText('What the caller says, or lines of a log');
    await page.user.clear(box);
    await page.user.paste(text);
  };
  return { ...page, shown, paste };
}

/** The answer of each rule, such as "IP addresses: No". */
const answers = () =>
  within(screen.getByRole('list', { name: 'Rules' }))
    .getAllByRole('listitem')
    .map((item) => `${item.querySelector('strong')?.textContent}: ${item.firstElementChild?.textContent}`);

test('a pasted log line is answered rule by rule, and is neither sent nor put into the address', async () => {
  const { shown, paste, requested, address } = await openCheck();
  await paste(line);
  expect(answers()).toEqual([
    'IP addresses: No',
    'Expires: Yes',
    'Status: Yes',
    'Format: Yes',
    'Countries: Can’t tell',
    'User agents: Yes',
    'Connection limit: Can’t tell',
  ]);
  shown.getByText('VLC/3.0.18 has the entry VLC/3.0 in it.');
  expect(shown.getByRole('status').textContent).toBe('Stopped by: IP addresses.');
  expect(requested(/check|VLC|203\.0\.113/)).toEqual([]);
  expect(address()).toBe('/subscribers/1');
  await paste('192.0.2.7 in Norway');
  expect(shown.getByRole('status').textContent).toBe('Nothing that can be checked stops it.');
  await paste('Hello.');
  expect(shown.getByRole('status').textContent).toBe(
    'There is no IP address, app, country or format in this text.',
  );
  await paste('I am in Tromsø');
  expect(shown.getByRole('status').textContent).toBe(
    '“Tromsø” isn’t known as a country or a town. Ask for the country.',
  );
});

test('what the record alone stops leads, before anything is typed and after', async () => {
  const page = await openApp('/subscribers', { people: [anna] });
  await suspend(page, 'anna');
  page.goTo('/subscribers/1');
  await (await pane('anna')).findByText('Norway');
  await page.user.click(button('Check a connection…'));
  const shown = await dialog('Check a connection of anna');
  expect(shown.getByRole('status').textContent).toBe('Probably stopped by: Status.');
  expect(answers()).toEqual(['Status: Probably not']);
  await page.user.type(shown.getByLabelText('What the caller says, or lines of a log'), 'in Greece with VLC');
  expect(shown.getByRole('status').textContent).toBe(
    'Stopped by: Countries. Probably also stopped by: Status.',
  );
  expect(answers().slice(0, 2)).toEqual(['Countries: No', 'Status: Probably not']);
});

test('a missing entry is added after it is shown as a change, and then the rule says yes', async () => {
  const page = await openCheck();
  const { user, shown, paste } = page;
  await paste(line);
  await user.click(shown.getByRole('button', { name: 'Add 203.0.113.0/24…' }));
  const asking = await dialog('Add to IP addresses of anna?');
  expect(asking.getAllByRole('listitem')[0]?.textContent).toContain('203.0.113.0/24');
  await user.click(asking.getByRole('button', { name: 'Add 203.0.113.0/24' }));
  await toasts().findByText('203.0.113.0/24 was added for anna.');
  await disappears('dialog', 'Add to IP addresses of anna?');
  await shown.findByText('203.0.113.7 is in 203.0.113.0/24.');
  await hasFocus(() => shown.getByLabelText('What the caller says, or lines of a log'));
  const ipAddresses = ['192.0.2.0/24', '203.0.113.0/24'];
  expect(await page.saved()).toMatchObject({ ipAddresses, countries: anna.countries });
  expect(JSON.stringify(await page.sent(/PUT/))).not.toContain('secret-token');
});

test('Escape closes only the question, and then the check', async () => {
  const { user, shown, paste } = await openCheck();
  await paste('203.0.113.7');
  await user.click(shown.getByRole('button', { name: 'Add 203.0.113.7…' }));
  await dialog('Add to IP addresses of anna?');
  await user.keyboard('{Escape}');
  await disappears('dialog', 'Add to IP addresses of anna?');
  await dialog('Check a connection of anna');
  await user.keyboard('{Escape}');
  await disappears('dialog', 'Check a connection of anna');
  await hasFocus(() => button('Check a connection…'));
});

test('a viewer can check, but not add', async () => {
  const { user, shown, paste } = await openCheck('viewer');
  await paste('203.0.113.7');
  const add = shown.getByRole('button', { name: 'Add 203.0.113.7…' });
  expect(add.getAttribute('title')).toBe('Viewers can’t change subscribers.');
  await user.click(add);
  expect(screen.queryByRole('dialog', { name: /^Add/ })).toBeNull();
});
