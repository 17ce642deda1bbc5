import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { announced, shows, toggleFilter } from '../../support/app/list.ts';
import { cutNetwork, loseAnswers } from '../../support/app/network.ts';
import {
  appears,
  button,
  dialog,
  disappears,
  hasFocus,
  renderApp,
  openApp,
} from '../../support/app/page.tsx';
import {
  currentViews,
  openWithViews,
  savedViews,
  saveView,
  trialAndExpired as people,
} from '../../support/app/views.ts';

const listHeading = () => screen.getByRole('heading', { name: /^Subscribers/ });
const openWith = (...names: string[]) => openWithViews(names, { people });

test('a view that is saved has the current filters and order, and a click restores them', async () => {
  const page = await openApp('/subscribers?expired=true&sort=username_desc&page=1&pageSize=50', { people });
  await saveView(page, 'Late ones');
  await waitFor(() => expect(savedViews()).toEqual(['Late ones2']));
  expect(currentViews()).toEqual(['Late ones']);
  await hasFocus(listHeading);
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull();
  await page.user.click(screen.getByRole('link', { name: 'All' }));
  await shows('cecilie', 'bjarne', 'anna');
  await page.user.click(screen.getByRole('link', { name: /^Late ones/ }));
  await shows('cecilie', 'bjarne');
  expect(page.address()).toBe('/subscribers?expired=true&sort=username_desc&pageSize=50');
  expect((await page.sent(/^POST \/bff\/views/)).body).toEqual({
    name: 'Late ones',
    query: { Expired: 'true', SortBy: 'username_desc' },
    hidden: '',
  });
});

test('a saved view has its count, which follows a deletion, also in another browser', async () => {
  const page = await openWith('anna');
  await page.service.deleteSubscriber({ params: { id: 1 } });
  void page.cache.invalidateQueries({ queryKey: ['listSubscribers'] });
  await appears('link', 'anna0');
  document.body.replaceChildren();
  const requested = page.requested(/bff\/views/).length;
  renderApp('/subscribers?username=anna');
  await appears('link', 'anna0');
  expect(page.requested(/bff\/views/)).toHaveLength(requested);
});

test('“Save view” shows only if the current list is not a view', async () => {
  const page = await openApp('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  expect(screen.queryByRole('button', { name: /view/ })).toBeNull();
  await toggleFilter(page.user, 'Trial');
  await appears('button', 'Save view');
  await toggleFilter(page.user, 'Expired');
  await disappears('button', 'Save view');
});

test('a name of a view that is empty, taken or a token is refused at its field, and the dialog stays', async () => {
  const page = await openWith('anna');
  page.goTo('/subscribers?trial=true');
  await page.user.click(await appears('button', 'Save view'));
  const form = await dialog('Save view');
  await page.user.click(form.getByRole('button', { name: 'Save view' }));
  await form.findByText('Enter a name.');
  for (const [name, reason] of [
    ['ANNA', 'You already have a view with this name. Choose another name.'],
    [`${'Aa1-'.repeat(10)}xyz`, 'This contains an access token, which is secret. Remove it.'],
  ] as const) {
    await page.user.clear(form.getByRole('textbox', { name: 'Name' }));
    await page.user.paste(name);
    await page.user.keyboard('{Enter}');
    await form.findByText(reason);
  }
  expect(savedViews()).toEqual(['anna1']);
});

test('a view is not reported as saved if no answer came', async () => {
  const page = await openApp('/subscribers?trial=true', { people });
  const mend = loseAnswers(/^POST \/bff\/views/);
  await saveView(page, 'Trials');
  const form = await dialog('Save view');
  await form.findByText(/^We don’t know whether the view was saved/);
  mend();
  // It was saved, and the reloaded list shows it.
  await waitFor(() => expect(savedViews()).toEqual(['Trials2']));
});

test('the views are moved by keyboard, the focus stays on the button, and a failure has its reason', async () => {
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
  const requested = page.requested(/^PUT/).length;
  await page.user.keyboard('{Enter}');
  expect(page.requested(/^PUT/)).toHaveLength(requested);
  cutNetwork(/^PUT/);
  await page.user.click(manage.getByRole('button', { name: 'Move anna down' }));
  await manage.findByText(/^We don’t know whether the view was moved/);
  expect(savedViews()).toEqual(['cecilie1', 'anna1', 'bjarne1']);
});

test('a view is renamed or keeps its name, and is deleted after a confirmation, even the last one', async () => {
  const page = await openWith('bjarne', 'anna');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  const press = (name: string) => page.user.click(manage.getByRole('button', { name }));
  await press('Rename anna');
  await press('Cancel');
  await hasFocus(() => manage.getByRole('button', { name: 'Rename anna' }));
  await press('Rename anna');
  const name = manage.getByRole('textbox', { name: 'Name' });
  await page.user.clear(name);
  await page.user.keyboard('{Enter}');
  await manage.findByText('Enter a name.');
  await page.user.paste('Trial Anna');
  await page.user.keyboard('{Enter}');
  await waitFor(() => expect(savedViews()).toEqual(['bjarne1', 'Trial Anna1']));
  await press('Delete bjarne');
  await press('Cancel');
  expect(page.requested(/^DELETE/)).toEqual([]);
  await press('Delete bjarne');
  await press('Delete view');
  await waitFor(() => expect(savedViews()).toEqual(['Trial Anna1']));
  await press('Delete Trial Anna');
  await press('Delete view');
  await manage.findByText(/^No saved views\./);
  expect(savedViews()).toEqual([]);
  await press('Done');
  await hasFocus(listHeading);
});
