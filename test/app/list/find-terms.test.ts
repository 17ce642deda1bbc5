import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { readTerms } from '../../../src/app/list/find-terms.ts';
import { readFindText } from '../../../src/app/list/find-text.ts';
import { findBox as box, says, shows } from '../../support/app/list.ts';
import { appears, button, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
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
  extensions: ['Note', 'TokenEnd'],
};
const day = (text: string) => new Date(`${text}T00:00`).toISOString();
const noRange = { expired: undefined, expiresFrom: undefined, expiresTo: undefined };

function read(text: string, extensions = known.extensions) {
  const finding = readFindText(text);
  return readTerms(finding.kind === 'filter' ? finding.terms : [], { ...known, extensions });
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
    ['note:vip', { note: 'vip' }],
    ['note:"called back"', { note: 'called back' }],
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
    ['note:ab', 'Enter a part of the note, of at least three characters.'],
    ['token:', 'Enter the access token, or its last four characters.'],
    ['token:ab1', 'Enter the access token, or its last four characters.'],
    ['country:', 'Enter a name or a two-letter code.'],
    ['plan:trial country:x', '“x” isn’t a country.'],
  ])('is refused, and says why: “%s”', (text, sentence) => {
    expect(read(text).sentence).toContain(sentence);
  });

  it('is refused where the service cannot search for it', () => {
    expect(read('note:vip', []).sentence).toBe('The subscriber service can’t search notes.');
    expect(read('token:ab12', []).sentence).toBe(
      'The subscriber service can’t search the ends of tokens. Enter the whole token.',
    );
  });

  it('is none with a part of a token in it', () => {
    for (const name of ['note', 'app'])
      expect(readFindText(`${name}:aB3-dE6_gH9kLm2NpQ5`).kind).toBe('fragment');
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

  it('opens the pane of the only subscriber who may use an address, by one paste and Enter', async () => {
    const { user, address } = await openList();
    await user.click(box());
    await user.paste('203.0.113.7');
    await user.keyboard('{Enter}');
    await pane('bjarne');
    expect(address()).toBe('/subscribers/3?ip=203.0.113.7');
    await appears('button', 'Remove filter: IP address');
    expect(box().value).toBe('');
  });

  it('lists those who may use an address that is pasted alone, if there are several', async () => {
    const { user, address, service } = await openList();
    await service.updateSubscriber({ params: { id: 2 }, body: { ipAddresses: ['203.0.113.7'] } });
    await user.click(box());
    await user.paste('203.0.113.7');
    await appears('button', /^Who may use 203.0.113.7\?/);
    await user.keyboard('{Enter}');
    await shows('annika', 'bjarne');
    expect(address()).toBe('/subscribers?ip=203.0.113.7');
    await appears('button', 'Remove filter: IP address');
    await user.keyboard('{ArrowDown}');
    await hasFocus(() => link('annika'));
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
    const { user, address, requested } = await openList();
    await user.type(box(), 'country:Atlantis{Enter}');
    await says('“Atlantis” isn’t a country. Enter a name or a two-letter code.');
    expect(address()).toBe('/subscribers');
    expect(box().value).toBe('country:Atlantis');
    expect(requested(/Country|Username/)).toEqual([]);
    expect(within(screen.getByRole('table')).getAllByRole('rowheader')).toHaveLength(3);
  });
});

describe('a search in notes', () => {
  const noted = [
    person('anna', { note: 'Calls before noon only.\nWants the ÅRE package' }),
    person('bjarne', { note: 'Paid in cash' }),
    person('noon.cash'),
  ];

  it('shows in each row where the note has the text, and in a chip what was searched for', async () => {
    const { user, address } = await openApp('/subscribers', { people: noted });
    await shows('anna', 'bjarne', 'noon.cash');
    await user.type(box(), 'note:"the are"{Enter}');
    await shows('anna');
    expect(address()).toBe('/subscribers?note=the+are');
    await appears('button', 'Remove filter: Note');
    await waitFor(() => expect(document.querySelector('tbody mark')?.textContent).toBe('the ÅRE'));
    const row = screen.getByRole('rowheader').textContent;
    expect(row).toBe('annaNote: …the ÅRE package');
  });

  it('is offered for a text that no name has', async () => {
    const { user, address } = await openApp('/subscribers', { people: noted });
    await shows('anna', 'bjarne', 'noon.cash');
    await user.type(box(), 'in cash');
    await screen.findByText('No subscribers match');
    await user.click(await appears('button', 'Show 1 note with this'));
    await shows('bjarne');
    expect(address()).toBe('/subscribers?note=in+cash');
    await waitFor(() => expect(box().value).toBe(''));
  });
});

describe('the end of a token', () => {
  it.each(['viewer', 'support'] as const)(
    'finds a subscriber for a %s, and gets into no address',
    async (role) => {
      const { user, address, people: made } = await openApp('/subscribers', { role, people });
      await shows('anna', 'annika', 'bjarne');
      const accessToken = made[1]?.accessToken ?? '';
      const end = accessToken.slice(-4);
      await user.type(box(), `token:${end.toLowerCase()}`);
      await appears('button', `annika annika@example.com · token …${end}`);
      await says(`1 access token ends with “${end.toLowerCase()}”.`);
      expect(address()).toBe('/subscribers');
      await user.keyboard('{Enter}');
      await appears('heading', 'annika');
      expect(address()).toBe('/subscribers/2');
      expect(document.body.textContent).not.toContain(accessToken.slice(0, 8));
    },
  );

  it('finds nobody and says so if no token ends so', async () => {
    const { user, address } = await openList();
    await user.type(box(), 'token:----{Enter}');
    await says('No access token ends with “----”.');
    expect(address()).toBe('/subscribers');
  });
});
