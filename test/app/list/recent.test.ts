import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { findBox as box, announced, shows } from '../../support/app/list.ts';
import { cutNetwork, holdAnswers, refuseWith } from '../../support/app/network.ts';
import { appears, disappears, hasFocus, link, openApp, type Page } from '../../support/app/page.tsx';
import { person } from '../../support/people.ts';

const people = ['anna', 'bjarne', 'carl'].map((name) => person(name));
const list = () => screen.queryByRole('list', { name: 'Last opened' });
const offered = () => {
  const found = list();
  return (
    found &&
    within(found)
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
  );
};
const offers = (...names: string[]) =>
  waitFor(() => expect(offered()).toEqual(names.map((name) => `${name} ${name}@example.com`)));
const entry = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name} `) });

/** A page where these were opened before, in this order. */
async function openAfter(address: string, ...ids: number[]): Promise<Page> {
  const page = await openApp(address, { people });
  for (const id of ids) await page.as('manager').bff.addRecentSubscriber({ params: { id } });
  await shows('anna', 'bjarne', 'carl');
  return page;
}

describe('the empty find box', () => {
  it('offers the subscribers that were opened last, and a press opens one', async () => {
    const { user, requested, address } = await openAfter('/subscribers', 1, 3);
    expect(requested(/recent/)).toEqual([]);
    await user.click(box());
    await offers('carl', 'anna');
    // Twice where the page is slow: nothing is kept of a reading that nobody waits for yet.
    expect(new Set(requested(/recent/))).toEqual(new Set(['GET /bff/recent-subscribers']));
    await waitFor(() => expect(announced()).toContain('Last opened'));
    await user.click(entry('anna'));
    await appears('complementary', 'anna');
    expect(address()).toBe('/subscribers/1');
    await waitFor(() => expect(offered()).toBeNull());
  });

  it('leads by the arrow down to the last one, and by Enter to its pane', async () => {
    const { user, address } = await openAfter('/subscribers', 1, 3);
    const answer = holdAnswers(/recent/);
    await user.click(box());
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(box());
    answer.release();
    await hasFocus(() => entry('carl'));
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    await hasFocus(() => entry('carl'));
    await user.keyboard('{ArrowDown}{Enter}');
    await appears('complementary', 'anna');
    expect(address()).toBe('/subscribers/1');
  });

  it('gets the focus back by the arrow up, by Escape and by typing, and Tab skips what it offers', async () => {
    const { user, address } = await openAfter('/subscribers', 2, 1);
    await user.click(box());
    await offers('anna', 'bjarne');
    for (const key of ['{ArrowUp}', '{Escape}']) {
      await user.keyboard('{ArrowDown}');
      await hasFocus(() => entry('anna'));
      await user.keyboard(key);
      await hasFocus(box);
      await offers('anna', 'bjarne');
    }
    await user.keyboard('{ArrowDown}');
    await hasFocus(() => entry('anna'));
    // By itself, n would begin a new subscriber.
    await user.keyboard('n');
    await hasFocus(box);
    expect(address()).toMatch(/^\/subscribers(\?username=n)?$/);
    await user.clear(box());
    await user.type(box(), 'nna');
    await shows('anna');
    expect(list()).toBeNull();
    await user.clear(box());
    await offers('anna', 'bjarne');
    await user.tab();
    await waitFor(() => expect(list()).toBeNull());
  });

  it('leads by the arrow down into the rows where nobody was opened, or that is not known', async () => {
    const { user } = await openAfter('/subscribers');
    await user.click(box());
    await user.keyboard('{ArrowDown}');
    await hasFocus(() => link('anna'));
    expect(list()).toBeNull();
    cutNetwork(/recent/);
    await user.click(box());
    await user.keyboard('{ArrowDown}');
    await hasFocus(() => link('anna'));
    expect(list()).toBeNull();
  });

  it('offers nothing once it has a text', async () => {
    const { user, requested } = await openAfter('/subscribers', 1);
    await user.click(box());
    await user.paste('carl');
    await shows('carl');
    expect(list()).toBeNull();
    await user.click(screen.getByRole('heading', { level: 1 }));
    const before = requested(/recent/).length;
    await user.click(box());
    await screen.findByText('1 username');
    expect(requested(/recent/)).toHaveLength(before);
  });
});

describe('the list of the last opened subscribers', () => {
  it('has one whose pane was open, once for each time, and not while it is open', async () => {
    const { user, requested, goTo } = await openAfter('/subscribers', 1);
    await user.click(link('bjarne'));
    await appears('complementary', 'bjarne');
    await waitFor(() => expect(requested(/PUT .*recent/)).toEqual(['PUT /bff/recent-subscribers/2']));
    await user.click(box());
    await offers('anna');
    goTo('/subscribers');
    await disappears('complementary', 'bjarne');
    await offers('bjarne', 'anna');
  });

  it('has one whose form was open', async () => {
    const page = await openApp('/subscribers/3/edit', { people });
    await appears('textbox', 'Username');
    await waitFor(() => expect(page.requested(/PUT .*recent/)).toEqual(['PUT /bff/recent-subscribers/3']));
    page.goTo('/subscribers');
    await shows('anna', 'bjarne', 'carl');
    await page.user.click(box());
    await offers('carl');
  });

  it('does not have one that does not exist', async () => {
    const { requested } = await openApp('/subscribers/99', { people });
    await appears('complementary', 'Subscriber 99');
    await screen.findByText(/no subscriber|does not exist|deleted/i);
    expect(requested(/recent/)).toEqual([]);
  });

  it('does not have one that could not be recorded, without a message', async () => {
    refuseWith(/PUT .*recent/, 'internal-error');
    const { user, requested } = await openAfter('/subscribers', 1);
    await user.click(link('bjarne'));
    await appears('complementary', 'bjarne');
    await waitFor(() => expect(requested(/PUT .*recent/)).toHaveLength(1));
    for (const alert of screen.queryAllByRole('alert')) expect(alert.textContent).toBe('');
    await user.click(box());
    await offers('anna');
  });
});

test('the end of a session is noticed while a pane opens from what is known already', async () => {
  const { user, requested } = await openAfter('/subscribers');
  for (const name of ['anna', 'bjarne']) {
    await user.click(link(name));
    await appears('complementary', name);
  }
  await waitFor(() => expect(requested(/PUT .*recent/)).toHaveLength(2));
  refuseWith(/PUT .*recent/, 'not-signed-in');
  await user.click(link('anna'));
  await appears('dialog', /sign in/i);
  await waitFor(() => expect(requested(/sign-in-ways/)).not.toEqual([]));
});
