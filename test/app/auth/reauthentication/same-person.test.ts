import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { input } from '../../../support/app/form.ts';
import { shows, usernames, toggleFilter } from '../../../support/app/list.ts';
import { cutNetwork, holdAnswers, refuseWith } from '../../../support/app/network.ts';
import { appears, button, dialog, disappears, hasFocus, link, openApp } from '../../../support/app/page.tsx';
import { details, pane } from '../../../support/app/pane.ts';
import { anna } from '../../../support/people.ts';
import {
  openListTooLate,
  saveTooLate,
  answerWith,
  giveUp,
  noteOf,
  openAt,
  openForm,
  saving,
  title,
  typeNote,
} from '../../../support/app/session-over.ts';
import { endSessions, kari, signIn, signInHeading, staff } from '../../../support/app/sign-in.ts';

describe('a session that has ended', () => {
  it('asks for the password in a dialog when a form is saved, and then saves once what was typed', async () => {
    const { page, requested } = await saveTooLate();
    expect(requested.getByText('Kari').parentElement?.textContent).toBe('Kari Support');
    await hasFocus(() => requested.getByLabelText('Password'));
    expect(input('Note').value).toBe('Typed before.');
    expect(await noteOf(page)).toBe(anna.note);
    await answerWith(page, kari.password);
    await pane('anna');
    await disappears('dialog', title);
    expect(await noteOf(page)).toBe('Typed before.');
    const [first, second, ...more] = page.keys(saving);
    expect([second, more]).toEqual([first, []]);
    expect(page.address()).toBe('/subscribers/1');
  });

  it('returns the focus to where it was after signing in again', async () => {
    const page = await openListTooLate();
    await toggleFilter(page.user, 'Trial');
    await answerWith(page, kari.password);
    await shows('bjarne');
    await hasFocus(() => screen.getByRole('combobox', { name: 'Plan' }));
    await screen.findByText('You’re signed in again.');
  });

  it('lets the opening of a subscriber and a new token each continue after signing in again', async () => {
    const page = await openListTooLate();
    await page.user.click(link('anna'));
    await answerWith(page, kari.password);
    const shown = await pane('anna');
    await shown.findByText('Norway');
    await endSessions(page);
    await page.user.click(button('Regenerate token…'));
    const change = await dialog('Regenerate access token');
    await page.user.click(change.getByRole('button', { name: 'Regenerate token' }));
    await answerWith(page, kari.password);
    await screen.findByText('anna has a new token. The old one no longer works.');
    expect(new Set(page.keys(/regenerate-token/)).size).toBe(1);
  });

  it('opens one dialog for several requests at once, and all continue', async () => {
    const page = await openAt('/subscribers/1');
    await (await pane('anna')).findByText('Norway');
    await endSessions(page);
    const failing = page.cache.refetchQueries({ type: 'active' });
    await dialog(title);
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    await answerWith(page, kari.password);
    await failing;
    const errors = page.cache
      .getQueryCache()
      .findAll({ type: 'active' })
      .map(({ state }) => state.error);
    expect(errors.filter((error) => error !== null)).toEqual([]);
    expect(details()['Countries']).toContain('Norway');
  });

  it('opens no dialog by saving a draft while the user types, and saves it after signing in again', async () => {
    const page = await openForm();
    await endSessions(page);
    await typeNote(page, 'Typed after the end.');
    const drafts = /PUT \/bff\/drafts/;
    const typed = { values: { note: 'Typed after the end.' } };
    // What was typed before may have been sent as well.
    await waitFor(async () => {
      expect(page.requested(drafts)).not.toEqual([]);
      expect((await page.sent(drafts)).body).toMatchObject(typed);
    });
    const refused = page.requested(drafts).length;
    expect(screen.queryByRole('dialog')).toBeNull();
    await page.user.click(button('Save changes'));
    await dialog(title);
    const answer = holdAnswers(saving);
    await answerWith(page, kari.password);
    await waitFor(() => expect(page.requested(drafts).length).toBeGreaterThan(refused));
    expect((await page.sent(drafts)).body).toMatchObject(typed);
    answer.release();
    await pane('anna');
  });

  it('opens its dialog only once the user pauses, where the page itself finds out while they type', async () => {
    const page = await openForm();
    await endSessions(page);
    await page.user.clear(input('Note'));
    await page.user.keyboard('Called about');
    const reads = /GET \/api\/subscribers\/1/;
    const before = page.requested(reads).length;
    const reading = page.cache.refetchQueries({ type: 'active' });
    await waitFor(() => expect(page.requested(reads).length).toBeGreaterThan(before));
    for (const word of ' the box, which is slow since a week ago'.split(/(?= )/))
      await page.user.keyboard(word);
    expect(input('Note').value).toBe('Called about the box, which is slow since a week ago');
    await answerWith(page, kari.password);
    await reading;
    await hasFocus(() => input('Note'));
    expect(input('Note').value).toBe('Called about the box, which is slow since a week ago');
  });

  it('is not asked for where it has only got another id while the request was on its way', async () => {
    const page = await openForm();
    await typeNote(page);
    const letPass = refuseWith(saving, 'not-signed-in');
    await page.user.click(button('Save changes'));
    await waitFor(() => expect(page.requested(saving)).toHaveLength(1));
    letPass();
    await pane('anna');
    await disappears('dialog', title);
    expect(await noteOf(page)).toBe('Typed before.');
  });

  it('opens no dialog for prefetching', async () => {
    const page = await openListTooLate();
    await page.user.hover(link('anna'));
    await waitFor(() => expect(page.requested(/subscribers\/1/)).toHaveLength(1));
    await waitFor(() => expect(page.cache.isFetching()).toBe(0));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(usernames()).toEqual(['anna', 'bjarne']);
  });
});

describe('the password in the dialog to sign in again', () => {
  it('can be corrected if it is wrong, and then the form is saved', async () => {
    const { page } = await saveTooLate();
    await answerWith(page, 'incorrect horse battery');
    const asking = await dialog(title);
    expect(await asking.findByText('The password is wrong. Check it and try again.')).toBeTruthy();
    await hasFocus(() => asking.getByLabelText('Password'));
    await answerWith(page, kari.password);
    await pane('anna');
    expect(await noteOf(page)).toBe('Typed before.');
  });

  it('is required, and stays in the field if it cannot be sent', async () => {
    const { page, requested } = await saveTooLate();
    await page.user.click(requested.getByRole('button', { name: 'Sign in' }));
    expect(await requested.findByText('Enter your password.')).toBeTruthy();
    const mend = cutNetwork(/POST \/bff\/session/);
    await answerWith(page, kari.password);
    expect(await requested.findByText(/^No answer from Subscriber Desk\./)).toBeTruthy();
    expect(requested.getByLabelText<HTMLInputElement>('Password').value).toBe(kari.password);
    mend();
    await page.user.click(requested.getByRole('button', { name: 'Sign in' }));
    await pane('anna');
  });
});

describe('Cancel in the dialog to sign in again', () => {
  it('opens the sign-in page, which returns to the same page', async () => {
    const page = await openListTooLate();
    await toggleFilter(page.user, 'Trial');
    await giveUp(page);
    await signIn(page.user, kari);
    await shows('bjarne');
    expect(page.address()).toBe('/subscribers?trial=true');
  });

  it('asks before it leaves unsaved changes, and staying keeps them', async () => {
    const { page } = await saveTooLate();
    await page.user.keyboard('{Escape}');
    const leaving = await dialog('Leave without saving?');
    await page.user.click(leaving.getByRole('button', { name: 'Keep editing' }));
    expect(input('Note').value).toBe('Typed before.');
    await page.user.click(button('Save changes'));
    await answerWith(page, kari.password);
    await pane('anna');
    expect(await noteOf(page)).toBe('Typed before.');
    expect(new Set(page.keys(saving)).size).toBe(1);
  });
});

test('a user who has not signed in on this page gets the sign-in page, not a dialog', async () => {
  await openApp('/subscribers', { people: [anna], staff });
  await appears('heading', signInHeading);
  expect(screen.queryByRole('dialog')).toBeNull();
});
