import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { openDesk, suspend } from '../../support/app/desk.ts';
import { announced, shows } from '../../support/app/list.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { appears, button, dialog, hasFocus, renderApp } from '../../support/app/page.tsx';
import { openWithViews, savedViews, saveView } from '../../support/app/views.ts';
import { person } from '../../support/people.ts';

const people = [
  person('anna', { expiresAt: '2026-02-01T00:00:00Z' }),
  person('bjarne'),
  person('cecilie', { isTrial: true }),
];

/** The list with views that managers shared and one of the user’s own. */
async function openShared(role: Role, ...names: string[]) {
  const desk = await openDesk({ role, people });
  await suspend(desk, 'anna');
  const query = JSON.stringify({ StatusId: '2', Expired: 'true', SortBy: 'expiresAt' });
  const shared = names.map((name, place) => ({ owner: '*', id: `s${place}`, place, name, query }));
  const own = { owner: 'tab', id: 'own', place: 0, name: 'Mine', query: '{}' };
  await desk.db
    .insertInto('views')
    .values([...shared, own])
    .execute();
  return { ...desk, ...renderApp('/subscribers') };
}

async function manage({ user }: Pick<Awaited<ReturnType<typeof openShared>>, 'user'>) {
  await user.click(await appears('button', 'Manage views'));
  return dialog('Manage views');
}

test('a manager shares a view by saving it, and it comes before their own ones', async () => {
  const page = await openWithViews(['anna'], { people });
  page.goTo('/subscribers?sort=username_desc');
  const rereads = holdAnswers(/^GET \/bff\/views/);
  await saveView(page, 'Z to A', true);
  await screen.findByText('View “Z to A” was saved for everybody.');
  await waitFor(() => expect(savedViews()).toEqual(['Z to A3', 'anna1']));
  rereads.release();
  const rows = await page.db.selectFrom('views').select(['owner', 'name']).orderBy('owner').execute();
  expect(rows).toEqual([
    { owner: '*', name: 'Z to A' },
    { owner: 'tab', name: 'anna' },
  ]);
});

test('support staff open shared views, see what each filters, and cannot share, update or change them', async () => {
  const page = await openShared('support', 'Late');
  await page.user.click(await appears('link', 'Late1'));
  await shows('anna');
  await page.user.click(button('Username'));
  await page.user.click(await appears('button', 'Save view'));
  expect(screen.queryByRole('button', { name: /^Update view/ })).toBeNull();
  const form = await dialog('Save view');
  expect(form.queryByRole('checkbox')).toBeNull();
  await page.user.keyboard('{Escape}');
  const views = await manage(page);
  views.getByText('Only managers can change shared views.');
  await views.findByText('Status Suspended, expired · sorted by expiry');
  views.getByText('All subscribers');
  const shared = within(views.getByRole('list', { name: 'Shared with everybody' }));
  expect(shared.getAllByRole('listitem')).toHaveLength(1);
  expect(shared.queryAllByRole('button')).toEqual([]);
  expect(views.getAllByRole('button', { name: /Mine/ }).map((one) => one.getAttribute('aria-label'))).toEqual(
    ['Move Mine up', 'Move Mine down', 'Rename Mine', 'Delete Mine'],
  );
});

test('a manager updates a shared view', async () => {
  const page = await openShared('manager', 'Late');
  await page.user.click(await appears('link', 'Late1'));
  await shows('anna');
  await page.user.click(button('Username'));
  await page.user.click(await appears('button', 'Update view “Late”'));
  await screen.findByText('View “Late” was updated.');
  expect(savedViews()).toEqual(['Late1', 'Mine3']);
});

test('a manager shares an own view and stops it at once, and the focus stays on the button', async () => {
  const page = await openShared('manager', 'Late');
  const views = await manage(page);
  const rereads = holdAnswers(/^GET \/bff\/views/);
  await page.user.click(views.getByRole('button', { name: 'Share Mine with everybody' }));
  await waitFor(() => expect(announced()).toContain('Everybody has Mine now.'));
  const stop = () => views.getByRole('button', { name: 'Stop sharing Mine' });
  await hasFocus(stop);
  await waitFor(() => expect(savedViews()).toEqual(['Late1', 'Mine3']));
  expect((await page.sent(/^PUT/)).body).toEqual({ shared: true });
  await page.user.click(views.getByRole('button', { name: 'Stop sharing Late' }));
  await waitFor(() => expect(savedViews()).toEqual(['Mine3', 'Late1']));
  expect(announced()).toContain('Only you have Late now.');
  expect(within(views.getByRole('list', { name: 'Your views' })).getByText('Late')).toBeTruthy();
  rereads.release();
});

test('a view whose name a shared one has is not shared, with the reason', async () => {
  const page = await openShared('manager', 'mine');
  const views = await manage(page);
  await page.user.click(views.getByRole('button', { name: 'Share Mine with everybody' }));
  await views.findByText('There is already a shared view with this name. Choose another name.');
  await waitFor(() => expect(savedViews()).toEqual(['mine1', 'Mine3']));
});

test('shared views move among themselves, and one is deleted for everybody', async () => {
  const page = await openShared('manager', 'Late', 'Later');
  const views = await manage(page);
  const last = views.getByRole('button', { name: 'Move Later down' });
  expect(last.getAttribute('aria-disabled')).toBe('true');
  await page.user.click(views.getByRole('button', { name: 'Move Later up' }));
  await waitFor(() => expect(savedViews()).toEqual(['Later1', 'Late1', 'Mine3']));
  expect(announced()).toContain('Later is now in position 1 of 2.');
  await page.user.click(views.getByRole('button', { name: 'Delete Later' }));
  views.getByText('Delete “Later” for everybody?');
  await page.user.click(views.getByRole('button', { name: 'Delete view' }));
  await waitFor(() => expect(savedViews()).toEqual(['Late1', 'Mine3']));
});
