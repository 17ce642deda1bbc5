import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { setSelected } from '../../../src/app/subscriber/selection-store.ts';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { toasts } from '../../support/app/activity.ts';
import { holdAnswers } from '../../support/app/network.ts';
import { shows, table, usernames, toggleFilter } from '../../support/app/list.ts';
import { appears, button, disappears, hasFocus, link, openApp } from '../../support/app/page.tsx';
import { anna, crowd, person } from '../../support/people.ts';
import { bar, barSays, mark, markAll, marked } from '../../support/app/selection.ts';

const people = [anna, person('bjarne'), person('cecilie'), person('dag')];

async function openList(role: Role = 'manager') {
  const page = await openApp('/subscribers', { people, role });
  await shows('anna', 'bjarne', 'cecilie', 'dag');
  return page;
}

async function select(...names: string[]) {
  const page = await openList();
  await page.user.click(await appears('button', 'Select'));
  for (const name of names) await page.user.click(await mark(name));
  return page;
}

describe('the mode to select', () => {
  it('is off at first, and is turned on and off by its button', async () => {
    const { user } = await openList();
    expect(await appears('button', 'Select')).toHaveProperty('ariaPressed', 'false');
    expect(screen.queryByRole('checkbox', { name: /Select/ })).toBeNull();
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
    await user.click(button('Select'));
    await mark('anna');
    await barSays('No subscribers selected.');
    expect(button('Select').getAttribute('aria-pressed')).toBe('true');
    await user.click(button('Select'));
    await disappears('region', 'Selection');
    expect(screen.queryByRole('checkbox', { name: /Select/ })).toBeNull();
  });

  it('offers the box for all rows as soon as there are rows', async () => {
    const rows = holdAnswers(/GET \/api\/subscribers\?/);
    const { user } = await openApp('/subscribers?pageSize=50', { people });
    await user.click(await appears('button', 'Select'));
    await appears('checkbox', 'Select all on this page');
    expect(markAll().disabled).toBe(true);
    rows.release();
    await mark('anna');
    expect(markAll().disabled).toBe(false);
  });

  it('is not offered to users who may not change many subscribers at once, and the key x says why', async () => {
    const { user } = await openList('support');
    await appears('button', /^Account/);
    expect(screen.queryByRole('button', { name: 'Select' })).toBeNull();
    link('bjarne').focus();
    await user.keyboard('x');
    await toasts().findByText('Only managers can change many subscribers at once.');
    expect(screen.queryByRole('checkbox', { name: /Select/ })).toBeNull();
  });
});

describe('the key x', () => {
  it('turns selecting on, and selects or deselects the row with the focus', async () => {
    const { user } = await openList();
    await user.keyboard('jjx');
    await barSays('1 selected.');
    expect(document.activeElement).toBe(link('bjarne'));
    await user.keyboard('jx');
    await barSays('2 selected.');
    expect(marked()).toEqual(['bjarne', 'cecilie']);
    await user.keyboard('x');
    await barSays('1 selected.');
    expect(marked()).toEqual(['bjarne']);
  });

  it('turns selecting on if no row has the focus', async () => {
    const { user } = await openList();
    await user.keyboard('x');
    await barSays('No subscribers selected.');
    await user.keyboard('x');
    expect(marked()).toEqual([]);
  });

  it('works from the check box of a row, as j does', async () => {
    const { user } = await select('bjarne');
    await user.keyboard('x');
    await barSays('No subscribers selected.');
    await user.keyboard('jx');
    await barSays('1 selected.');
    expect(marked()).toEqual(['cecilie']);
  });

  it('selects the subscriber in the pane; Escape then closes the pane first', async () => {
    const { user } = await openList();
    await user.keyboard('jx');
    await barSays('1 selected.');
    await user.click(link('dag'));
    await appears('complementary', 'dag');
    await user.keyboard('x');
    await barSays('2 selected.');
    expect(marked()).toEqual(['anna', 'dag']);
    await user.keyboard('{Escape}');
    await disappears('complementary', 'dag');
    await barSays('2 selected.');
    await user.keyboard('{Escape}');
    await disappears('region', 'Selection');
    await toasts().findByText('2 subscribers deselected.');
  });

  it('turns selecting off again after Escape in a check box, and the focus stays in its row', async () => {
    const { user } = await select('bjarne');
    await user.keyboard('{Escape}');
    await disappears('region', 'Selection');
    expect(document.activeElement).toBe(link('bjarne'));
  });
});

describe('the column of check boxes', () => {
  it('opens no subscriber, and with Shift selects all from the one selected last', async () => {
    const { user, address } = await select('bjarne');
    await user.keyboard('{Shift>}');
    await user.click(await mark('dag'));
    await user.keyboard('{/Shift}');
    await barSays('3 selected.');
    expect(marked()).toEqual(['bjarne', 'cecilie', 'dag']);
    expect(address()).toBe('/subscribers');
  });

  it('includes one in the heading that selects all or none of the page', async () => {
    const { user } = await select('bjarne');
    expect(markAll()).toMatchObject({ checked: false, indeterminate: true });
    await user.click(markAll());
    await barSays('4 selected.');
    expect(markAll()).toMatchObject({ checked: true, indeterminate: false });
    await user.click(markAll());
    await barSays('No subscribers selected.');
    expect(markAll()).toMatchObject({ checked: false, indeterminate: false });
  });
});

describe('the selection', () => {
  it('is kept on other pages, and says how many are on another page', async () => {
    const { user, address } = await openApp('/subscribers', { people: crowd(30) });
    await waitFor(() => expect(usernames()).toHaveLength(25));
    await user.click(await appears('button', 'Select'));
    await user.click(await mark('p002'));
    await user.click(button('Next page'));
    await user.click(await mark('p027'));
    await barSays('2 selected, 1 not on this page.');
    expect(address()).toBe('/subscribers?page=2&pageSize=25');
    await user.click(button('Previous page'));
    await waitFor(() => expect(marked()).toEqual(['p002']));
  });

  it('ends when the filters change, and says so', async () => {
    const { user } = await select('anna');
    await user.type(screen.getByRole('searchbox'), 'bj');
    await shows('bjarne');
    await barSays('No subscribers selected.');
    await toasts().findByText('1 subscriber deselected, because the filters changed.');
    await user.click(await mark('bjarne'));
    await barSays('1 selected.');
  });

  it('is kept with another order and on another screen, without a word about filters', async () => {
    const { user, goTo, goBack } = await select('anna');
    await user.click(button('Username'));
    await barSays('1 selected.');
    goTo('/activity');
    await appears('heading', /^Activity/);
    goBack();
    await barSays('1 selected.');
    expect(marked()).toEqual(['anna']);
  });

  it('is cleared by a button, and restored from the toast', async () => {
    const { user } = await select('anna', 'dag');
    await user.click(bar().getByRole('button', { name: 'More…' }));
    await user.click(bar().getByRole('button', { name: 'Clear selection' }));
    await barSays('No subscribers selected.');
    await toasts().findByText('2 subscribers deselected.');
    await user.click(toasts().getByRole('button', { name: 'Select again' }));
    await barSays('2 selected.');
    expect(marked()).toEqual(['anna', 'dag']);
  });

  it('ends with “Done”, and the focus goes to the button that began it', async () => {
    const { user } = await select('anna');
    await user.click(bar().getByRole('button', { name: 'Done' }));
    await disappears('region', 'Selection');
    await hasFocus(() => button('Select'));
    expect(table().querySelector('input')).toBeNull();
  });

  it('cannot be changed if it is empty or too large, and the button says why', async () => {
    const { cache } = await select();
    const extend = () => bar().getByRole('button', { name: 'Extend…' });
    await mark('anna');
    expect(extend()).toHaveProperty('title', 'Select subscribers first.');
    const many = crowd(5001).map((_, index) => index + 1);
    act(() => setSelected(cache, many, true));
    await barSays('5,001 selected, 4,997 not on this page.');
    expect(extend()).toHaveProperty('title', 'You can select 5,000 one by one: deselect 1.');
    act(() => setSelected(cache, many.slice(0, 1), false));
    expect(extend().getAttribute('aria-disabled')).toBeNull();
  });
});

describe('the choice of all that match', () => {
  const all = (name: string | RegExp) => bar().getByRole('button', { name });

  it('selects the subscribers of every page', async () => {
    const { user } = await openApp('/subscribers?username=p', { people: [...people, ...crowd(30)] });
    await waitFor(() => expect(usernames()).toHaveLength(25));
    await user.click(await appears('button', 'Select'));
    await mark('p001');
    await user.click(all('Select all 30 that match'));
    await barSays('All 30 that match are selected.');
    expect(marked()).toHaveLength(25);
    await user.click(button('Next page'));
    await waitFor(() => expect(marked()).toEqual(['p026', 'p027', 'p028', 'p029', 'p030']));
    await user.click(all('Only this page'));
    await barSays('5 selected.');
  });

  it('names all subscribers where there is no filter', async () => {
    const { user } = await select('anna');
    await user.click(all('Select all 4 subscribers'));
    await barSays('All 4 subscribers are selected.');
  });

  it('ends as soon as one is left out, or the filters change', async () => {
    const { user } = await select('anna', 'dag');
    await user.click(all(/^Select all/));
    await user.click(await mark('anna'));
    await barSays('1 selected.');
    expect(marked()).toEqual(['dag']);
    await user.click(all(/^Select all/));
    await barSays('All 4 subscribers are selected.');
    await toggleFilter(user, 'Trial');
    await shows('anna');
    await barSays('No subscribers selected.');
  });

  it('is not offered where all are selected already', async () => {
    const { user } = await select();
    await mark('anna');
    await user.click(markAll());
    await barSays('4 selected.');
    expect(bar().queryByRole('button', { name: /^Select all/ })).toBeNull();
  });
});
