import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { announced } from '../../../support/app/list.ts';
import { chips, fill, input, pickExpiry } from '../../../support/app/form.ts';
import { appears, button, openPage } from '../../../support/app/page.tsx';
import { facts, pane } from '../../../support/app/pane.ts';

async function openForm() {
  const page = await openPage('/subscribers/new');
  await appears('heading', 'New subscriber');
  return page;
}

const offered = () => screen.queryAllByRole('option').map((option) => option.textContent);

describe('a value of a list is added', () => {
  test('by Enter, which does not submit the form', async () => {
    const { user, asked } = await openForm();
    await user.type(input('Bundles'), '30{Enter}7{Enter}');
    expect(chips('Bundles')).toEqual(['30', '7']);
    expect(input('Bundles').value).toBe('');
    expect(announced()).toContain('Added 7.');
    expect(asked(/POST/)).toEqual([]);
  });

  test('by a comma', async () => {
    const { user } = await openForm();
    await user.type(input('IP addresses'), '192.0.2.7,2001:db8::1,');
    expect(chips('IP addresses')).toEqual(['192.0.2.7', '2001:db8::1']);
  });

  test('by leaving the field', async () => {
    const { user } = await openForm();
    await user.type(input('Bundles'), '12');
    await user.tab();
    expect(chips('Bundles')).toEqual(['12']);
  });

  test('once, even if it is entered twice', async () => {
    const { user } = await openForm();
    await user.type(input('Bundles'), '5{Enter}5{Enter}');
    expect(chips('Bundles')).toEqual(['5']);
    expect(input('Bundles').value).toBe('');
    screen.getByText('5 is already in the list.');
  });
});

describe('a pasted list', () => {
  test.each(['1, 2, 3', '1\n2\r\n3', '1;2 ;3', '1 2\t3'])('is split into its values: %j', async (text) => {
    const { user } = await openForm();
    await user.click(input('Bundles'));
    await user.paste(text);
    expect(chips('Bundles')).toEqual(['1', '2', '3']);
  });

  test('keeps what is invalid in the box, with the reason', async () => {
    const { user } = await openForm();
    await user.click(input('IP addresses'));
    await user.paste('192.0.2.1, 192.0.2.999, 192.0.2.0/24');
    expect(chips('IP addresses')).toEqual(['192.0.2.1', '192.0.2.0/24']);
    expect(input('IP addresses').value).toBe('192.0.2.999');
    expect(screen.getByText(/“192\.0\.2\.999”: Enter an IPv4 or IPv6 address/)).toBeTruthy();
    await user.type(input('IP addresses'), '{Backspace}{Backspace}{Enter}');
    expect(chips('IP addresses')).toEqual(['192.0.2.1', '192.0.2.0/24', '192.0.2.9']);
  });

  test('of user agents, which contain commas and spaces, is split by line', async () => {
    const { user } = await openForm();
    await user.click(input('User agents'));
    await user.paste('VLC/3.0 (Linux, x64)\nKodi 21, Omega');
    expect(chips('User agents')).toEqual(['VLC/3.0 (Linux, x64)', 'Kodi 21, Omega']);
    await user.type(input('User agents'), 'a, b{Enter}');
    expect(chips('User agents')).toEqual(['VLC/3.0 (Linux, x64)', 'Kodi 21, Omega', 'a, b']);
  });
});

describe('a value of a list is removed', () => {
  test('by its button', async () => {
    const { user } = await openForm();
    await user.type(input('Bundles'), '1,2,3,');
    await user.click(button('Remove 2'));
    expect(chips('Bundles')).toEqual(['1', '3']);
    expect(announced()).toContain('Removed 2.');
    expect(document.activeElement).toBe(input('Bundles'));
  });

  test('by Backspace, only if the box is empty', async () => {
    const { user } = await openForm();
    await user.type(input('Bundles'), '1,2,34{Backspace}{Backspace}');
    expect(chips('Bundles')).toEqual(['1', '2']);
    await user.type(input('Bundles'), '{Backspace}');
    expect(chips('Bundles')).toEqual(['1']);
  });
});

test('countries are entered by name or by code, and shown by name', async () => {
  const { user } = await openForm();
  await user.type(input('Countries'), 'norway,SE,United Kingdom{Enter}');
  expect(chips('Countries')).toEqual(['Norway', 'Sweden', 'United Kingdom']);
  await user.type(input('Countries'), 'Atlantis{Enter}');
  expect(input('Countries').value).toBe('Atlantis');
  expect(screen.getByText('“Atlantis” isn’t a country. Enter a name or a two-letter code.')).toBeTruthy();
});

test.each([
  ['Bundles', '0', /“0”: Use whole numbers, 1 or higher\./],
  ['Bundles', '1e3', /“1e3”: Use whole numbers, 1 or higher\./],
  ['Bundles', '2.5', /“2\.5”: Use whole numbers, 1 or higher\./],
  ['IP addresses', 'localhost', /“localhost”: Enter an IPv4 or IPv6 address/],
])('in the list %s, the value "%s" is refused with the reason', async (label, text, reason) => {
  const { user } = await openForm();
  await user.type(input(label), `${text}{Enter}`);
  expect(chips(label)).toEqual([]);
  expect(input(label).value).toBe(text);
  await screen.findByText(reason);
});

test('text in the box of a list is added when the form is saved', async () => {
  const page = await openForm();
  await fill(page.user, 'Username', 'bjarne');
  await fill(page.user, 'Email', 'bjarne@example.com');
  pickExpiry('2026-12-31T23:00');
  await page.user.type(input('Countries'), 'Norway');
  await page.user.click(button('Create subscriber'));
  await pane('bjarne');
  await waitFor(() => expect(facts()).toMatchObject({ Countries: 'Norway' }));
});

test('invalid text in the box of a list prevents saving', async () => {
  const { user, asked } = await openForm();
  await fill(user, 'Username', 'bjarne');
  await fill(user, 'Email', 'bjarne@example.com');
  pickExpiry('2026-12-31T23:00');
  await user.type(input('Bundles'), 'sports');
  await user.click(button('Create subscriber'));
  await waitFor(() => expect(input('Bundles').getAttribute('aria-invalid')).toBe('true'));
  expect(asked(/POST/)).toEqual([]);
  expect(input('Bundles').value).toBe('sports');
});

describe('a country is added', () => {
  test('by a common name, or by a beginning that no other country has', async () => {
    const { user } = await openForm();
    await user.type(input('Countries'), 'uk{Enter}Turkey{Enter}norw{Enter}');
    expect(chips('Countries')).toEqual(['United Kingdom', 'Türkiye', 'Norway']);
    await user.paste('USA, Holland, Czech Republic');
    expect(chips('Countries').slice(3)).toEqual(['United States', 'Netherlands', 'Czechia']);
  });

  test('after more letters, if the beginning that is left in the box is that of several', async () => {
    const { user } = await openForm();
    await user.type(input('Countries'), 'austr');
    await user.tab();
    await screen.findByText('“austr” may be Australia, Austria. Enter more of the name.');
    expect(chips('Countries')).toEqual([]);
    await user.type(input('Countries'), 'i{Enter}');
    expect(chips('Countries')).toEqual(['Austria']);
  });

  test('by Enter, which takes the likeliest of those that are offered', async () => {
    const { user, asked } = await openForm();
    await user.type(input('Countries'), 'uk');
    expect(offered()).toEqual(['United Kingdom', 'Ukraine']);
    await user.keyboard('{Enter}');
    expect(chips('Countries')).toEqual(['United Kingdom']);
    expect(announced()).toContain('Added United Kingdom.');
    expect(input('Countries').value).toBe('');
    expect(offered()).toEqual([]);
    await user.keyboard('holl{ArrowDown}{Enter}austr{ArrowDown}{Enter}');
    expect(chips('Countries')).toEqual(['United Kingdom', 'Netherlands', 'Austria']);
    expect(asked(/POST/)).toEqual([]);
  });

  test('by a click on one that is offered', async () => {
    const { user } = await openForm();
    await user.type(input('Countries'), 'united k');
    await user.click(screen.getByRole('option', { name: 'United Kingdom' }));
    expect(chips('Countries')).toEqual(['United Kingdom']);
    expect(document.activeElement).toBe(input('Countries'));
  });

  test('only once: one that is in the list is not offered, and neither is another in its place', async () => {
    const { user } = await openForm();
    await user.type(input('Countries'), 'niger{Enter}niger');
    expect(offered()).toEqual([]);
    await user.keyboard('{Enter}');
    expect(chips('Countries')).toEqual(['Niger']);
    screen.getByText('Niger is already in the list.');
    await user.keyboard('nigeri{Enter}');
    expect(chips('Countries')).toEqual(['Niger', 'Nigeria']);
  });

  test('from a pasted list, which keeps what is no country in the box', async () => {
    const { user } = await openForm();
    await user.click(input('Countries'));
    await user.paste('NO, SE; Finland\nAtlantis');
    expect(chips('Countries')).toEqual(['Norway', 'Sweden', 'Finland']);
    expect(input('Countries').value).toBe('Atlantis');
    screen.getByText('“Atlantis” isn’t a country. Enter a name or a two-letter code.');
  });
});

test('the arrow down offers all countries, and Escape closes them and changes nothing', async () => {
  const { user } = await openForm();
  await user.type(input('Countries'), 'norway{Enter}{ArrowDown}');
  expect(offered()).toHaveLength(248);
  expect(offered()).not.toContain('Norway');
  await user.keyboard('{Escape}');
  expect(offered()).toEqual([]);
  await user.keyboard('swe{Escape}{Escape}');
  expect(input('Countries').value).toBe('swe');
  expect(chips('Countries')).toEqual(['Norway']);
  await user.clear(input('Countries'));
  await user.keyboard('{Backspace}');
  expect(chips('Countries')).toEqual([]);
});
