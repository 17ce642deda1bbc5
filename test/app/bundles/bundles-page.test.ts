import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { readBundles, writeBundles } from '../../../src/app/bundles/bundles-page.tsx';
import { createRestService, restBundles, restUpstream } from '../../support/bff/rest-service.ts';
import { appears, button, dialog, disappears, openApp, rowsOf } from '../../support/app/page.tsx';

const sports = { number: 3, name: 'Sports', isSold: true };
const movies = { number: 4, name: 'Movies; "new"', isSold: false };

const rows = () => rowsOf('Bundles').map((cells) => cells.join('').replace(/Edit.*/, ''));

describe('the page of bundles', () => {
  it('adds, edits, moves and removes them, and undoes the last', async () => {
    const { user } = await openApp('/bundles', { role: 'manager' });
    await appears('heading', 'No bundle has a name yet');
    for (const [number, name] of [
      ['3', 'Sports'],
      ['4', 'Movies'],
    ] as const) {
      await user.click(button('Add bundle'));
      const form = await dialog('Add bundle');
      await user.type(form.getByLabelText('Number'), number);
      await user.type(form.getByLabelText('Name'), name);
      await user.click(form.getByRole('button', { name: 'Add bundle' }));
      await disappears('dialog', 'Add bundle');
    }
    expect(rows()).toEqual(['3Sports ', '4Movies ']);

    await user.click(button('Move Movies up'));
    await appears('button', 'Undo');
    expect(rows()).toEqual(['4Movies ', '3Sports ']);

    await user.click(button('Edit Sports'));
    const form = await dialog('Edit Sports');
    await user.clear(form.getByLabelText('Name'));
    await user.type(form.getByLabelText('Name'), 'movies');
    await user.click(form.getByRole('button', { name: 'Save bundle' }));
    await form.findByText('Another bundle has this name. Choose another.');
    await user.type(form.getByLabelText('Name'), ' plus');
    await user.click(form.getByLabelText('Is sold'));
    await user.click(form.getByRole('button', { name: 'Save bundle' }));
    await disappears('dialog', 'Edit Sports');
    expect(rows()).toEqual(['4Movies ', '3movies plus No longer sold']);

    await user.click(button('Remove movies plus'));
    await screen.findByText('movies plus is removed.');
    expect(rows()).toEqual(['4Movies ']);
    await user.click(screen.getAllByRole('button', { name: 'Undo' }).at(-1) ?? button('Undo'));
    await screen.findByText('The bundles are as before.');
    expect(rows()).toEqual(['4Movies ', '3movies plus No longer sold']);
  });

  it('imports a file into the list, and says which line cannot be used', async () => {
    const { user } = await openApp('/bundles', { role: 'manager' });
    await appears('heading', 'No bundle has a name yet');
    const upload = (text: string) =>
      user.upload(screen.getByLabelText('File with bundles'), new File([text], 'bundles.csv'));
    await upload('3,Sports\nx,Movies');
    await screen.findByText('Line 2: Enter a whole number, 1 or higher. Nothing was imported.');
    await upload('Number;Name\n3;Sports\n4;Movies;no');
    await screen.findByText('The file is imported.');
    expect(rows()).toEqual(['3Sports ', '4Movies No longer sold']);
  });

  it('says what became meanwhile of the bundle that is edited, before that is replaced', async () => {
    const { user, as } = await openApp('/bundles', { role: 'manager' });
    await appears('heading', 'No bundle has a name yet');
    await user.upload(screen.getByLabelText('File with bundles'), new File(['3,Sports'], 'bundles.csv'));
    await user.click(await appears('button', 'Edit Sports'));
    const form = await dialog('Edit Sports');
    const save = () => user.click(form.getByRole('button', { name: 'Save bundle' }));
    const other = as('manager', 'Jonas');
    const { version } = (await other.bff.listBundles({})).data;
    const theirs = { number: 3, name: 'Football', isSold: false };
    await other.bff.saveBundles({ body: { bundles: [theirs], version } });
    await user.type(form.getByLabelText('Name'), ' Plus');
    await save();
    await form.findByText(/^Someone else has changed the bundles/);
    await form.findByText(
      'This bundle was changed after you opened it: it is called “Football” now, and is no longer sold. Save to replace that.',
    );
    expect(rows()).toEqual(['3Football No longer sold']);
    const after = (await other.bff.listBundles({})).data;
    await other.bff.saveBundles({ body: { bundles: [], version: after.version } });
    await save();
    await form.findByText('This bundle was removed after you opened it. Save to add it again.');
    await save();
    await disappears('dialog', 'Edit Sports');
    expect(rows()).toEqual(['3Sports Plus ']);
  });

  it('refuses a file whose letters cannot be read', async () => {
    const { user } = await openApp('/bundles', { role: 'manager' });
    await appears('heading', 'No bundle has a name yet');
    // As spreadsheets save CSV in Western Europe unless they are told otherwise.
    const latin = Uint8Array.from('3;Søndag', (letter) => letter.charCodeAt(0));
    await user.upload(screen.getByLabelText('File with bundles'), new File([latin], 'bundles.csv'));
    await screen.findByText(/^This file isn’t in UTF-8 or UTF-16\./);
    await appears('heading', 'No bundle has a name yet');
  });

  it('shows a manager the names of a service that has them, says so, and changes nothing', async () => {
    const { fetch } = createRestService({ count: 1 });
    const upstream = restUpstream(fetch, { bundles: restBundles });
    await openApp('/bundles', { role: 'manager', upstream });
    await screen.findByText(/The names come from the subscriber service, where they are changed/);
    expect(rows()).toEqual(['3Sports ', '6Movies ']);
    for (const name of ['Add bundle', 'Import…', 'Edit Sports'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });

  it('shows support the names, and nothing to change them', async () => {
    await openApp('/bundles', { role: 'support' });
    await appears('heading', 'No bundle has a name yet');
    await screen.findByText(/Managers can edit them/);
    expect(screen.queryByRole('button', { name: 'Add bundle' })).toBeNull();
  });
});

describe('a file with bundles', () => {
  it('has all of them, so that it can be read back', () => {
    expect(readBundles(writeBundles([sports, movies]), [])).toEqual([sports, movies]);
    const formula = { ...sports, name: '=1+1' };
    expect(readBundles(writeBundles([formula]), [])).toEqual([formula]);
  });

  it('replaces names, also if two change places, and adds the rest at the end', () => {
    const present = [sports, { ...movies, name: 'Movies' }];
    expect(readBundles('4\tSports\n3\tMovies\n\n9\tKids', present)).toEqual([
      { number: 3, name: 'Movies', isSold: true },
      // Names alone do not say that it is sold again.
      { number: 4, name: 'Sports', isSold: false },
      { number: 9, name: 'Kids', isSold: true },
    ]);
  });

  it.each([
    ['no', false],
    ['FALSE', false],
    ['0', false],
    ['yes', true],
    ['true', true],
  ])('says by “%s” if a bundle is sold', (word, isSold) => {
    expect(readBundles(`3,Sports,${word}`, [{ ...sports, isSold: !isSold }])).toEqual([
      { ...sports, isSold },
    ]);
  });

  it.each([
    ['', 'The file has no bundle. Each line needs a number and a name.'],
    ['Number,Name', 'The file has no bundle. Each line needs a number and a name.'],
    ['3,Sports\n3,More', 'Line 2: Bundle 3 is in the file twice. Nothing was imported.'],
    ['9,sports', 'Line 1: Bundle 3 is called “Sports”, too. Nothing was imported.'],
    ['1,A\n2,a', 'Line 2: Bundle 1 is called “A”, too. Nothing was imported.'],
    ['3', 'Line 1: Enter a name. Nothing was imported.'],
    ['3,Sports,nein', 'Line 1: Enter yes or no behind the name. Nothing was imported.'],
  ])('is refused with a reason: “%s”', (file, sentence) => {
    expect(() => readBundles(file, [sports])).toThrow(sentence);
  });
});
