import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { paneActivity, send, toasts } from '../../support/app/activity.ts';
import { cutNetwork } from '../../support/app/network.ts';
import { button, dialog, disappears } from '../../support/app/page.tsx';
import { openPane as openAnna } from '../../support/app/pane.ts';
import { anna } from '../../support/people.ts';

async function openPane() {
  const page = await openAnna();
  /** Extends anna by a week, which leaves an entry. */
  const extend = async () => {
    await page.user.click(button(/^\+7 days/));
    await toasts().findByText(/^anna now expires on/);
    await (await paneActivity()).findByText(/^7 Jan 2027$/, { selector: 'ins' });
  };
  return { ...page, extend };
}

const entries = async () =>
  (await paneActivity()).getAllByRole('listitem').filter((item) => item.querySelector('time'));

test('the pane lists each change with its time, person, fields and reason', async () => {
  const { user, shown, extend } = await openPane();
  await (await paneActivity()).findByText('No changes yet');
  await extend();
  await user.click(button('Regenerate token…'));
  const asking = await dialog('Regenerate access token');
  await user.click(asking.getByRole('textbox', { name: 'Reason (optional)' }));
  await user.paste('Lost phone ✓');
  await user.click(asking.getByRole('button', { name: 'Regenerate token' }));
  await user.click(await screen.findByRole('button', { name: 'Done' }));
  await (await paneActivity()).findByText('Token regenerated');
  const [token, expiry] = (await entries()).map((entry) => entry.textContent);
  expect(token).toContain('by Kari');
  expect(token).toContain('“Lost phone ✓”');
  expect(expiry).toContain('Expires 31 Dec 2026 → ');
  expect(expiry).toContain('7 Jan 2027');
  expect(shown.getAllByTitle('1 Jun 2026, 14:00 (12:00 UTC)').length).toBeGreaterThan(0);
});

test('an entry is undone after a confirmation that shows the fields, and says that it is undone', async () => {
  const { user, extend, saved } = await openPane();
  await extend();
  const undo = (await paneActivity()).getByRole('button', { name: 'Undo' });
  await user.click(undo);
  const asking = await dialog('Undo this change?');
  expect(asking.getByText(/^This changes/).textContent).toBe('This changes anna back:');
  expect(asking.getByRole('listitem').textContent).toBe('Expires 7 Jan 2027 →  is now 31 Dec 2026');
  await user.click(asking.getByRole('button', { name: 'Undo' }));
  await toasts().findByText('Undone: anna is as it was before.');
  await disappears('dialog', 'Undo this change?');
  expect((await saved()).expiresAt).toBe(anna.expiresAt);
  const shown = await paneActivity();
  await shown.findByText(/^Edited \(undo\)/);
  const [newest, first] = await entries();
  expect(within(newest ?? document.body).getByRole('button', { name: 'Undo' }).title).toBe('');
  expect(first?.textContent).toContain('· undone');
  expect(within(first ?? document.body).getByRole('button', { name: 'Undo' }).title).toBe(
    'This change was already undone.',
  );
});

describe('an undo that is refused', () => {
  it('names the field that someone changed later, and changes nothing', async () => {
    const { user, extend, service, saved } = await openPane();
    await extend();
    await service.updateSubscriber({ params: { id: 1 }, body: { expiresAt: '2028-01-01T00:00:00.000Z' } });
    await user.click(toasts().getByRole('button', { name: 'Undo' }));
    await toasts().findByText(
      'Nothing was undone: someone changed Expires later. Edit the subscriber instead.',
    );
    expect((await saved()).expiresAt).toBe('2028-01-01T00:00:00.000Z');
  });

  it('says so if it was the user’s own change', async () => {
    const { user, extend } = await openPane();
    await extend();
    const undoFirst = toasts().getByRole('button', { name: 'Undo' });
    await user.click(button('Pick a date…'));
    await user.click((await dialog('Set expiry for anna')).getByRole('button', { name: 'Set expiry' }));
    await toasts().findByText(/^anna now expires on 7 Feb 2027/);
    await user.click(undoFirst);
    await toasts().findByText('Nothing was undone: you changed Expires later (14:00). Undo that first.');
    // The entries in the pane know it before, until the later change is undone.
    const undos = async () => (await paneActivity()).findAllByRole('button', { name: 'Undo' });
    const reasons = async () => (await undos()).map(({ title }) => title);
    await waitFor(async () =>
      expect(await reasons()).toEqual(['', 'You changed Expires again later. Undo that first.']),
    );
    await user.click((await undos())[0] ?? document.body);
    await user.click((await dialog('Undo this change?')).getByRole('button', { name: 'Undo' }));
    await toasts().findByText('Undone: anna is as it was before.');
    await waitFor(async () => expect((await reasons()).at(-1)).toBe(''));
  });
});

test('the record stays if the activity cannot be loaded, which can be tried again', async () => {
  const mend = cutNetwork(/\/bff\/activity/);
  const { user, shown } = await openPane();
  const activity = await paneActivity();
  await activity.findByText(/^Couldn’t load the activity\./);
  mend();
  await user.click(activity.getByRole('button', { name: 'Try again' }));
  await activity.findByText('No changes yet');
  shown.getByText('Norway');
});

test('the oldest entry that the pane shows leaves the focus in the page when its undo takes its place', async () => {
  const { user } = await openPane();
  const changes = [
    { note: 'New.' },
    { maxConnections: 4 },
    { hls: false },
    { countries: ['DK'] },
    { bundles: [8] },
  ];
  for (const body of changes) await send('PUT', '/subscribers/1', body);
  document.dispatchEvent(new Event('visibilitychange'));
  const pane = await paneActivity();
  await pane.findByText(/Bundles/);
  await user.click(pane.getAllByRole('button', { name: 'Undo' }).at(-1) ?? document.body);
  await user.click((await dialog('Undo this change?')).getByRole('button', { name: 'Undo' }));
  await pane.findByText(/^Edited \(undo\)/);
  await waitFor(async () => expect((await entries()).at(-1)?.textContent).toContain('Connection limit'));
  expect(document.activeElement).not.toBe(document.body);
});
