import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { readTerms } from '../../../src/app/list/find-terms.ts';
import { readFindText } from '../../../src/app/list/find-text.ts';
import { announced, shows } from '../../support/app/list.ts';
import { appears, button, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { person } from '../../support/people.ts';

const known = {
  statuses: [
    { id: 1, name: 'Active' },
    { id: 2, name: 'Suspended' },
    { id: 3, name: 'Blocked' },
  ],
  bundles: [
    { number: 3, name: 'Sports', isSold: true },
    { number: 12, name: 'Sports Plus', isSold: true },
    { number: 5, name: 'Kids', isSold: false },
  ],
};
const day = (text: string) => new Date(`${text}T00:00`).toISOString();
const noRange = { expired: undefined, expiresFrom: undefined, expiresTo: undefined };

function read(text: string) {
  const finding = readFindText(text);
  return readTerms(finding.kind === 'filter' ? finding.terms : [], known);
}

describe('a filter that is typed', () => {
  it.each([
    ['ip:203.0.113.7', { ip: '203.0.113.7' }],
    ['ip:2001:db8::7', { ip: '2001:db8::7' }],
    ['203.0.113.0/24', { ip: '203.0.113.0/24' }],
    ['country:NO', { country: 'NO' }],
    ['country:norway', { country: 'NO' }],
    ['country:"United Kingdom"', { country: 'GB' }],
    ['app:vlc', { app: 'vlc' }],
    ['bundle:3', { bundle: 3 }],
    ['bundle:99', { bundle: 99 }],
    ['bundle:sports', { bundle: 3 }],
    ['bundle:kid', { bundle: 5 }],
    ['status:suspended', { statuses: undefined, status: 2 }],
    ['status:b', { statuses: undefined, status: 3 }],
    ['plan:trial', { trial: true }],
    ['plan:paid', { trial: false }],
    ['expires:expired', { ...noRange, expired: true }],
    ['expires:not', { ...noRange, expired: false }],
    ['expires:<7d', { ...noRange, expiresFrom: 'now', expiresTo: '7d' }],
    ['expires:7d', { ...noRange, expiresFrom: 'now', expiresTo: '7d' }],
    ['expires:-7d', { ...noRange, expiresFrom: '-7d', expiresTo: 'now' }],
    ['expires:<-30d', { ...noRange, expiresTo: '-30d' }],
    ['expires:>30d', { ...noRange, expiresFrom: '30d' }],
    ['expires:2026-12-31', { ...noRange, expiresFrom: day('2026-12-31'), expiresTo: day('2027-01-01') }],
    ['expires:<2026-12-31', { ...noRange, expiresTo: day('2026-12-31') }],
    ['expires:>2026-12-31', { ...noRange, expiresFrom: day('2027-01-01') }],
    ['country:NO plan:trial', { country: 'NO', trial: true }],
  ])('is understood: “%s”', (text, change) => {
    expect(read(text)).toMatchObject({ change, sentence: null });
  });

  it.each([
    ['ip:203.0.113.300', '“203.0.113.300” isn’t an IP address or a range.'],
    ['country:Atlantis', '“Atlantis” isn’t a country. Enter a name or a two-letter code.'],
    [
      'country:south',
      '“south” may be South Africa, South Georgia & South Sandwich Islands, South Korea, South Sudan.',
    ],
    ['bundle:x', 'No bundle is called “x”. Enter a name or a number.'],
    ['bundle:sp', '“sp” may be Sports, Sports Plus. Enter more of the name.'],
    ['status:gone', 'No status is called “gone”. There are Active, Suspended, Blocked.'],
    ['plan:gold', 'No plan is called “gold”. There are Trial, Paid.'],
    ['expires:soon', 'No expiry is called “soon”.'],
    ['expires:2026-02-31', 'No expiry is called “2026-02-31”.'],
    [`app:${'a'.repeat(300)}`, '300 characters, limit 256: remove 44.'],
    ['country:', 'Enter a name or a two-letter code.'],
    ['plan:trial country:x', '“x” isn’t a country.'],
  ])('is refused, and says why: “%s”', (text, sentence) => {
    expect(read(text).sentence).toContain(sentence);
  });

  it('offers values, with the filters before it', () => {
    expect(read('status:').offers.map(({ label }) => label)).toEqual(['Active', 'Suspended', 'Blocked']);
    expect(read('plan:trial country:nor').offers).toContainEqual({
      label: 'Norway',
      change: { trial: true, country: 'NO' },
    });
  });
});

const people = [
  person('anna', { isTrial: true }),
  person('annika'),
  person('bjarne', { isTrial: true, ipAddresses: ['203.0.113.0/24'] }),
];
async function openList() {
  const page = await openApp('/subscribers', { people });
  await shows('anna', 'annika', 'bjarne');
  return page;
}
const says = (sentence: string) => waitFor(() => expect(announced()).toContain(sentence));
const box = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Find subscribers' });

describe('a filter in the find box', () => {
  it('becomes a chip and a part of the address with Enter, and the rest of the text stays', async () => {
    const { user, address, goBack } = await openList();
    await user.type(box(), 'ann plan:tri');
    await shows('anna', 'annika');
    expect(address()).toBe('/subscribers?username=ann');
    await says('Press Enter to show trial.');
    await user.type(box(), '{Enter}');
    await shows('anna');
    expect(address()).toBe('/subscribers?username=ann&trial=true');
    expect(box().value).toBe('ann');
    await user.click(button('Remove filter: Plan'));
    await shows('anna', 'annika');
    goBack();
    await shows('anna');
  });

  it('can be picked from the list below by pointer and by keyboard', async () => {
    const { user, address } = await openList();
    await user.type(box(), 'pl');
    await user.click(await appears('button', 'plan:'));
    await hasFocus(box);
    expect(box().value).toBe('plan:');
    await appears('button', 'Paid');
    await user.keyboard('{ArrowDown}');
    await hasFocus(() => button('Trial'));
    await user.keyboard('{ArrowDown}');
    await hasFocus(() => button('Paid'));
    await user.keyboard('{Enter}');
    await shows('annika');
    expect(address()).toBe('/subscribers?trial=false');
    expect(box().value).toBe('');
  });

  it('finds who may use an address that is pasted alone', async () => {
    const { user, address } = await openList();
    await user.click(box());
    await user.paste('203.0.113.7');
    await appears('button', /^Who may use 203.0.113.7\?/);
    await user.keyboard('{Enter}');
    await shows('bjarne');
    expect(address()).toBe('/subscribers?ip=203.0.113.7');
    await appears('button', 'Remove filter: IP address');
    await user.keyboard('{ArrowDown}');
    await hasFocus(() => link('bjarne'));
  });

  it('leaves nothing open over what it found', async () => {
    const { user, as } = await openList();
    await as('manager').bff.addRecentSubscriber({ params: { id: 1 } });
    await user.click(box());
    await appears('list', 'Last opened');
    await screen.findByText('Filters:');
    await user.keyboard('plan:trial{Enter}');
    await shows('anna', 'bjarne');
    await hasFocus(box);
    expect(box().value).toBe('');
    expect(screen.queryByRole('list', { name: 'Last opened' })).toBeNull();
    expect(screen.queryByText('Filters:')).toBeNull();
  });

  it('searches for nothing if it is not understood, and says why', async () => {
    const { user, address, asked } = await openList();
    await user.type(box(), 'country:Atlantis{Enter}');
    await says('“Atlantis” isn’t a country. Enter a name or a two-letter code.');
    expect(address()).toBe('/subscribers');
    expect(box().value).toBe('country:Atlantis');
    expect(asked(/Country|Username/)).toEqual([]);
    expect(within(screen.getByRole('table')).getAllByRole('link')).toHaveLength(3);
  });
});
