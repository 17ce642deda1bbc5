import { screen, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { suspend } from '../../support/app/desk.ts';
import { toasts } from '../../support/app/activity.ts';
import { fillNew, openForm } from '../../support/app/form.ts';
import { shows } from '../../support/app/list.ts';
import { loseAnswers } from '../../support/app/network.ts';
import { button, dialog, openApp } from '../../support/app/page.tsx';
import { openPane as openOne } from '../../support/app/pane.ts';
import { anna } from '../../support/people.ts';

async function openPane(role: Role = 'manager') {
  const page = await openOne({ role });
  const now = async () => (await page.saved()).expiresAt;
  const everybody = async () => (await page.service.listSubscribers({ query: {} })).data.items;
  return { ...page, now, everybody };
}

const undo = () => toasts().findByRole('button', { name: 'Undo' });

test('an extension is undone from its toast, and the undo from the next toast', async () => {
  const { user, now } = await openPane('support');
  await user.click(button(/^\+7 days/));
  const offered = await undo();
  expect(offered.title).toBe('Sets the fields back to what they were.');
  await user.click(offered);
  await toasts().findByText('Undone: anna is as it was before.');
  expect(await now()).toBe(anna.expiresAt);
  await user.click(await undo());
  await screen.findByText('7 Jan 2027, 23:00');
  expect(await now()).toBe('2027-01-07T22:00:00.000Z');
});

test('undoing a deletion creates the subscriber with a new id and token, as the dialog said before', async () => {
  const { user, everybody, people } = await openPane();
  await user.click(button('Delete…'));
  const asking = await dialog('Delete anna?');
  asking.getByText('You can’t fully undo this: it would get a new ID and access token.');
  await user.click(asking.getByRole('button', { name: 'Delete subscriber' }));
  await toasts().findByText('anna was deleted.');
  await user.click(await undo());
  await toasts().findByText('Undone: anna was created again as #2, with a new access token.');
  await shows('anna');
  const [again] = await everybody();
  expect(again).toMatchObject({ id: 2, note: anna.note, expiresAt: anna.expiresAt });
  expect(again?.accessToken).not.toBe(people[0]?.accessToken);
});

test.each<[Role, number]>([
  ['manager', 1],
  ['support', 0],
])('a creation can be undone only by users who may delete: %s', async (role, offers) => {
  const { user, service } = await openForm('/subscribers/new', { role });
  await fillNew(user);
  await user.click(button('Create subscriber'));
  await toasts().findByText('bjarne was created.');
  expect(toasts().queryAllByRole('button', { name: 'Undo' })).toHaveLength(offers);
  if (offers === 0) return;
  await user.click(await undo());
  await toasts().findByText('Undone: bjarne was deleted.');
  expect((await service.listSubscribers({ query: {} })).data.items).toMatchObject([{ username: 'anna' }]);
});

test('an undo whose answer is lost is shown as unconfirmed until the answer is known, and is done once', async () => {
  const { user, now, keys } = await openPane();
  await user.click(button(/^\+7 days/));
  const mend = loseAnswers(/\/undo$/);
  await user.click(await undo());
  await toasts().findByText(/^We don’t know yet whether this was undone\./);
  const again = await toasts().findByRole('button', { name: 'Check now' });
  mend();
  await user.click(again);
  await toasts().findByText('Undone: anna is as it was before.');
  expect(await now()).toBe(anna.expiresAt);
  expect(new Set(keys(/\/undo$/)).size).toBe(1);
});

test.each([
  ['support', '/subscribers/1/edit', 'You can undo this after saving.'],
  ['support', '/subscribers/new', 'Only a manager can undo this.'],
  ['manager', '/subscribers/new', 'You can undo this after saving.'],
] as const)('a form says to %s at %s: “%s”', async (role, address, sentence) => {
  await openApp(address, { people: [anna], role });
  await screen.findByText(sentence);
});

test('a toast with an Undo button can be dismissed', async () => {
  const { user } = await openPane();
  await user.click(button(/^\+7 days/));
  await undo();
  await user.click(toasts().getByRole('button', { name: 'Dismiss' }));
  expect(toasts().queryByText(/./)).toBeNull();
});

describe('the undo of the deletion of a subscriber who was not active', () => {
  async function openBlocked(role: Role = 'manager') {
    const page = await openPane(role);
    await suspend(page, 'anna');
    await page.cache.invalidateQueries();
    await screen.findByText(/^Probably can’t watch: status Suspended\./);
    return page;
  }

  it('says in the toast what becomes of the status, before and after', async () => {
    const { user, everybody } = await openBlocked();
    await user.click(button('Delete…'));
    await user.click((await dialog('Delete anna?')).getByRole('button', { name: 'Delete subscriber' }));
    await toasts().findByText('anna was deleted. It was Suspended. Undoing this makes it Active.');
    await user.click(await undo());
    await toasts().findByText(/^Undone: anna was created again as #2/);
    expect(await everybody()).toMatchObject([{ id: 2, status: 1 }]);
  });

  it('says it in the dialog, with the reason of the deletion', async () => {
    const { user, goTo } = await openBlocked();
    await user.click(button('Delete…'));
    const asking = await dialog('Delete anna?');
    await user.type(asking.getByLabelText('Reason (optional)'), 'Fraud');
    await user.click(asking.getByRole('button', { name: 'Delete subscriber' }));
    await toasts().findByText(/^anna was deleted\./);
    goTo('/activity');
    const table = within(await screen.findByRole('table', { name: 'Activity' }));
    await user.click(await table.findByRole('button', { name: 'Undo' }));
    const shown = await dialog('Undo this change?');
    shown.getByText('It was Suspended. Undoing this makes it Active.');
    shown.getByText('Kari deleted it with the reason “Fraud”.');
  });
});

test('the undo of a manager’s deletion is off for support, and says why', async () => {
  const page = await openPane('support');
  await page.as('manager', 'Marit').api.deleteSubscriber({ params: { id: 1 } });
  page.goTo('/activity?subscriber=%231');
  const table = within(await screen.findByRole('table', { name: 'Activity' }));
  const off = await table.findByRole('button', { name: 'Undo' });
  expect([off.ariaDisabled, off.title]).toEqual(['true', 'Only managers can delete subscribers.']);
  await page.user.click(off);
  expect(screen.queryByRole('dialog')).toBeNull();
});
