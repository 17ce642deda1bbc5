import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { announced } from '../../support/app/list.ts';
import { chips, fillNew, input, openForm } from '../../support/app/form.ts';
import { button } from '../../support/app/page.tsx';
import { details, pane } from '../../support/app/pane.ts';

const offered = () => screen.queryAllByRole('option').map((option) => option.textContent);

describe('a list in the form', () => {
  it('takes a value by Enter, which does not submit the form, by a comma and by leaving the field', async () => {
    const { user, requested } = await openForm();
    await user.type(input('Bundles'), '30{Enter}7{Enter}');
    expect(chips('Bundles')).toEqual(['30', '7']);
    expect(input('Bundles').value).toBe('');
    expect(announced()).toContain('Added 7.');
    await user.type(input('Bundles'), '12');
    await user.tab();
    expect(chips('Bundles')).toEqual(['30', '7', '12']);
    await user.type(input('IP addresses'), '192.0.2.7,2001:db8::1,');
    expect(chips('IP addresses')).toEqual(['192.0.2.7', '2001:db8::1']);
    expect(requested(/POST/)).toEqual([]);
  });

  it('takes a value once, and refuses one that is invalid with the reason', async () => {
    const { user } = await openForm();
    await user.type(input('Bundles'), '5{Enter}5{Enter}');
    expect(chips('Bundles')).toEqual(['5']);
    expect(input('Bundles').value).toBe('');
    screen.getByText('5 is already in the list.');
    for (const [label, text, reason] of [
      ['Bundles', '0', /“0”: Use whole numbers, 1 or higher\./],
      ['Bundles', '1e3', /“1e3”: Use whole numbers, 1 or higher\./],
      ['Bundles', '2.5', /“2\.5”: Use whole numbers, 1 or higher\./],
      ['IP addresses', 'localhost', /“localhost”: Enter an IPv4 or IPv6 address/],
    ] as const) {
      await user.clear(input(label));
      await user.type(input(label), `${text}{Enter}`);
      await screen.findByText(reason);
      expect(input(label).value).toBe(text);
    }
    expect([chips('Bundles'), chips('IP addresses')]).toEqual([['5'], []]);
  });

  it('splits what is pasted into its values, and keeps what is invalid in the box', async () => {
    const { user } = await openForm();
    await user.click(input('Bundles'));
    for (const text of ['1, 2, 3', '4\n5\r\n6', '7;8 ;9', '10 11\t12']) await user.paste(text);
    expect(chips('Bundles')).toEqual(Array.from({ length: 12 }, (_, index) => String(index + 1)));
    await user.click(input('IP addresses'));
    await user.paste('192.0.2.1, 192.0.2.999, 192.0.2.0/24');
    expect(chips('IP addresses')).toEqual(['192.0.2.1', '192.0.2.0/24']);
    expect(input('IP addresses').value).toBe('192.0.2.999');
    expect(screen.getByText(/“192\.0\.2\.999”: Enter an IPv4 or IPv6 address/)).toBeTruthy();
    await user.type(input('IP addresses'), '{Backspace}{Backspace}{Enter}');
    expect(chips('IP addresses')).toEqual(['192.0.2.1', '192.0.2.0/24', '192.0.2.9']);
    await user.click(input('Countries'));
    await user.paste('NO, SE; Finland\nAtlantis');
    expect(chips('Countries')).toEqual(['Norway', 'Sweden', 'Finland']);
    expect(input('Countries').value).toBe('Atlantis');
    screen.getByText('“Atlantis” isn’t a country. Enter a name or a two-letter code.');
  });

  it('splits user agents, which contain commas and spaces, by line', async () => {
    const { user } = await openForm();
    await user.click(input('User agents'));
    await user.paste('VLC/3.0 (Linux, x64)\nKodi 21, Omega');
    expect(chips('User agents')).toEqual(['VLC/3.0 (Linux, x64)', 'Kodi 21, Omega']);
    await user.type(input('User agents'), 'a, b{Enter}');
    expect(chips('User agents')).toEqual(['VLC/3.0 (Linux, x64)', 'Kodi 21, Omega', 'a, b']);
  });

  it('loses a value by its button, and by Backspace only if the box is empty', async () => {
    const { user } = await openForm();
    await user.click(input('Bundles'));
    await user.paste('1,2,3,4');
    await user.click(button('Remove 2'));
    expect(chips('Bundles')).toEqual(['1', '3', '4']);
    expect(announced()).toContain('Removed 2.');
    expect(document.activeElement).toBe(input('Bundles'));
    await user.keyboard('56{Backspace}{Backspace}');
    expect(chips('Bundles')).toEqual(['1', '3', '4']);
    await user.keyboard('{Backspace}');
    expect(chips('Bundles')).toEqual(['1', '3']);
  });

  it('adds what is in its box when the form is saved, and prevents that if it is invalid', async () => {
    const page = await openForm();
    await fillNew(page.user);
    await page.user.type(input('Bundles'), 'sports');
    await page.user.click(button('Create subscriber'));
    await waitFor(() => expect(input('Bundles').getAttribute('aria-invalid')).toBe('true'));
    expect(page.requested(/POST/)).toEqual([]);
    expect(input('Bundles').value).toBe('sports');
    await page.user.clear(input('Bundles'));
    await page.user.type(input('Countries'), 'Norway');
    await page.user.click(button('Create subscriber'));
    await pane('bjarne');
    await waitFor(() => expect(details()).toMatchObject({ Bundles: 'none', Countries: 'Norway' }));
  });
});

describe('the list of countries', () => {
  it('takes a name, a code, a common name or a beginning that no other country has', async () => {
    const { user } = await openForm();
    await user.type(input('Countries'), 'SE,United Kingdom{Enter}Turkey{Enter}norw{Enter}');
    expect(chips('Countries')).toEqual(['Sweden', 'United Kingdom', 'Türkiye', 'Norway']);
    await user.paste('USA, Holland, Czech Republic');
    expect(chips('Countries').slice(4)).toEqual(['United States', 'Netherlands', 'Czechia']);
    await user.type(input('Countries'), 'austr');
    await user.tab();
    await screen.findByText('“austr” may be Australia, Austria. Enter more of the name.');
    expect(chips('Countries')).not.toContain('Austria');
    await user.type(input('Countries'), 'i{Enter}');
    expect(chips('Countries').at(-1)).toBe('Austria');
  });

  it('offers the likeliest countries while the user types, and adds one by Enter or a click', async () => {
    const { user, requested } = await openForm();
    await user.type(input('Countries'), 'uk');
    expect(offered()).toEqual(['United Kingdom', 'Ukraine']);
    await user.keyboard('{Enter}');
    expect(chips('Countries')).toEqual(['United Kingdom']);
    expect(announced()).toContain('Added United Kingdom.');
    expect(input('Countries').value).toBe('');
    expect(offered()).toEqual([]);
    await user.keyboard('holl{ArrowDown}{Enter}austr{ArrowDown}{Enter}');
    expect(chips('Countries')).toEqual(['United Kingdom', 'Netherlands', 'Austria']);
    await user.type(input('Countries'), 'finl');
    await user.click(screen.getByRole('option', { name: 'Finland' }));
    expect(chips('Countries').at(-1)).toBe('Finland');
    expect(document.activeElement).toBe(input('Countries'));
    expect(requested(/POST/)).toEqual([]);
  });

  it('does not offer a country twice, nor another in its place', async () => {
    const { user } = await openForm();
    await user.type(input('Countries'), 'niger{Enter}niger');
    expect(offered()).toEqual([]);
    await user.keyboard('{Enter}');
    expect(chips('Countries')).toEqual(['Niger']);
    screen.getByText('Niger is already in the list.');
    await user.keyboard('nigeri{Enter}');
    expect(chips('Countries')).toEqual(['Niger', 'Nigeria']);
  });

  it('offers all countries by the arrow down, until Escape closes them and changes nothing', async () => {
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
});
