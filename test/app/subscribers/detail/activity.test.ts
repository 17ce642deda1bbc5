import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Role } from '../../../../src/contract/bff/permission.ts';
import { paneActivity, toasts } from '../../../support/app/activity.ts';
import { cutNetwork } from '../../../support/app/network.ts';
import { button, dialog, disappears, openPage } from '../../../support/app/page.tsx';
import { pane } from '../../../support/app/pane.ts';
import { anna } from '../../../support/people.ts';

async function openPane(role: Role = 'manager') {
  const page = await openPage('/subscribers/1', { people: [anna], role });
  const shown = await pane('anna');
  await shown.findByText('Norway');
  const now = async () => (await page.service.getSubscriber({ params: { id: 1 }, query: {} })).data;
  /** Extends anna by a week, which leaves an entry. */
  const extend = async () => {
    await page.user.click(button(/^\+7 days/));
    await toasts().findByText(/^anna expires on/);
    await (await paneActivity()).findByText(/^7 Jan 2027$/, { selector: 'ins' });
  };
  return { ...page, shown, now, extend };
}

const entries = async () =>
  (await paneActivity()).getAllByRole('listitem').filter((item) => item.querySelector('time'));

test('the pane lists each change: when, from what to what, and by whom', async () => {
  const { user, shown, extend } = await openPane();
  await (await paneActivity()).findByText('Nothing was done here yet.');
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

test('an entry that cannot be undone says why; one that can is undone after a confirmation', async () => {
  const { user, extend, now } = await openPane();
  await extend();
  const undo = (await paneActivity()).getByRole('button', { name: 'Undo' });
  await user.click(undo);
  const asking = await dialog('Undo this change?');
  asking.getByText(/The fields go back to what they were\./);
  await user.click(asking.getByRole('button', { name: 'Undo' }));
  await toasts().findByText('anna is as it was before.');
  await disappears('dialog', 'Undo this change?');
  expect((await now()).expiresAt).toBe(anna.expiresAt);
  const shown = await paneActivity();
  await shown.findByText(/^Undo: edited/);
  const [newest, first] = await entries();
  expect(within(newest ?? document.body).getByRole('button', { name: 'Undo' }).title).toBe('');
  expect(first?.textContent).toContain('· undone');
  expect(within(first ?? document.body).getByRole('button', { name: 'Undo' }).title).toBe(
    'Cannot be undone. This was undone already.',
  );
});

describe('an undo that is refused', () => {
  test('because somebody changed the same field since, changes nothing and names the field', async () => {
    const { user, extend, service, now } = await openPane();
    await extend();
    await service.updateSubscriber({ params: { id: 1 }, body: { expiresAt: '2028-01-01T00:00:00.000Z' } });
    await user.click(toasts().getByRole('button', { name: 'Undo' }));
    await toasts().findByText(/^Somebody changed Expires since\. Nothing was undone\./);
    expect((await now()).expiresAt).toBe('2028-01-01T00:00:00.000Z');
  });

  test('because of a colleague’s change, names them', async () => {
    const { user, extend } = await openPane();
    await extend();
    const undoFirst = toasts().getByRole('button', { name: 'Undo' });
    await user.click(button('Pick a date…'));
    await user.click((await dialog('When does anna expire?')).getByRole('button', { name: 'Set expiry' }));
    await toasts().findByText(/^anna expires on 7 Feb 2027/);
    await user.click(undoFirst);
    await toasts().findByText(
      'Kari (on 1 Jun 2026, 14:00) changed Expires since. Nothing was undone. Look at the subscriber, and change it by hand.',
    );
  });
});

test('entries that cannot be loaded can be tried again, and the record stays', async () => {
  const mend = cutNetwork(/\/bff\/activity/);
  const { user, shown } = await openPane();
  const activity = await paneActivity();
  await activity.findByText(/^Couldn’t load the activity\./);
  mend();
  await user.click(activity.getByRole('button', { name: 'Try again' }));
  await activity.findByText('Nothing was done here yet.');
  shown.getByText('Norway');
});
