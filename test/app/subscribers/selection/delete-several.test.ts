import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { journalRows, toasts } from '../../../support/app/activity.ts';
import { shows } from '../../../support/app/list.ts';
import { holdAnswers, loseAnswers, refuseWith } from '../../../support/app/network.ts';
import { appears, dialog, disappears, hasFocus, openPage } from '../../../support/app/page.tsx';
import { anna, person } from '../../../support/people.ts';
import { bar, barSays, mark } from '../../../support/app/selection.ts';

const people = [anna, person('bjarne'), person('cecilie'), person('dag')];
const deletions = /^DELETE \/api/;

/** Selects some and asks to delete them. */
async function ask(...names: string[]) {
  const page = await openPage('/subscribers', { people });
  await shows('anna', 'bjarne', 'cecilie', 'dag');
  await page.user.click(await appears('button', 'Select'));
  for (const name of names) await page.user.click(await mark(name));
  await page.user.click(bar().getByRole('button', { name: 'Delete…' }));
  const shown = await dialog(names.length > 1 ? `Delete ${names.length} subscribers?` : /^Delete/);
  const left = async () =>
    (await page.service.listSubscribers({ query: {} })).data.items.map((one) => one.username);
  return { ...page, shown, left };
}

/** Has three deleted, armed as the dialog wants it. */
async function deleteThree() {
  const page = await ask('bjarne', 'cecilie', 'dag');
  const start = async () => {
    await page.user.click(page.shown.getByLabelText(/^To arm the button/));
    await page.user.paste('bjarne');
    await page.user.click(page.shown.getByRole('button', { name: 'Delete 3 subscribers' }));
  };
  return { ...page, start };
}

const report = () =>
  screen
    .getAllByRole('listitem')
    .filter((item) => item.closest('dialog'))
    .map((item) => item.textContent.replace(/\s+/g, ' ').replace(/Request .*/, 'Request'));

const inDialog = () => within(screen.getByRole('dialog'));

describe('the question', () => {
  test('names all, says what happens and how it goes back, and Cancel keeps them', async () => {
    const { user, shown, left } = await ask('dag', 'bjarne');
    expect(report()).toEqual(['bjarne bjarne@example.com', 'dag dag@example.com']);
    shown.getByText(/their access tokens stop working at once\. Each has an entry of its own under Activity/);
    shown.getByText(/^Can be made again: .* with a new id and a new access token\.$/);
    await user.click(shown.getByRole('button', { name: 'Cancel' }));
    await disappears('dialog', /^Delete/);
    await hasFocus(() => bar().getByRole('button', { name: 'Delete…' }));
    await barSays('2 selected.');
    expect(await left()).toHaveLength(4);
  });

  test('is confirmed only by typing the first of the names', async () => {
    const { user, shown, asked } = await ask('dag', 'bjarne');
    const remove = shown.getByRole('button', { name: 'Delete 2 subscribers' });
    expect(remove).toHaveProperty('title', 'Type bjarne first.');
    await user.click(remove);
    await user.type(shown.getByLabelText('To arm the button, type bjarne, the first of them.'), 'bjarn');
    await user.click(remove);
    expect(asked(deletions)).toEqual([]);
    await user.type(shown.getByLabelText(/^To arm/), 'e');
    await user.click(remove);
    await shows('anna', 'cecilie');
  });

  test('of one is that of one, whose note takes it back', async () => {
    const { user, shown, left } = await ask('bjarne');
    await user.click(shown.getByRole('button', { name: 'Delete subscriber' }));
    await toasts().findByText('bjarne is deleted.');
    await disappears('dialog', /^Delete/);
    await barSays('Nobody selected yet.');
    await hasFocus(() => screen.getByRole('heading', { name: /^Subscribers/ }));
    await user.click(await toasts().findByRole('button', { name: 'Undo' }));
    await shows('anna', 'cecilie', 'dag', 'bjarne');
    expect(await left()).toContain('bjarne');
  });
});

describe('several', () => {
  test('are deleted one after the other, each once and with the reason, and the page asks anew once', async () => {
    const { user, shown, start, left, asked, keys, ...page } = await deleteThree();
    await user.type(shown.getByLabelText('Reason (optional)'), 'Trials');
    const before = asked(/^GET \/api\/subscribers$/).length;
    await start();
    await toasts().findByText('3 subscribers deleted.');
    await disappears('dialog', /./);
    await shows('anna');
    expect(await left()).toEqual(['anna']);
    expect(asked(deletions)).toEqual([2, 3, 4].map((id) => `DELETE /api/subscribers/${id}`));
    expect(new Set(keys(deletions)).size).toBe(3);
    expect((await page.sent(deletions)).reason).toBe('Trials');
    expect(asked(/^GET \/api\/subscribers$/).length - before).toBe(1);
    await barSays('Nobody selected yet.');
    await hasFocus(() => screen.getByRole('heading', { name: /^Subscribers/ }));
  });

  test('are found in the activity, where each goes back by itself', async () => {
    const { user, start, address } = await deleteThree();
    await start();
    const way = await toasts().findByRole('button', { name: 'Open activity' });
    expect(way.title).toMatch(/^Each can be undone there by itself\. .* with a new id/);
    await user.click(way);
    await waitFor(() => expect(journalRows()).toHaveLength(3));
    expect(address()).toMatch(/^\/activity\?(.*&)?operation=deleteSubscriber/);
  });

  test('are told of at once, and how far it has come', async () => {
    const { user, start } = await deleteThree();
    const held = holdAnswers(/^DELETE .*\/3$/);
    await start();
    await dialog('Deleting 3 subscribers');
    await waitFor(() => expect(inDialog().getByRole('status').textContent).toBe('1 of 3 deleted'));
    expect(report()).toEqual([
      'bjarne bjarne@example.comDeleted',
      'cecilie cecilie@example.comDeleting…',
      'dag dag@example.com',
    ]);
    await user.keyboard('{Escape}');
    await dialog('Deleting 3 subscribers');
    held.release();
    await toasts().findByText('3 subscribers deleted.');
  });

  test('are bound to what was seen of them, where somebody looked', async () => {
    const page = await openPage('/subscribers/2', { people });
    await (await appears('complementary', 'bjarne').then(within)).findByText('User agents');
    await page.user.keyboard('x{Escape}jx');
    await barSays('2 selected.');
    await page.service.updateSubscriber({ params: { id: 2 }, body: { note: 'Paid.' } });
    await page.user.click(bar().getByRole('button', { name: 'Delete…' }));
    const shown = await dialog('Delete 2 subscribers?');
    await page.user.type(shown.getByLabelText(/^To arm/), 'bjarne');
    await page.user.click(shown.getByRole('button', { name: 'Delete 2 subscribers' }));
    await shown.findByText('1 of 2 subscribers deleted, 1 not deleted.');
    expect(report()[0]).toMatch(
      /^bjarne .*Not deletedSomebody changed this subscriber .*Nothing was done\..*Request$/,
    );
    // Somebody has to look at it before.
    expect(shown.queryByRole('button', { name: /^Try again/ })).toBeNull();
    await page.user.click(shown.getByRole('button', { name: 'Close' }));
    await barSays('1 selected.');
  });
});

describe('what goes wrong', () => {
  test('on the way is waited for, and nothing is done twice', async () => {
    const { user, start, shown, asked, keys, left } = await deleteThree();
    const mend = loseAnswers(/^DELETE .*\/3$/);
    await start();
    await shown.findByText(/^No answer came back that says whether cecilie was deleted\./);
    mend();
    await user.click(shown.getByRole('button', { name: 'Try again' }));
    await toasts().findByText('3 subscribers deleted.');
    expect(await left()).toEqual(['anna']);
    expect(new Set(keys(/^DELETE .*\/3$/)).size).toBe(1);
    expect(asked(/^DELETE .*\/4$/)).toHaveLength(1);
  });

  test('at the service ends it; each is told, stays selected, and is tried again by one press', async () => {
    const { user, start, shown, asked, left } = await deleteThree();
    const mend = refuseWith(/^DELETE .*\/3$/, 'upstream-unreachable');
    await start();
    await shown.findByText('1 of 3 subscribers deleted, 1 not deleted, 1 not tried.');
    expect(report()).toEqual([
      'cecilie cecilie@example.comNot deletedThe subscriber service cannot be reachedRequest',
      'dag dag@example.comNot tried',
      'bjarne bjarne@example.comDeleted',
    ]);
    shown.getByText('k3v9-52aa');
    await hasFocus(() => shown.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(bar().getByText(/^2 selected/)).toBeTruthy());
    expect(await left()).toEqual(['anna', 'cecilie', 'dag']);
    mend();
    await user.click(shown.getByRole('button', { name: 'Try again (2)' }));
    await toasts().findByText('3 subscribers deleted.');
    expect(await left()).toEqual(['anna']);
    expect(asked(deletions).map((name) => name.at(-1))).toEqual(['2', '3', '3', '4']);
  });

  test('with those who went meanwhile is no failure, and is said; the only one deleted can be undone', async () => {
    const { user, start, service } = await deleteThree();
    await service.deleteSubscriber({ params: { id: 3 } });
    await service.deleteSubscriber({ params: { id: 4 } });
    await start();
    await toasts().findByText('1 of 3 subscribers deleted, 2 not there any more.');
    await barSays('Nobody selected yet.');
    await user.click(await toasts().findByRole('button', { name: 'Undo' }));
    await shows('anna', 'bjarne');
  });

  test('so that nobody knows is looked after: who is gone is gone', async () => {
    const { start, shown, service } = await deleteThree();
    refuseWith(/^DELETE .*\/3$/, 'outcome-unknown');
    await service.deleteSubscriber({ params: { id: 3 } });
    await start();
    await shown.findByText('1 of 3 subscribers deleted, 1 not there any more, 1 not tried.');
  });

  test('so that nobody knows, of who is still there, is said; the same key goes again', async () => {
    const { user, start, shown, keys, left } = await deleteThree();
    const mend = refuseWith(/^DELETE .*\/3$/, 'outcome-unknown');
    await start();
    await shown.findByText('1 of 3 subscribers deleted, 1 not known, 1 not tried.');
    expect(report()[0]).toMatch(/Not knownThe service did not say whether it was deleted/);
    mend();
    await user.click(shown.getByRole('button', { name: 'Try again (2)' }));
    await toasts().findByText('3 subscribers deleted.');
    expect(await left()).toEqual(['anna']);
    expect(new Set(keys(/^DELETE .*\/3$/)).size).toBe(1);
  });
});

describe('stopping', () => {
  test('leaves done what is done, and those not tried selected', async () => {
    const { user, start, shown, left } = await deleteThree();
    const held = holdAnswers(/^DELETE .*\/2$/);
    await start();
    await user.click(await shown.findByRole('button', { name: 'Stop' }));
    shown.getByRole('button', { name: 'Stopping…' });
    held.release();
    await shown.findByText('1 of 3 subscribers deleted, 2 not tried.');
    expect(await left()).toEqual(['anna', 'cecilie', 'dag']);
    await user.click(shown.getByRole('button', { name: 'Close' }));
    await barSays('2 selected.');
  });

  test('by closing while nobody knows is told on the page, once it is known', async () => {
    const { user, start, shown, left } = await deleteThree();
    const mend = loseAnswers(/^DELETE .*\/3$/);
    await start();
    await shown.findByText(/^No answer came back/);
    await user.click(shown.getByRole('button', { name: 'Close' }));
    await disappears('dialog', /./);
    mend();
    window.dispatchEvent(new Event('online'));
    await toasts().findByText('2 of 3 subscribers deleted, 1 not tried. The others are still selected.');
    expect(await left()).toEqual(['anna', 'dag']);
    await barSays('1 selected.');
  });
});
