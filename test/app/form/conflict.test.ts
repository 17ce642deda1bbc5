import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { proxiedApi } from '../../../src/contract/bff/api.ts';
import { apiBase, csrfHeader } from '../../../src/contract/bff/paths.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import type { UpdateBody } from '../../../src/contract/service/subscriber-input.ts';
import { fill, input, openForm } from '../../support/app/form.ts';
import { appears, button, dialog, disappears } from '../../support/app/page.tsx';
import { pane } from '../../support/app/pane.ts';

const title = 'Someone else changed anna';
const update = /PUT \/api/;

/** Someone else saves while the form is open; then the user saves. */
async function collide(theirs: UpdateBody, mine: Record<string, string>) {
  const page = await openForm('/subscribers/1/edit');
  const saveAs = (body: UpdateBody) => page.service.updateSubscriber({ params: { id: 1 }, body });
  await saveAs(theirs);
  for (const [label, text] of Object.entries(mine)) await fill(page.user, label, text);
  await page.user.click(button('Save changes'));
  const shown = await dialog(title);
  return {
    ...page,
    shown,
    saveAs,
    press: (name: string) =>
      page.user.click(within(screen.getByRole('dialog')).getByRole('button', { name })),
    pick: (field: string, side: RegExp) =>
      page.user.click(within(card(field)).getByRole('radio', { name: side })),
    now: page.saved,
  };
}

const card = (field: string) => screen.getByRole('group', { name: field });
const said = (field: string) => card(field).textContent;
/** The dialog's marks for another sentence in Anna's note. */
const instead = (sentence: string) => ` removed: Calls on Mondays added: ${sentence} then: .`;

test('changes of different fields are shown with the person who made them, and both are saved', async () => {
  const { press, now } = await collide({ note: 'Theirs.' }, { Email: 'mine@example.com' });
  expect(said('Note')).toBe(`NoteThey changed it.Theirs ${instead('Theirs')}`);
  expect(said('Email')).toBe(
    'EmailYou changed it; not saved yet.Before anna@example.comYours mine@example.com',
  );
  expect(await now()).toMatchObject({ note: 'Theirs.', email: 'anna@example.com' });
  await press('Save merged version');
  await pane('anna');
  await screen.findByText('Changes to anna were saved.');
  expect(await now()).toMatchObject({ note: 'Theirs.', email: 'mine@example.com' });
});

describe('a field that both changed', () => {
  it.each([
    [/^Yours/, 'Mine.'],
    [/^Theirs/, 'Theirs.'],
    [/^Both/, 'Theirs.\nMine.'],
  ])('is saved as chosen (%s), and not before', async (side, note) => {
    const { press, pick, shown, now, requested } = await collide({ note: 'Theirs.' }, { Note: 'Mine.' });
    expect(said('Note')).toContain(
      `NoteYou both changed it.Theirs ${instead('Theirs')}Yours ${instead('Mine')}Both `,
    );
    const save = shown.getByRole('button', { name: 'Save merged version' });
    expect(save.title).toBe('Choose a value for Note.');
    await press('Save merged version');
    expect(requested(update)).toHaveLength(1);
    await pick('Note', side);
    await press('Save merged version');
    await pane('anna');
    expect((await now()).note).toBe(note);
  });

  it('needs no choice if it is a note of which they changed different lines', async () => {
    const { press, shown, now } = await collide(
      { note: 'Calls on Mondays.\nTheirs.' },
      { Note: 'Calls on Mondays.\nMine.' },
    );
    expect(said('Note')).toMatch(/^NoteYou both changed it\. Both changes are kept\./);
    expect(shown.queryByRole('radio')).toBeNull();
    await press('Save merged version');
    await pane('anna');
    expect((await now()).note).toBe('Calls on Mondays.\nTheirs.\nMine.');
  });

  it('is a long note that shows what differs, and not all of it for each person', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `Line number ${index}`).join('\n');
    await collide({ note: `Theirs.\n${lines}` }, { Note: 'mine '.repeat(390).trim() });
    expect(said('Note')).toContain('Both together would be too long.');
    expect(said('Note')?.length).toBeLessThan(1000);
  });

  it('can have the values that both people added, if it is a list', async () => {
    const { press, pick, now } = await collide({ bundles: [30, 7, 8] }, { Bundles: '9' });
    await pick('Bundles', /^Both/);
    await press('Save merged version');
    await pane('anna');
    expect((await now()).bundles).toEqual([30, 7, 8, 9]);
  });
});

test('a field that both changed to the same value needs no choice', async () => {
  const { press, now } = await collide(
    { note: 'Same.', email: 'theirs@example.com' },
    { Note: 'Same.', 'Connection limit': '9' },
  );
  expect(screen.queryByRole('group', { name: 'Note' })).toBeNull();
  await press('Save merged version');
  await pane('anna');
  expect(await now()).toMatchObject({ note: 'Same.', email: 'theirs@example.com', maxConnections: 9 });
});

test('a save by someone else while the conflict dialog is open is not overwritten', async () => {
  const { press, saveAs, now } = await collide({ note: 'Theirs.' }, { Email: 'mine@example.com' });
  await saveAs({ maxConnections: 5 });
  await press('Save merged version');
  await waitFor(() => expect(said('Connection limit')).toContain('Before 3Theirs 5'));
  await press('Save merged version');
  await pane('anna');
  expect(await now()).toMatchObject({ note: 'Theirs.', email: 'mine@example.com', maxConnections: 5 });
});

test('a save after only the access token was replaced needs no decision', async () => {
  const page = await openForm('/subscribers/1/edit');
  await page.service.regenerateToken({ params: { id: 1 } });
  await fill(page.user, 'Note', 'Mine.');
  await page.user.click(button('Save changes'));
  await screen.findByText('Changes to anna were saved.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(page.requested(update)).toHaveLength(2);
});

test('a save of the same person in another tab is called theirs, also after going back', async () => {
  const page = await openForm('/subscribers/1/edit');
  const there = createClient(proxiedApi, {
    fetch: (request) => fetch(request),
    base: `${location.origin}${apiBase}`,
    headers: { [csrfHeader.name]: csrfHeader.value },
  });
  await there.updateSubscriber({ params: { id: 1 }, body: { note: 'There.' } });
  await fill(page.user, 'Note', 'Here.');
  await page.user.click(button('Save changes'));
  const shown = await dialog('You also changed anna elsewhere');
  expect(shown.getByText(/: you changed this subscriber after you opened it \(14:00\)\./)).toBeTruthy();
  expect(said('Note')).toContain(
    `NoteYou changed it here and elsewhere.Elsewhere ${instead('There')}Here ${instead('Here')}Both `,
  );
  await page.user.click(shown.getByRole('button', { name: 'Keep editing' }));
  expect((await appears('alert')).textContent).toMatch(/^Nothing was saved: you changed this subscriber/);
});

describe('the way back from the conflict dialog to the form', () => {
  it('saves nothing and loses nothing; saving again shows both versions', async () => {
    const { user, press, now } = await collide({ note: 'Theirs.' }, { Email: 'mine@example.com' });
    await press('Keep editing');
    await disappears('dialog', title);
    expect((await appears('alert')).textContent).toMatch(
      /^Nothing was saved: someone changed this subscriber/,
    );
    expect(input('Email').value).toBe('mine@example.com');
    expect(await now()).toMatchObject({ note: 'Theirs.', email: 'anna@example.com' });
    await user.click(button('Save changes'));
    await dialog(title);
  });

  it('allows loading the other version instead', async () => {
    const { user, press } = await collide({ note: 'Theirs.' }, { Email: 'mine@example.com' });
    await press('Keep editing');
    await user.click(await appears('button', 'Discard my changes and load the saved version'));
    await waitFor(() => expect(input('Note').value).toBe('Theirs.'));
    expect(input('Email').value).toBe('anna@example.com');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' }).disabled).toBe(true);
  });
});
