import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { announced, shows } from '../../../support/app/list.ts';
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
import { person } from '../../../support/people.ts';

const people = [
  person('anna', { isTrial: true }),
  person('bjarne', { expiresAt: '2026-02-01T00:00:00Z' }),
  person('cecilie', { expiresAt: '2026-01-01T00:00:00Z', isTrial: true }),
];
const links = () => within(screen.getByRole('navigation', { name: 'Views' })).getAllByRole('link');
const own = () => links().slice(4);
const names = () => own().map((link) => link.textContent);
const present = () => links().filter((link) => link.getAttribute('aria-current') === 'page');
const listHeading = () => screen.getByRole('heading', { name: /^Subscribers/ });
type Page = Awaited<ReturnType<typeof openPage>>;

/** Keeps what is shown under a name. */
async function keep({ user }: Page, name: string) {
  await user.click(await appears('button', 'Save view'));
  const form = await dialog('Save view');
  await user.type(form.getByRole('textbox', { name: 'Name' }), name);
  await user.click(form.getByRole('button', { name: 'Save view' }));
}

/** The list, with views of these names, each by a username. */
async function openWith(...kept: string[]) {
  const page = await openPage('/subscribers', { people });
  for (const name of kept) {
    page.goTo(`/subscribers?username=${name}`);
    await keep(page, name);
    await disappears('dialog', 'Save view');
  }
  return page;
}

test('the present filters and order are kept under a name, and are one click from then on', async () => {
  const page = await openPage('/subscribers?expired=true&sort=username_desc&page=1&pageSize=50', { people });
  await keep(page, 'Late ones');
  await waitFor(() => expect(names()).toEqual(['Late ones2']));
  expect(present().map((link) => link.textContent)).toEqual(['Late ones2']);
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

test('they are there in another browser, without a request of their own', async () => {
  const page = await openWith('anna');
  document.body.replaceChildren();
  const asked = page.asked(/bff\/views/).length;
  openDashboard('/subscribers?username=anna');
  await appears('link', 'anna1');
  expect(page.asked(/bff\/views/)).toHaveLength(asked);
});

test('after saving, the focus is on the heading of the list: the button has gone', async () => {
  const page = await openPage('/subscribers?trial=true', { people });
  await keep(page, 'Trials');
  await disappears('dialog', 'Save view');
  await disappears('button', 'Save view');
  await hasFocus(listHeading);
});

test('"Save view" is there when the present list is none', async () => {
  const page = await openPage('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  expect(screen.queryByRole('button', { name: /view/ })).toBeNull();
  await page.user.click(button('Trial'));
  await appears('button', 'Save view');
  await page.user.click(button('Expired'));
  await disappears('button', 'Save view');
});

test('the count of a view follows what is done', async () => {
  const page = await openWith('anna');
  await appears('link', 'anna1');
  await page.service.deleteSubscriber({ params: { id: 1 } });
  void page.cache.invalidateQueries({ queryKey: ['listSubscribers'] });
  await appears('link', 'anna0');
});

test('a name that is empty or taken is refused at its field, and the dialog stays', async () => {
  const page = await openWith('anna');
  page.goTo('/subscribers?trial=true');
  await page.user.click(await appears('button', 'Save view'));
  const form = await dialog('Save view');
  await page.user.click(form.getByRole('button', { name: 'Save view' }));
  await form.findByText('Enter a name.');
  await page.user.type(form.getByRole('textbox', { name: 'Name' }), 'ANNA{Enter}');
  await form.findByText('You have a view of this name. Choose another.');
  expect(names()).toEqual(['anna1']);
});

test('an access token becomes no name', async () => {
  const page = await openPage('/subscribers?trial=true', { people });
  await keep(page, `${'Aa1-'.repeat(10)}xyz`);
  const form = await dialog('Save view');
  await form.findByText('This holds an access token, which is a secret. Leave it out.');
  expect(page.asked(/^POST/)).toEqual([]);
});

test('where no answer came, it is not called saved', async () => {
  const page = await openPage('/subscribers?trial=true', { people });
  const mend = loseAnswers(/^POST \/bff\/views/);
  await keep(page, 'Trials');
  const form = await dialog('Save view');
  await form.findByText(/^No answer came back that says whether the view is saved/);
  mend();
  // It is, and the list that is loaded anew shows it.
  await waitFor(() => expect(names()).toEqual(['Trials2']));
});

test('views are moved by keyboard, and the key goes on moving', async () => {
  const page = await openWith('anna', 'bjarne', 'cecilie');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  const up = () => manage.getByRole('button', { name: 'Move cecilie up' });
  up().focus();
  await page.user.keyboard('{Enter}');
  await waitFor(() => expect(announced()).toContain('cecilie is now 2 of 3.'));
  await hasFocus(up);
  await page.user.keyboard('{Enter}');
  await waitFor(() => expect(names()).toEqual(['cecilie1', 'anna1', 'bjarne1']));
  await hasFocus(up);
  const asked = page.asked(/^PUT/).length;
  await page.user.keyboard('{Enter}');
  expect(page.asked(/^PUT/)).toHaveLength(asked);
});

test('a view is renamed, and may keep its name', async () => {
  const page = await openWith('anna');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  await page.user.click(manage.getByRole('button', { name: 'Rename anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Keep name' }));
  await hasFocus(() => manage.getByRole('button', { name: 'Rename anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Rename anna' }));
  const name = manage.getByRole('textbox', { name: 'Name' });
  await page.user.clear(name);
  await page.user.type(name, '{Enter}');
  await manage.findByText('Enter a name.');
  await page.user.type(name, 'Trial Anna{Enter}');
  await waitFor(() => expect(names()).toEqual(['Trial Anna1']));
});

test('a view goes when it is asked for twice', async () => {
  const page = await openWith('anna', 'bjarne');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  await page.user.click(manage.getByRole('button', { name: 'Delete anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Keep it' }));
  expect(page.asked(/^DELETE/)).toEqual([]);
  await page.user.click(manage.getByRole('button', { name: 'Delete anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Delete view' }));
  await waitFor(() => expect(names()).toEqual(['bjarne1']));
});

test('the last one goes too, and the dialog stays until it is closed', async () => {
  const page = await openWith('anna');
  page.goTo('/subscribers');
  await shows('anna', 'bjarne', 'cecilie');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  await page.user.click(manage.getByRole('button', { name: 'Delete anna' }));
  await page.user.click(manage.getByRole('button', { name: 'Delete view' }));
  await manage.findByText(/^There are none left/);
  expect(names()).toEqual([]);
  await page.user.click(manage.getByRole('button', { name: 'Done' }));
  await hasFocus(listHeading);
});

test('a view that cannot be moved stays, and it is said why', async () => {
  const page = await openWith('anna', 'bjarne');
  await page.user.click(button('Manage views'));
  const manage = await dialog('Manage views');
  cutNetwork(/^PUT/);
  await page.user.click(manage.getByRole('button', { name: 'Move anna down' }));
  await manage.findByText(/^No answer came back that says whether it was moved/);
  expect(names()).toEqual(['anna1', 'bjarne1']);
});
