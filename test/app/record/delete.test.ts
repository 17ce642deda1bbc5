import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shows } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { button, dialog, disappears, hasFocus, openApp } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';
import { anna, person } from '../../support/people.ts';

async function askToDelete() {
  const page = await openApp('/subscribers/1?sort=username', { people: [anna, person('bjarne')] });
  await (await pane('anna')).findByText('Norway');
  await page.user.click(button('Delete…'));
  const remaining = async () =>
    (await page.service.listSubscribers({ query: {} })).data.items.map((one) => one.username);
  return { ...page, remaining, shown: await dialog('Delete anna?') };
}

test('the dialog names the subscriber to delete, and Cancel deletes nothing', async () => {
  const { user, shown, remaining } = await askToDelete();
  expect(shown.getByText(/^This removes/).textContent).toContain('anna (#1, anna@example.com)');
  await user.click(shown.getByRole('button', { name: 'Cancel' }));
  await disappears('dialog', 'Delete anna?');
  await hasFocus(() => button('Delete…'));
  expect(await remaining()).toEqual(['anna', 'bjarne']);
});

test('the dialog stays when its event of an earlier closing comes late', async () => {
  const { user, shown } = await askToDelete();
  // As browsers send it where React, in development, closes and opens it at first.
  screen.getByRole('dialog').dispatchEvent(new Event('close'));
  await user.type(shown.getByRole('textbox', { name: 'Reason (optional)' }), 'By phone');
  await dialog('Delete anna?');
});

test('Enter in the reason field deletes, with the reason', async () => {
  const { user, shown, remaining, requested } = await askToDelete();
  expect(document.activeElement).toBe(shown.getByRole('textbox', { name: 'Reason (optional)' }));
  await user.keyboard('Asked for by phone.{Enter}');
  await screen.findByText('anna was deleted.');
  expect(requested(/^DELETE/)).toHaveLength(1);
  expect(await remaining()).toEqual(['bjarne']);
});

test('a deleted subscriber disappears from the page and the service, and a toast says so', async () => {
  const { user, shown, remaining, address } = await askToDelete();
  await user.click(shown.getByRole('button', { name: 'Delete subscriber' }));
  await screen.findByText('anna was deleted.');
  await disappears('complementary', 'anna');
  await shows('bjarne');
  expect(address()).toBe('/subscribers?sort=username');
  expect(await remaining()).toEqual(['bjarne']);
  await hasFocus(() => screen.getByRole('heading', { name: /^Subscribers/ }));
});

test('the dialog stays open while it deletes, and sends nothing twice', async () => {
  const { user, shown, requested } = await askToDelete();
  const answer = holdAnswers(/^DELETE \/api/);
  await user.click(shown.getByRole('button', { name: 'Delete subscriber' }));
  await user.click(shown.getByRole('button', { name: 'Deleting…' }));
  await user.keyboard('{Escape}');
  await dialog('Delete anna?');
  expect(screen.queryByText('anna was deleted.')).toBeNull();
  answer.release();
  await screen.findByText('anna was deleted.');
  expect(requested(/^DELETE \/api/)).toHaveLength(1);
});

test('a subscriber that someone else changed after the pane opened is not deleted', async () => {
  const { user, shown, remaining, service } = await askToDelete();
  await service.updateSubscriber({ params: { id: 1 }, body: { note: 'Paid for another year.' } });
  await user.click(shown.getByRole('button', { name: 'Delete subscriber' }));
  await shown.findByText(/^The subscriber wasn’t deleted: someone changed this subscriber/);
  expect(await remaining()).toEqual(['anna', 'bjarne']);
});
