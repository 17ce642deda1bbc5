import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { send, toasts } from '../../support/app/activity.ts';
import { appears, button, dialog, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { addEntries } from '../../support/bff/entries.ts';
import { journalKey } from '../../support/desk.ts';
import { anna, person } from '../../support/people.ts';

/** The page of Anna, whom Kari has deleted, with a reason. */
async function openGone({ job = false } = {}) {
  const page = await openApp('/subscribers', { people: [anna, person('berta')], role: 'manager' });
  await appears('link', 'anna');
  await send('DELETE', '/subscribers/1', undefined, { 'X-Change-Reason': 'Duplicate' });
  if (job) await page.db.updateTable('journal').set({ job_id: 'job-1' }).execute();
  page.goTo('/subscribers/1');
  await appears('heading', 'This subscriber doesn’t exist');
  return page;
}

const lastRecord = async () =>
  (await screen.findByLabelText('Last record')).textContent.replaceAll(/\s+/g, ' ');

test('a deleted subscriber’s page says who deleted it, when and why, and has its last record', async () => {
  const { service } = await openGone();
  await screen.findByText(/^Kari deleted anna on 1 Jun 2026, 14:00\. The reason was “Duplicate”\./);
  const record = await lastRecord();
  for (const text of [
    'Usernameanna',
    'Emailanna@example.com',
    'Connection limit3',
    'Trialon',
    'NoteCalls on Mondays.',
    'Bundles30, 7',
    'IP addresses192.0.2.0/24',
    'User agentsVLC/3.0',
    'CountriesNorway, Sweden',
    'StatusActive',
  ])
    expect(record).toContain(text);
  expect(record).toMatch(/Access token•+[\w-]{4}$/);
  expect((await service.listSubscribers({ query: {} })).data.totalCount).toBe(1);
});

test('a subscriber that a job deleted has a link to the job', async () => {
  await openGone({ job: true });
  await screen.findByText(/^Kari deleted anna on 1 Jun 2026, 14:00, /);
  expect((await appears('link', 'part of a job')).getAttribute('href')).toBe('/jobs/job-1');
});

test('a deleted subscriber can be made again, with a warning before that ID and token are new, and a link after', async () => {
  const { user, address } = await openGone();
  await user.click(await appears('button', 'Make again…'));
  screen.getByText('Creates the subscriber again, with a new ID and access token.');
  const asking = await dialog('Make anna again?');
  asking.getByText(/with a new ID and access token\.$/);
  await user.click(asking.getByRole('button', { name: 'Make again' }));
  await appears('link', '#3');
  expect(screen.queryByRole('button', { name: 'Make again…' })).toBeNull();
  await toasts().findByText('Undone: anna was created again as #3, with a new access token.');
  await hasFocus(() => link('#3'));
  await user.click(link('#3'));
  await appears('complementary', 'anna');
  expect(address()).toBe('/subscribers/3');
});

test('a deleted subscriber’s page says where the subscriber is if somebody else made it again', async () => {
  const page = await openGone();
  await appears('button', 'Make again…');
  const [entry] = await page.db.selectFrom('journal').select('id').execute();
  await send('POST', `/activity/${entry?.id}/undo`, undefined, {}, '/bff');
  await page.cache.invalidateQueries();
  expect((await appears('link', '#3')).getAttribute('href')).toBe('/subscribers/3');
  expect(screen.queryByRole('button', { name: 'Make again…' })).toBeNull();
});

test('support staff see the last record, and why they cannot make it again', async () => {
  const { db, goTo } = await openApp('/subscribers', { people: [], role: 'support' });
  await appears('heading', 'No subscribers yet');
  const deletion = { operation: 'deleteSubscriber', outcome: 'done' } as const;
  await addEntries(db, createMac(journalKey), [deletion], Date.now());
  goTo('/subscribers/1');
  await screen.findByText(/^Name 0 deleted user-0 on/);
  expect(await lastRecord()).toBe('Noteold');
  expect(button('Make again…').title).toBe('Only managers can delete subscribers.');
});

test('the entry that a deleted subscriber’s page leads to shows what was taken away, in a few words and as a whole', async () => {
  const { user, address } = await openGone();
  await user.click(await appears('link', 'See the entry'));
  await appears('table', 'Activity');
  expect(address()).toBe('/activity?subscriber=%231');
  const row = (await appears('link', 'anna')).closest('tr') ?? document.body;
  expect(row.textContent).toMatch(/anna@example\.com, expires .*2026.*, Active → +is now deleted/);
  expect(within(row).queryByLabelText('Last record')).toBeNull();
  await user.click(button('Show last record'));
  expect(await lastRecord()).toContain('CountriesNorway, Sweden');
  await user.click(button('Hide last record'));
  await waitFor(() => expect(screen.queryByLabelText('Last record')).toBeNull());
});
