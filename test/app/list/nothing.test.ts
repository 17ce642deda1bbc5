import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { announced, shows } from '../../support/app/list.ts';
import { cutNetwork, garbleAnswers } from '../../support/app/network.ts';
import { appears, button, openApp } from '../../support/app/page.tsx';
import { anna, crowd, person } from '../../support/people.ts';

test('an empty list says how to search, and its filters can be cleared', async () => {
  const { user, address } = await openApp('/subscribers?username=zorro&expired=true', { people: [anna] });
  await appears('heading', 'No subscribers match');
  const advice = 'Or search for a part of it, an ID such as #123, or the access token.';
  expect(
    await screen.findByText(`Filters: username or email “zorro”, expired. Remove one to see more. ${advice}`),
  ).toBeTruthy();
  expect(announced()).toContain('No subscribers.');
  expect(screen.queryByRole('table')).toBeNull();
  await user.click(button('Clear filters'));
  await shows('anna');
  expect(address()).toBe('/subscribers');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
});

test('an address with a filter that is refused says what to do about it', async () => {
  await openApp('/subscribers?username=a+b+c+d+e+f+g+h+i', { people: [anna] });
  const failure = within(await appears('alert'));
  failure.getByRole('heading', { name: 'Couldn’t load the list' });
  failure.getByText('Search for up to 8 words. Leave some out.');
});

test('a search that finds nobody links to the nearest, also those with a separator or one letter more', async () => {
  const people = [person('g_eriksen'), person('anna.kowalska'), person('bjarne')];
  const { user, address } = await openApp('/subscribers', { people });
  await shows('g_eriksen', 'anna.kowalska', 'bjarne');
  await user.type(screen.getByRole('searchbox'), 'annakowalska');
  const empty = async () => (await screen.findAllByText(/^Nearest:/)).at(-1) ?? document.body;
  await within(await empty()).findByRole('link', { name: 'anna.kowalska' });
  expect(within(await empty()).queryByRole('link', { name: 'bjarne' })).toBeNull();
  await user.clear(screen.getByRole('searchbox'));
  await user.type(screen.getByRole('searchbox'), 'erikson');
  await waitFor(async () => within(await empty()).getByRole('link', { name: 'g_eriksen' }));
  await user.keyboard('{ArrowDown}{Enter}');
  await appears('complementary', 'g_eriksen');
  expect(address()).toBe('/subscribers/1?username=erikson');
});

test('a search of a service without such a list links to those with the first letters', async () => {
  const people = [person('anna.kowalska'), person('bjarne')];
  await openApp('/subscribers?username=annakowalska', { people, upstream: { extensions: [] } });
  await appears('link', 'anna.kowalska');
});

test('the username beside an email that is searched for can be seen and removed', async () => {
  const { user, address } = await openApp('/subscribers?username=x&email=anna', { people: [anna] });
  await user.click(await appears('button', 'Remove filter: Username'));
  await shows('anna');
  expect(address()).toBe('/subscribers?email=anna');
});

test('a list by a value that is still being prepared says how long that takes, and what to do', async () => {
  const { user, serviceDb, goTo } = await openApp('/subscribers', { people: [anna] });
  await shows('anna');
  const fill = (await serviceDb()).insertInto('subscriber_values_fill').values({ after_id: -1_000_000 });
  await fill.execute();
  goTo('/subscribers?country=NO');
  await screen.findByText(
    'After an update, the search by bundle, country, address and player is still being prepared. Try again in about 4 minutes, or leave this filter out until then.',
  );
  await (await serviceDb()).deleteFrom('subscriber_values_fill').execute();
  await user.click(button('Try again'));
  await shows('anna');
});

test('an empty list names what it is filtered by', async () => {
  const { goTo } = await openApp('/subscribers?status=3', { people: [anna] });
  await screen.findByText('Filter: status Blocked. Remove it to see more.');
  goTo('/subscribers?statuses=2,3');
  await screen.findByText('Filter: status not Active. Remove it to see more.');
  goTo('/subscribers?expiresFrom=-7d&expiresTo=now&trial=false');
  await screen.findByText('Filters: expired in the last 7 days, paid. Remove one to see more.');
});

test('an empty list of a search and filters can search without the filters', async () => {
  const { user, address } = await openApp('/subscribers?username=ann&expired=true&sort=username', {
    people: [anna],
  });
  await appears('heading', 'No subscribers match');
  await user.click(button('Search all subscribers'));
  await shows('anna');
  expect(address()).toBe('/subscribers?username=ann&sort=username');
});

test('a page past the end says so, and links to the first page', async () => {
  const { user, address } = await openApp('/subscribers?page=9', { people: [anna] });
  await appears('heading', 'There’s no page 9');
  await user.click(button('Go to the first page'));
  await shows('anna');
  expect(address()).toBe('/subscribers');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }));
});

test('an empty list without filters offers to create the first subscriber', async () => {
  const { user } = await openApp('/subscribers', { role: 'support' });
  await appears('heading', 'No subscribers yet');
  await user.click(screen.getAllByRole('link', { name: 'New subscriber' }).at(-1) ?? document.body);
  await appears('heading', 'New subscriber');
});

test('an empty list without filters tells viewers that they cannot create one', async () => {
  await openApp('/subscribers', { role: 'viewer' });
  await appears('heading', 'No subscribers yet');
  await screen.findByText('Viewers can’t create subscribers.');
  expect(screen.queryByRole('link', { name: 'New subscriber' })).toBeNull();
});

test('a list that cannot be loaded says why, and can be tried again', async () => {
  const mend = cutNetwork(/GET \/api\/subscribers(\?|$)/);
  const { user } = await openApp('/subscribers', { people: [anna] });
  await appears('heading', 'Couldn’t load the list');
  expect(
    screen.getByText('Subscriber Desk doesn’t answer. Check your connection. We’ll keep trying.'),
  ).toBeTruthy();
  expect(screen.queryByRole('table')).toBeNull();
  mend();
  await user.click(button('Try again'));
  await shows('anna');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an error from the BFF is shown with its request id', async () => {
  const { user, upstream, requestIds } = await openApp('/subscribers/new', { people: crowd(3) });
  await appears('heading', 'New subscriber');
  upstream.operation = () => new Response(null, { status: 500 });
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Subscribers' }));
  const failure = await appears('alert');
  expect(within(failure).getByRole('heading', { name: 'Couldn’t load the list' })).toBeTruthy();
  expect(failure.textContent).toContain('The subscriber service isn’t working properly. We’ll keep trying.');
  expect(failure.textContent).toContain('tell an administrator the request ID:');
  expect(requestIds).toContain(failure.querySelector('code')?.textContent);
});

test('the rows stay when refreshing them fails', async () => {
  const { user, cache } = await openApp('/subscribers', { people: crowd(3) });
  await shows('p001', 'p002', 'p003');
  const mend = garbleAnswers(/GET \/api\/subscribers/);
  void cache.invalidateQueries();
  await screen.findByText(/^Couldn’t refresh the list\./);
  await shows('p001', 'p002', 'p003');
  mend();
  await user.click(button('Try again'));
  await shows('p001', 'p002', 'p003');
});
