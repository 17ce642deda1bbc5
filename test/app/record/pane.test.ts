import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { suspend } from '../../support/app/desk.ts';
import { shows } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, disappears, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { details, openPane, pane } from '../../support/app/pane.ts';
import { anna, person } from '../../support/people.ts';

test('a subscriber opens beside the list, under its name, with the focus on its heading', async () => {
  const { user, address } = await openApp('/subscribers?sort=username', {
    people: [anna, person('bjarne')],
  });
  await shows('anna', 'bjarne');
  await user.click(link('anna'));
  await pane('anna');
  await hasFocus(() => screen.getByRole('heading', { name: 'anna' }));
  expect(address()).toBe('/subscribers/1?sort=username');
  expect(document.title).toBe('anna · Subscriber Desk');
  await shows('anna', 'bjarne');
});

test('the pane shows every field and all four lists', async () => {
  const { shown } = await openPane();
  expect(shown.getByText('#1 · anna@example.com')).toBeTruthy();
  expect(shown.getByText('Expires in 7 months')).toBeTruthy();
  expect(shown.getAllByText('Trial')).toHaveLength(2);
  expect(details()).toEqual({
    Status: 'ActiveStatus is set in the billing system.',
    Plan: 'Trial',
    Expires: '31 Dec 2026, 23:00 (22:00 UTC)',
    'Connection limit': '3',
    Formats: 'HLS, MPEG-TS',
    Bundles: '30 | 7',
    Countries: 'Norway | Sweden',
    'IP addresses': '192.0.2.0/24',
    'User agents': 'VLC/3.0',
    'Last change': 'none',
  });
  shown.getByText('Calls on Mondays.');
});

test('each value of the pane leads to all subscribers with it', async () => {
  const people = [anna, person('bjarne', { countries: ['NO'] }), person('carl', { isTrial: true })];
  const { user, address, goBack } = await openApp('/subscribers/1?expired=true', { people });
  for (const [value, found] of [
    ['Norway', '?country=NO'],
    ['30', '?bundle=30'],
    ['192.0.2.0/24', '?ip=192.0.2.0%2F24'],
    ['VLC/3.0', '?app=VLC%2F3.0'],
    ['plan Trial', '?trial=true'],
    ['status Active', '?status=1'],
  ] as const) {
    await user.click(await (await pane('anna')).findByRole('link', { name: `Show all with ${value}` }));
    await waitFor(() => expect(address()).toBe(`/subscribers${found}`));
    goBack();
  }
  await user.click(await (await pane('anna')).findByRole('link', { name: 'Show all with Norway' }));
  await shows('anna', 'bjarne');
});

test('an empty field is shown as none, and an empty list of limits as no limit', async () => {
  await openApp('/subscribers/1', { people: [person('bjarne', { hls: false, mpegTs: false })] });
  await pane('bjarne');
  await waitFor(() => expect(details()).toHaveProperty('Countries', 'No limit'));
  expect(details()).toMatchObject({
    'Connection limit': '1',
    Formats: 'none',
    Bundles: 'none',
    Countries: 'No limit',
    'IP addresses': 'No limit',
    'User agents': 'No limit',
  });
});

test('the pane has what to do about a call first, then the data and what happened', async () => {
  const { shown } = await openPane();
  const sections = shown.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent?.trim());
  expect(sections).toEqual(['Notes', 'Extend', 'Message', 'Access token', 'Details', 'Activity']);
});

describe('the first sentence of the pane', () => {
  it('says on how many devices and until when the subscriber can watch', async () => {
    await openApp('/subscribers/1', { people: [anna] });
    const shown = await pane('anna');
    await shown.findByText('Can watch on up to 3 devices at once until 31 Dec 2026, 23:00 (22:00 UTC).');
    await shown.findByText('Limited to: Norway and Sweden; network 192.0.2.0/24; app VLC/3.0.');
  });

  it('says why the subscriber cannot watch', async () => {
    const people = [person('bjarne', { expiresAt: '2026-05-20T22:30:00Z', hls: false, mpegTs: false })];
    const page = await openApp('/subscribers/new', { people });
    await suspend(page, 'bjarne');
    page.goTo('/subscribers/1');
    const shown = await pane('bjarne');
    await shown.findByText(
      'Can’t watch: expired on 21 May 2026, 00:30 (20 May 2026, 22:30 UTC); HLS and MPEG-TS are both off; status Suspended. Status is set in the billing system.',
    );
    expect(shown.getByText('Expired 11 days ago')).toBeTruthy();
  });
});

test('the pane shows at once what the list knows, and the rest when it is loaded', async () => {
  const { user } = await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  const answer = holdAnswers(/GET \/api\/subscribers\/1/);
  await user.click(link('anna'));
  const shown = await pane('anna');
  expect(shown.getByText('#1 · anna@example.com')).toBeTruthy();
  expect(details()).toMatchObject({ 'Connection limit': '3', Countries: '' });
  shown.getByText('Calls on Mondays.');
  answer.release();
  await shown.findByText('Norway');
});

describe('the pane’s way to close', () => {
  const people = [anna, person('bjarne')];

  it('is its button, which gives the focus back to the row and keeps the list as it is', async () => {
    const { user, address } = await openApp('/subscribers?trial=true', { people });
    await shows('anna');
    await user.click(link('anna'));
    await pane('anna');
    await user.click(button('Close'));
    await disappears('complementary', 'anna');
    await hasFocus(() => link('anna'));
    expect(address()).toBe('/subscribers?trial=true');
  });

  it('is also Escape, which gives the focus back to the row', async () => {
    const { user } = await openApp('/subscribers/2', { people });
    await pane('bjarne');
    await shows('anna', 'bjarne');
    await user.keyboard('{Escape}');
    await disappears('complementary', 'bjarne');
    await hasFocus(() => link('bjarne'));
  });

  it('gives the focus to the heading if no row shows the subscriber', async () => {
    const { user } = await openApp('/subscribers/2?trial=true', { people });
    await pane('bjarne');
    await shows('anna');
    await user.click(button('Close'));
    await hasFocus(() => screen.getByRole('heading', { name: /^Subscribers/ }));
  });

  it('is not an Escape that closes the menu', async () => {
    const { user } = await openApp('/subscribers/2', { people });
    await pane('bjarne');
    await user.click(await appears('button', /^Account:/));
    await appears('combobox', 'Theme');
    await user.keyboard('{Escape}');
    await disappears('combobox', 'Theme');
    expect(screen.getByRole('complementary', { name: 'bjarne' })).toBeTruthy();
  });
});

test('Back closes the pane, and Forward opens it again', async () => {
  const { user, goBack, goForward } = await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  await user.click(link('anna'));
  await pane('anna');
  goBack();
  await disappears('complementary', 'anna');
  goForward();
  await pane('anna');
});

test('an id that no subscriber has is reported beside the list', async () => {
  await openApp('/subscribers/99', { people: [anna] });
  await appears('heading', 'This subscriber doesn’t exist');
  await screen.findByText('It may have been deleted, or the link is wrong.');
  await shows('anna');
  expect(screen.queryByRole('button', { name: 'Delete…' })).toBeNull();
});

test.each(['nobody', '1e3', '-1', '0', '0x1', '9999999999999999999', 'nobody/edit'])(
  'the address /subscribers/%s is reported as wrong, without a request',
  async (id) => {
    const { requested } = await openApp(`/subscribers/${id}`, { people: [anna] });
    await appears('heading', 'Page not found');
    expect(requested(/subscribers\/./)).toEqual([]);
  },
);

test('a subscriber that was deleted behind the list is no longer shown', async () => {
  const { user, service, cache } = await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  await service.deleteSubscriber({ params: { id: 1 } });
  await user.click(link('anna'));
  await appears('heading', 'This subscriber doesn’t exist');
  expect(screen.queryByRole('region', { name: 'Access token' })).toBeNull();
  void cache.invalidateQueries();
  await appears('heading', 'No subscribers yet');
});

test('a deleted subscriber’s address tells viewers no more than that there is none', async () => {
  const { user, service, requested } = await openApp('/subscribers', { people: [anna], role: 'viewer' });
  await shows('anna');
  await service.deleteSubscriber({ params: { id: 1 } });
  await user.click(link('anna'));
  await appears('heading', 'This subscriber doesn’t exist');
  await screen.findByText('It may have been deleted, or the link is wrong.');
  expect(requested(/\/bff\/activity/)).toEqual([]);
});
