import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { shows } from '../../support/app/list.ts';
import { cutNetwork, loseAnswers } from '../../support/app/network.ts';
import { appears, button, disappears, hasFocus, link } from '../../support/app/page.tsx';
import { currentViews, openWithViews } from '../../support/app/views.ts';
import { person } from '../../support/people.ts';

const people = [person('anna'), person('annika'), person('bjarne')];
const update = 'Update view “anna”';

/** The list with the view “anna”, whose order was changed. */
async function openChanged() {
  const page = await openWithViews(['anna'], { people });
  await page.user.click(button('Username'));
  await appears('button', update);
  return page;
}

test('a view whose order was changed is updated, and “Undo” restores it, also on another page', async () => {
  const page = await openChanged();
  expect(currentViews()).toEqual([]);
  await page.user.click(button(update));
  await screen.findByText('View “anna” was updated.');
  await disappears('button', update);
  expect(screen.queryByRole('button', { name: 'Save view' })).toBeNull();
  expect(currentViews()).toEqual(['anna']);
  await hasFocus(() => screen.getByRole('heading', { name: /^Subscribers/ }));
  expect((await page.sent(/^PUT \/bff\/views/)).body).toEqual({
    query: { Username: 'anna', SortBy: 'username' },
    hidden: '',
  });
  await page.user.click(button('Undo'));
  await screen.findByText('Undone: view “anna” is as it was before.');
  await appears('button', update);
  const [view] = await page.db.selectFrom('views').select('query').execute();
  expect(JSON.parse(view?.query ?? '')).toEqual({ Username: 'anna' });
  await page.user.click(button(update));
  await screen.findByText('View “anna” was updated.');
  page.goTo('/activity');
  await appears('heading', /^Activity/);
  await page.user.click(button('Undo'));
  await waitFor(() =>
    expect(screen.getAllByText('Undone: view “anna” is as it was before.')).toHaveLength(2),
  );
});

test('the view to update stays known beside an open subscriber, after it, and over a list that every user has', async () => {
  const page = await openChanged();
  const { user } = page;
  await user.click(await appears('link', 'anna'));
  const pane = await appears('complementary', 'anna');
  expect(button(update)).toBeTruthy();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(pane.isConnected).toBe(false));
  expect(button(update)).toBeTruthy();
  await user.clear(screen.getByRole('searchbox'));
  await shows('anna', 'annika', 'bjarne');
  await user.type(screen.getByRole('searchbox'), 'ann');
  await shows('anna', 'annika');
  await user.click(button(update));
  await screen.findByText('View “anna” was updated.');
});

test('a view that was left by a link is not offered for update, until Back returns to it', async () => {
  const page = await openChanged();
  await page.user.click(link(/^All/));
  await shows('anna', 'annika', 'bjarne');
  await page.user.click(button('Username'));
  await appears('button', 'Save view');
  expect(screen.queryByRole('button', { name: update })).toBeNull();
  page.goBack();
  page.goBack();
  await appears('button', update);
});

test('an update that failed is not reported as done', async () => {
  const page = await openChanged();
  const mend = cutNetwork(/^PUT \/bff\/views/);
  await page.user.click(button(update));
  await screen.findByText(/^We don’t know whether the view was updated/);
  expect(button(update)).toBeTruthy();
  mend();
  await page.user.click(button(update));
  await screen.findByText('View “anna” was updated.');
  loseAnswers(/^PUT \/bff\/views/);
  await page.user.click(button('Undo'));
  await waitFor(() =>
    expect(screen.getAllByText(/^We don’t know whether the view was updated/)).toHaveLength(2),
  );
});
