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

/** Asks to delete three; `start` confirms it. */
async function deleteThree() {
  const page = await ask('bjarne', 'cecilie', 'dag');
  const start = async () => {
    await page.user.click(page.shown.getByLabelText(/^Type “bjarne”/));
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

describe('the dialog before deleting several', () => {
  test('names all, says what happens and what an undo can do, and “Cancel” keeps them', async () => {
    const { user, shown, left } = await ask('dag', 'bjarne');
    expect(report()).toEqual(['bjarne bjarne@example.com', 'dag dag@example.com']);
    shown.getByText(
      /Their access tokens stop working immediately\. Each deletion gets its own entry under Activity/,
    );
    shown.getByText('You can’t fully undo this: they would get new IDs and access tokens.');
    await user.click(shown.getByRole('button', { name: 'Cancel' }));
    await disappears('dialog', /^Delete/);
    await hasFocus(() => bar().getByRole('button', { name: 'Delete…' }));
    await barSays('2 selected.');
    expect(await left()).toHaveLength(4);
  });

  test('deletes only after the first of the names was typed', async () => {
    const { user, shown, asked } = await ask('dag', 'bjarne');
    const remove = shown.getByRole('button', { name: 'Delete 2 subscribers' });
    expect(remove).toHaveProperty('title', 'Type “bjarne” to confirm.');
    await user.click(remove);
    await user.type(shown.getByLabelText('Type “bjarne” to confirm'), 'bjarn');
    await user.click(remove);
    expect(asked(deletions)).toEqual([]);
    await user.type(shown.getByLabelText(/^Type “bjarne”/), 'e');
    await user.click(remove);
    await shows('anna', 'cecilie');
  });

  test('is the usual one for a single subscriber, whose toast undoes it', async () => {
    const { user, shown, left } = await ask('bjarne');
    await user.click(shown.getByRole('button', { name: 'Delete subscriber' }));
    await toasts().findByText('bjarne was deleted.');
    await disappears('dialog', /^Delete/);
    await barSays('No subscribers selected.');
    await hasFocus(() => screen.getByRole('heading', { name: /^Subscribers/ }));
    await user.click(await toasts().findByRole('button', { name: 'Undo' }));
    await shows('anna', 'cecilie', 'dag', 'bjarne');
    expect(await left()).toContain('bjarne');
  });
});

describe('several subscribers', () => {
  test('are deleted one after the other, each once and with the reason, and the list is refreshed once', async () => {
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
    await barSays('No subscribers selected.');
    await hasFocus(() => screen.getByRole('heading', { name: /^Subscribers/ }));
  });

  test('are listed in the activity afterwards, where each can be undone', async () => {
    const { user, start, address } = await deleteThree();
    await start();
    const way = await toasts().findByRole('button', { name: 'Open activity' });
    expect(way.title).toMatch('Undo single deletions on the Activity page.');
    await user.click(way);
    await waitFor(() => expect(journalRows()).toHaveLength(3));
    expect(address()).toMatch(/^\/activity\?(.*&)?operation=deleteSubscriber/);
  });

  test('show their progress while they are deleted', async () => {
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

  test('are deleted only in the version that the user saw', async () => {
    const page = await openPage('/subscribers/2', { people });
    await (await appears('complementary', 'bjarne').then(within)).findByText('User agents');
    await page.user.keyboard('x{Escape}jx');
    await barSays('2 selected.');
    await page.service.updateSubscriber({ params: { id: 2 }, body: { note: 'Paid.' } });
    await page.user.click(bar().getByRole('button', { name: 'Delete…' }));
    const shown = await dialog('Delete 2 subscribers?');
    await page.user.type(shown.getByLabelText(/^Type “bjarne”/), 'bjarne');
    await page.user.click(shown.getByRole('button', { name: 'Delete 2 subscribers' }));
    await shown.findByText('1 of 2 subscribers deleted, 1 not deleted.');
    expect(report()[0]).toMatch(
      /^bjarne .*Not deletedNothing was done: someone changed this subscriber .*Request$/,
    );
    // The user has to look at it first.
    expect(shown.queryByRole('button', { name: /^Try again/ })).toBeNull();
    await page.user.click(shown.getByRole('button', { name: 'Close' }));
    await barSays('1 selected.');
  });
});

describe('deleting several', () => {
  test('waits if an answer is lost, and deletes nothing twice', async () => {
    const { user, start, shown, asked, keys, left } = await deleteThree();
    const mend = loseAnswers(/^DELETE .*\/3$/);
    await start();
    await shown.findByText(/^We don’t know yet whether cecilie was deleted\./);
    mend();
    await user.click(shown.getByRole('button', { name: 'Check now' }));
    await toasts().findByText('3 subscribers deleted.');
    expect(await left()).toEqual(['anna']);
    expect(new Set(keys(/^DELETE .*\/3$/)).size).toBe(1);
    expect(asked(/^DELETE .*\/4$/)).toHaveLength(1);
  });

  test('stops if the service fails; those left stay selected and can be tried again', async () => {
    const { user, start, shown, asked, left } = await deleteThree();
    const mend = refuseWith(/^DELETE .*\/3$/, 'upstream-unreachable');
    await start();
    await shown.findByText('1 of 3 subscribers deleted, 1 not deleted, 1 not tried.');
    expect(report()).toEqual([
      'cecilie cecilie@example.comNot deletedThe subscriber service does not answerRequest',
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

  test('counts those that were already deleted apart, and the only one deleted can be undone', async () => {
    const { user, start, service } = await deleteThree();
    await service.deleteSubscriber({ params: { id: 3 } });
    await service.deleteSubscriber({ params: { id: 4 } });
    await start();
    await toasts().findByText('1 of 3 subscribers deleted, 2 already deleted.');
    await barSays('No subscribers selected.');
    await user.click(await toasts().findByRole('button', { name: 'Undo' }));
    await shows('anna', 'bjarne');
  });

  test('checks after an unknown outcome, and reports what is gone as already deleted', async () => {
    const { start, shown, service } = await deleteThree();
    refuseWith(/^DELETE .*\/3$/, 'outcome-unknown');
    await service.deleteSubscriber({ params: { id: 3 } });
    await start();
    await shown.findByText('1 of 3 subscribers deleted, 1 already deleted, 1 not tried.');
  });

  test('reports an unknown outcome, and trying again sends the same key', async () => {
    const { user, start, shown, keys, left } = await deleteThree();
    const mend = refuseWith(/^DELETE .*\/3$/, 'outcome-unknown');
    await start();
    await shown.findByText('1 of 3 subscribers deleted, 1 unknown, 1 not tried.');
    expect(report()[0]).toMatch(/UnknownWe don’t know whether it was deleted/);
    mend();
    await user.click(shown.getByRole('button', { name: 'Try again (2)' }));
    await toasts().findByText('3 subscribers deleted.');
    expect(await left()).toEqual(['anna']);
    expect(new Set(keys(/^DELETE .*\/3$/)).size).toBe(1);
  });
});

describe('stopping the deletion of several', () => {
  test('keeps what is deleted, and the others selected', async () => {
    const { user, start, shown, left } = await deleteThree();
    const held = holdAnswers(/^DELETE .*\/2$/);
    await start();
    await user.click(await shown.findByRole('button', { name: 'Stop' }));
    shown.getByRole('button', { name: 'Stopping…' });
    held.release();
    await shown.findByText('Stopped. 1 deleted, 2 unchanged.');
    expect(report()[0]).toBe('cecilie cecilie@example.comUnchanged');
    shown.getByRole('button', { name: 'Delete the other 2' });
    expect(await left()).toEqual(['anna', 'cecilie', 'dag']);
    await user.click(shown.getByRole('button', { name: 'Close' }));
    await barSays('2 selected.');
  });

  test('by closing the dialog while an answer is lost is reported in a toast', async () => {
    const { user, start, shown, left } = await deleteThree();
    const mend = loseAnswers(/^DELETE .*\/3$/);
    await start();
    await shown.findByText(/^We don’t know yet/);
    await user.click(shown.getByRole('button', { name: 'Close' }));
    await disappears('dialog', /./);
    mend();
    window.dispatchEvent(new Event('online'));
    await toasts().findByText('Stopped. 2 deleted, 1 unchanged. The others are still selected.');
    expect(await left()).toEqual(['anna', 'dag']);
    await barSays('1 selected.');
  });
});
