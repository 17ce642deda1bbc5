import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { shows } from '../../support/app/list.ts';
import { appears, openApp } from '../../support/app/page.tsx';
import { currentViews, trialAndExpired as people } from '../../support/app/views.ts';

const views = () => within(screen.getByRole('navigation', { name: 'Views' }));

test('a view is opened by a click, and is current with any order, page size and order of parameters', async () => {
  const { user, address, goTo } = await openApp('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie');
  expect(currentViews()).toEqual(['All']);
  await user.click(views().getByRole('link', { name: 'Expired' }));
  await shows('bjarne', 'cecilie');
  expect(address()).toBe('/subscribers?expired=true');
  expect(currentViews()).toEqual(['Expired']);
  await user.click(views().getByRole('link', { name: 'All' }));
  await shows('anna', 'bjarne', 'cecilie');
  expect(currentViews()).toEqual(['All']);
  goTo('/subscribers?expired=true&sort=expiresAt_desc&pageSize=50');
  await shows('bjarne', 'cecilie');
  expect(currentViews()).toEqual(['Expired']);
  goTo('/subscribers?trial=true');
  await shows('anna', 'cecilie');
  expect(currentViews()).toEqual([]);
  goTo('/subscribers?trial=true&expired=true');
  await shows('cecilie');
  expect(currentViews()).toEqual(['Expired trials']);
});

test('the view “Expired trials” shows its count, which follows a deletion', async () => {
  const { user, service, cache } = await openApp('/subscribers', { people });
  await user.click(await appears('link', 'Expired trials1'));
  await shows('cecilie');
  expect(currentViews()).toEqual(['Expired trials']);
  await service.deleteSubscriber({ params: { id: 3 } });
  void cache.invalidateQueries();
  await appears('link', 'Expired trials0');
});

test('a view keeps order and page size, and starts at the first page', async () => {
  const { user, address } = await openApp('/subscribers?sort=username_desc&pageSize=2&page=2', { people });
  await shows('anna');
  await user.click(views().getByRole('link', { name: 'Expired' }));
  await shows('cecilie', 'bjarne');
  expect(address()).toBe('/subscribers?expired=true&sort=username_desc&pageSize=2');
});

test('a view shows its count while it is hovered or focused, and keeps it for a minute', async () => {
  const { user, requested } = await openApp('/subscribers', { people });
  await appears('link', 'Expired trials1');
  const counts = () => requested(/subscribers\?Expired=true&PageSize=1$/).length;
  expect(counts()).toBe(0);
  await user.hover(views().getByRole('link', { name: 'Expired' }));
  await appears('link', 'Expired2');
  await user.unhover(views().getByRole('link', { name: 'Expired2' }));
  vi.setSystemTime(Date.now() + 50_000);
  views().getByRole('link', { name: 'Expired' }).focus();
  await appears('link', 'Expired2');
  views().getByRole('link', { name: 'All' }).focus();
  await appears('link', 'All3');
  expect(counts()).toBe(1);
  vi.setSystemTime(Date.now() + 11_000);
  views().getByRole('link', { name: 'Expired' }).focus();
  await waitFor(() => expect(counts()).toBe(2));
});
