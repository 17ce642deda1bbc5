import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { announced, shows, toggleFilter } from '../../../support/app/list.ts';
import { cutNetwork, loseAnswers } from '../../../support/app/network.ts';
import {
  appears,
  button,
  dialog,
  disappears,
  hasFocus,
  openDashboard,
  openPage,
} from '../../../support/app/page.tsx';
import { currentViews, openWithViews, savedViews, saveView } from '../../../support/app/views.ts';
import { person } from '../../../support/people.ts';

const people = [
  person('anna', { isTrial: true }),
  person('bjarne', { expiresAt: '2026-02-01T00:00:00Z' }),
  person('cecilie', { expiresAt: '2026-01-01T00:00:00Z', isTrial: true }),
];
const listHeading = () => screen.getByRole('heading', { name: /^Subscribers/ });
const openWith = (...names: string[]) => openWithViews(names, { people });

test('saving a view keeps the current filters and order, and a click restores them', async () => {
  const page = await openPage('/subscribers?expired=true&sort=username_desc&page=1&pageSize=50', { people });
  await saveView(page, 'Late ones');
  await waitFor(() => expect(savedViews()).toEqual(['Late ones2']));
  expect(currentViews()).toEqual(['Late ones']);
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull();
  await page.user.click(screen.getByRole('link', { name: 'All' }));
  await shows('cecilie', 'bjarne', 'anna');
  await page.user.click(screen.getByRole('link', { name: /^Late ones/ }));
  await shows('cecilie', 'bjarne');
  expect(page.address()).toBe('/subscribers?expired=true&sort=username_desc&pageSize=50');
  expect((await page.sent(/^POST \/bff\/views/)).body).toEqual({
    name: 'Late ones',
    query: { Expired: 'true', SortBy: 'username_desc' },
  });
});

test('saved views are available in another browser, without another request', async () => {
  const page = await openWith('anna');
  document.body.replaceChildren();
  const asked = page.asked(/bff\/views/).length;
  openDashboard('/subscribers?username=anna');
  await appears('link', 'anna1');
  expect(page.asked(/bff\/views/)).toHaveLength(asked);
});

test('after saving a view, the focus is on the heading of the list', async () => {
  const page = await openPage('/subscribers?trial=true', { people });
  await saveView(page, 'Trials');
  await disappears('dialog', 'Save view');
  await disappears('button', 'Save view');
  await hasFocus(listHeading);
});

test('“Save view” shows only if the current list is not a view', async () => {
  const page = await openPage('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  expect(screen.queryByRole('button', { name: /view/ })).toBeNull();
  await toggleFilter(page.user, 'Trial');
  await appears('button', 'Save view');
  await toggleFilter(page.user, 'Expired');
  await disappears('button', 'Save view');
});

test('the count of a saved view changes after a deletion', async () => {
  const page = await openWith('anna');
  await appears('link', 'anna1');
  await page.service.deleteSubscriber({ params: { id: 1 } });
  void page.cache.invalidateQueries({ queryKey: ['listSubscribers'] });
  await appears('link', 'anna0');
});

test('an empty or taken name of a view is refused at its field, and the dialog stays', async () => {
  const page = await openWith('anna');
  page.goTo('/subscribers?trial=true');
  await page.user.click(await appears('button', 'Save view'));
  const form = await dialog('Save view');
  await page.user.click(form.getByRole('button', { name: 'Save view' }));
  await form.findByText('Enter a name.');
  await page.user.type(form.getByRole('textbox', { name: 'Name' }), 'ANNA{Enter}');
  await form.findByText('You already have a view with this name. Choose another name.');
  expect(savedViews()).toEqual(['anna1']);
});

test('an access token is refused as the name of a view', async () => {
  const page = await openPage('/subscribers?trial=true', { people });
  await saveView(page, `${'Aa1-'.repeat(10)}xyz`);
  const form = await dialog('Save view');
  await form.findByText('This contains an access token, which is secret. Remove it.');
  expect(page.asked(/^POST/)).toEqual([]);
});

test('a view is not reported as saved if no answer came', async () => {
  const page = await openPage('/subscribers?trial=true', { people });
  const mend = loseAnswers(/^POST \/bff\/views/);
  await saveView(page, 'Trials');
  const form = await dialog('Save view');
  await form.findByText(/^We don’t know whether the view was saved/);
  mend();
  // It was saved, and the reloaded list shows it.
  await waitFor(() => expect(savedViews()).toEqual(['Trials2']));
});

test('views can be moved by keyboard, and the focus stays on the button', async () => {
  const page = await openWith('anna', 'bjarne', 'cecilie');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  const up = () => manage.getByRole('button', { name: 'Move cecilie up' });
  up().focus();
  await page.user.keyboard('{Enter}');
  await waitFor(() => expect(announced()).toContain('cecilie is now in position 2 of 3.'));
  await hasFocus(up);
  await page.user.keyboard('{Enter}');
  await waitFor(() => expect(savedViews()).toEqual(['cecilie1', 'anna1', 'bjarne1']));
  await hasFocus(up);
  const asked = page.asked(/^PUT/).length;
  await page.user.keyboard('{Enter}');
  expect(page.asked(/^PUT/)).toHaveLength(asked);
});

test('a view can be renamed, or keep its name', async () => {
  const page = await openWith('anna');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  await page.user.click(manage.getByRole('button', { name: 'Rename anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Cancel' }));
  await hasFocus(() => manage.getByRole('button', { name: 'Rename anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Rename anna' }));
  const name = manage.getByRole('textbox', { name: 'Name' });
  await page.user.clear(name);
  await page.user.type(name, '{Enter}');
  await manage.findByText('Enter a name.');
  await page.user.type(name, 'Trial Anna{Enter}');
  await waitFor(() => expect(savedViews()).toEqual(['Trial Anna1']));
});

test('a view is deleted after a confirmation', async () => {
  const page = await openWith('anna', 'bjarne');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  await page.user.click(manage.getByRole('button', { name: 'Delete anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Cancel' }));
  expect(page.asked(/^DELETE/)).toEqual([]);
  await page.user.click(manage.getByRole('button', { name: 'Delete anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Delete view' }));
  await waitFor(() => expect(savedViews()).toEqual(['bjarne1']));
});

test('the last view can be deleted, and the dialog stays open', async () => {
  const page = await openWith('anna');
  page.goTo('/subscribers');
  await shows('anna', 'bjarne', 'cecilie');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  await page.user.click(manage.getByRole('button', { name: 'Delete anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Delete view' }));
  await manage.findByText(/^No saved views\./);
  expect(savedViews()).toEqual([]);
  await page.user.click(manage.getByRole('button', { name: 'Done' }));
  await hasFocus(listHeading);
});

test('a view that cannot be moved stays in place, with the reason', async () => {
  const page = await openWith('anna', 'bjarne');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  cutNetwork(/^PUT/);
  await page.user.click(manage.getByRole('button', { name: 'Move anna down' }));
  await manage.findByText(/^We don’t know whether the view was moved/);
  expect(savedViews()).toEqual(['anna1', 'bjarne1']);
});
