import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test, vi } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { addEvents } from '../../support/bff/entries.ts';
import { journalKey } from '../../support/desk.ts';
import {
  journalRows,
  openActivity,
  paneActivity,
  send,
  showsEntries as shows,
} from '../../support/app/activity.ts';
import { catchFiles } from '../../support/app/files.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { appears, button, hasFocus, openApp } from '../../support/app/page.tsx';
import { anna } from '../../support/people.ts';

test('the page lists everything done or refused, with time, person, subscriber and values', async () => {
  await openActivity();
  await shows('Deleted', 'Edit', 'Edited');
  const [deleted = [], refused = [], edited = []] = journalRows();
  expect(deleted.slice(1, 4)).toEqual(['Kari', 'Deleted', 'p002']);
  expect(deleted[0]).toContain('1 Jun 2026, 14:00 (12:00 UTC)');
  expect(refused.slice(3)).toEqual([
    'p001',
    'Username p001 →  is now anna',
    'RefusedSome values were not accepted',
  ]);
  expect(edited.slice(3)).toEqual(['anna', 'Note Calls on Mondays. →  is now =1+1“Påske”', 'Done']);
  expect(screen.getByRole('link', { name: 'p002' }).getAttribute('href')).toBe('/subscribers/3');
});

describe('the list of entries other than changes', () => {
  const [kari, ola] = [
    { id: 'kari', name: 'Kari' },
    { id: 'ola', name: 'Ola' },
  ];
  const since = '2026-06-01T09:00:00.000Z';

  const changes = ['Account changed', 'Account changed', 'Account changed'];

  async function openEvents(address = '/activity') {
    const page = await openActivity(address);
    const list = [
      {
        operation: 'addStaff',
        staff: kari,
        account: ola,
        details: { role: { before: null, after: 'viewer' } },
      },
      {
        operation: 'changeStaff',
        staff: kari,
        account: ola,
        details: { role: { before: 'viewer', after: 'support' } },
      },
      { operation: 'changeStaff', staff: kari, account: ola, details: { disabled: true } },
      { operation: 'changeStaff', staff: kari, account: ola, details: { disabled: false } },
      { operation: 'endStaffSessions', staff: kari, account: ola, details: { sessions: 2 } },
      { operation: 'resetStaffPassword', staff: { id: 'terminal', name: '' }, account: ola },
      {
        operation: 'signIn',
        outcome: 'refused',
        staff: { id: 'unknown', name: '' },
        details: { times: 9, since },
      },
      { operation: 'signIn', staff: ola, details: { way: 'single-sign-on' } },
      { operation: 'changePassword', staff: kari },
      { operation: 'endSession', staff: kari, details: { sessions: 1, browser: 'Safari on iPhone' } },
      { operation: 'endOtherSessions', staff: kari, details: { sessions: 2 } },
      { operation: 'revealToken', staff: kari, subscriber: { id: 1, username: 'anna' } },
      { operation: 'exportActivity', staff: kari, details: { entries: 1207 } },
    ] as const;
    await addEvents(page.db, createMac(journalKey), list, Date.parse('2026-06-01T10:00:00Z'));
    await page.cache.invalidateQueries();
    return page;
  }

  it('says in words what was done to whom', async () => {
    await openEvents();
    await waitFor(() => expect(journalRows()).toHaveLength(16));
    expect(
      journalRows()
        .slice(3)
        .map(([, ...cells]) => cells),
    ).toEqual([
      ['Kari', 'Activity exported', '', '1,207 entries', 'Done'],
      ['Kari', 'Token shown', 'anna', '', 'Done'],
      ['Kari', 'Other sessions ended', '', '2 sessions', 'Done'],
      ['Kari', 'Session ended', '', 'Safari on iPhone', 'Done'],
      ['Kari', 'Password changed', '', '', 'Done'],
      ['Ola', 'Signed in', '', 'With single sign-on', 'Done'],
      [
        'Unknown name',
        'Sign-in failed',
        '',
        '9 times in a row, the first time on 1 Jun 2026, 11:00',
        'Refused',
      ],
      ['Terminal', 'Password reset', '', 'Ola got a one-time password.', 'Done'],
      ['Kari', 'Signed out everywhere', '', '2 sessions of Ola ended.', 'Done'],
      ['Kari', 'Account changed', '', 'Ola can sign in again.', 'Done'],
      ['Kari', 'Account changed', '', 'Ola can no longer sign in.', 'Done'],
      ['Kari', 'Account changed', '', 'Ola is now Support, and was Viewer.', 'Done'],
      ['Kari', 'Account added', '', 'Ola was added as Viewer.', 'Done'],
    ]);
  });

  it('can be filtered by kind, and then offers only what is of that kind', async () => {
    const { user, address } = await openEvents();
    const choices = (name: string) =>
      within(screen.getByRole('combobox', { name }))
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    expect(choices('Kind')).toEqual([
      'Kind: any',
      'Changes',
      'Exports and tokens shown',
      'Jobs',
      'Staff',
      'Sign-in',
    ]);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Sign-in');
    await shows('Other sessions ended', 'Session ended', 'Password changed', 'Signed in', 'Sign-in failed');
    expect(address()).toBe('/activity?kind=sign-in');
    expect(choices('What')).toEqual([
      'What: anything',
      'Sign in',
      'Change password',
      'Set up authenticator app',
      'Remove authenticator app',
      'Add passkey',
      'Remove passkey',
      'New recovery codes',
      'End a session',
      'End other sessions',
    ]);
    await user.selectOptions(screen.getByRole('combobox', { name: 'What' }), 'Change password');
    await shows('Password changed');
    expect(address()).toBe('/activity?operation=changePassword');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Changes');
    await shows('Deleted', 'Edit', 'Edited');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Kind: any');
    await waitFor(() => expect(address()).toBe('/activity'));
  });

  it('can be filtered by the account that entries are about, and sign-ins by whether they failed', async () => {
    const { user, address, cache } = await openEvents('/activity?kind=staff');
    const all = ['Password reset', 'Signed out everywhere', ...changes, 'Account added'];
    await shows(...all);
    expect(screen.queryByRole('combobox', { name: 'Outcome' })).toBeNull();
    await send('POST', '/staff', { name: 'Jonas', role: 'viewer' }, {}, '/bff');
    await cache.invalidateQueries();
    await shows('Account added', ...all);
    await user.selectOptions(screen.getByRole('combobox', { name: 'About' }), 'Jonas');
    await shows('Account added');
    expect(address()).toMatch(/^\/activity\?about=[\w-]+&kind=staff$/);
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Sign-in');
    await shows('Other sessions ended', 'Session ended', 'Password changed', 'Signed in', 'Sign-in failed');
    expect(screen.queryByRole('combobox', { name: 'About' })).toBeNull();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'Failed');
    await shows('Sign-in failed');
    expect(address()).toBe('/activity?kind=sign-in&outcome=refused');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Staff');
    await waitFor(() => expect(address()).toBe('/activity?kind=staff'));
  });

  it('has the entries of a subscriber in the pane too, without a button to undo them', async () => {
    const page = await openEvents();
    page.goTo('/subscribers/1');
    const activity = await paneActivity();
    const entry = (await activity.findByText('Token shown')).closest('li') ?? document.body;
    expect(entry.textContent).toMatch(/Token shown by Kari$/);
    expect(within(entry).queryByRole('button')).toBeNull();
  });
});

test('more entries than a page has are paged, and the address has the page', async () => {
  const page = await openActivity();
  for (let place = 0; place < 23; place += 1) await send('PUT', '/subscribers/1', { note: `No. ${place}` });
  page.goTo('/activity?subscriber=%231');
  await waitFor(() => expect(journalRows().map(([, , what]) => what)).toHaveLength(24));
  page.goTo('/activity');
  await page.cache.invalidateQueries();
  await waitFor(() => expect(journalRows().map(([, , what]) => what)).toHaveLength(25));
  await page.user.click(button('Next page'));
  await waitFor(() => expect(journalRows().map(([, , what]) => what)).toHaveLength(1));
  expect(page.address()).toBe('/activity?page=2');
  screen.getByText('Page 2 of 2');
});

test('an entry can be undone from its row', async () => {
  const { user, saved } = await openActivity();
  await shows('Deleted', 'Edit', 'Edited');
  const row = screen.getByRole('link', { name: 'anna' }).closest('tr') ?? document.body;
  await user.click(within(row).getByRole('button', { name: 'Undo' }));
  await user.click(within(await appears('dialog')).getByRole('button', { name: 'Undo' }));
  await screen.findByText('Undone: anna is as it was before.');
  await shows('Edited (undo)', 'Deleted', 'Edit', 'Editedundone');
  expect((await saved()).note).toBe(anna.note);
});

test('the page says so if there is no activity, and a viewer can open it', async () => {
  const { user } = await openApp('/subscribers', { people: [anna], role: 'viewer' });
  await user.click(await appears('link', 'Activity'));
  await appears('heading', 'No activity yet');
  expect(document.title).toBe('Activity · Subscriber Desk');
});

describe('the export of the activity', () => {
  it('has the entries that match the filters, under the day, and can be stopped meanwhile', async () => {
    const files = catchFiles();
    const { user } = await openActivity('/activity?operation=updateSubscriber');
    const answer = holdAnswers(/activity\/export/);
    await user.click(button('Export CSV'));
    await appears('button', 'Stop');
    answer.release();
    await screen.findByText('2 entries exported.');
    await hasFocus(() => button('Export CSV'));
    const [file] = files;
    expect(file?.name).toBe('activity-2026-06-01.csv');
    const text = (await file?.blob?.text()) ?? '';
    expect(text).toContain('"Note: Calls on Mondays. → =1+1"');
    expect(text).not.toContain('Deleted');
  });

  it('has a line for each field, with times in ISO 8601 and the names of statuses', async () => {
    const files = catchFiles();
    const { user } = await openActivity('/activity?operation=deleteSubscriber');
    await shows('Deleted');
    await user.click(button('Export CSV'));
    await screen.findByText('1 entry exported.');
    const text = (await files[0]?.blob?.text()) ?? '';
    const changes = [
      'Username: p002 → (deleted)',
      'Email: p002@example.com → (deleted)',
      'Expires: 2027-06-01T12:00:00Z → (deleted)',
      'Connection limit: 1 → (deleted)',
      'Trial: false → (deleted)',
      'Note: (empty) → (deleted)',
      'HLS: true → (deleted)',
      'MPEG-TS: true → (deleted)',
      'Bundles: (empty) → (deleted)',
      'IP addresses: (empty) → (deleted)',
      'User agents: (empty) → (deleted)',
      'Countries: (empty) → (deleted)',
      'Status: Active → (deleted)',
    ];
    expect(text).toContain(changes.join('\n'));
    expect(text).toMatch(/"2026-06-01T12:00:00\.000Z","Kari","Changes","Deleted"/);
    expect(text).toContain('"Entry","Made again as ID","Job","Undoes entry","Request"');
  });

  it('has entries other than changes, with what they tell', async () => {
    const files = catchFiles();
    const page = await openActivity();
    const account = { id: 'ola', name: '=Ola' };
    const list = [{ operation: 'resetStaffPassword', staff: { id: 'terminal', name: '' }, account }] as const;
    await addEvents(page.db, createMac(journalKey), list, Date.now());
    vi.setSystemTime(Date.now() + 1000);
    await page.user.click(button('Export CSV'));
    await screen.findByText('4 entries exported.');
    const text = (await files[0]?.blob?.text()) ?? '';
    expect(text).toContain(
      '"Terminal","Staff","Password reset","","","","\'=Ola","\'=Ola got a one-time password."',
    );
  });

  it('is recorded, and saves nothing if it cannot be', async () => {
    const files = catchFiles();
    const { user, cache } = await openActivity();
    await shows('Deleted', 'Edit', 'Edited');
    const mend = cutNetwork(/\/bff\/activity\/export/);
    await user.click(button('Export CSV'));
    await screen.findByText(/^Nothing was saved\./);
    expect(files).toEqual([]);
    mend();
    await user.click(button('Export CSV'));
    await waitFor(() => expect(files).toHaveLength(1));
    await cache.invalidateQueries();
    await shows('Activity exported', 'Deleted', 'Edit', 'Edited');
    expect(journalRows()[0]?.slice(1)).toEqual(['Kari', 'Activity exported', '', '3 entries', 'Done']);
  });
});
