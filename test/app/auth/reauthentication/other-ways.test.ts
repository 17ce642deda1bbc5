import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { input } from '../../../support/app/form.ts';
import { shows, toggleFilter } from '../../../support/app/list.ts';
import { appears, button, dialog, disappears, hasFocus, renderApp } from '../../../support/app/page.tsx';
import { pane } from '../../../support/app/pane.ts';
import { anna } from '../../../support/people.ts';
import { barSays, mark } from '../../../support/app/selection.ts';
import {
  saveTooLate,
  answerWith,
  giveUp,
  noteOf,
  openAt,
  openForm,
  saving,
  title,
  typeNote,
  type Page,
} from '../../../support/app/session-over.ts';
import {
  endSessions,
  kari,
  makeManager,
  makeOneTime,
  moveElsewhere,
  ola,
  signInElsewhere,
  signInHeading,
} from '../../../support/app/sign-in.ts';
import { silentProvider } from '../../../support/bff/silent-provider.ts';

const fresh = 'long enough and my own';

describe('a sign-in in another tab while the session has ended in this one', () => {
  async function comeBack({ user }: Page) {
    window.dispatchEvent(new Event('focus'));
    await user.tab();
  }

  it('sends the waiting request when the same user returns', async () => {
    const { page } = await saveTooLate();
    await comeBack(page);
    await signInElsewhere(kari);
    await dialog(title);
    await comeBack(page);
    await pane('anna');
    await disappears('dialog', title);
    expect(await noteOf(page)).toBe('Typed before.');
  });

  it('drops the waiting request of another user, who gets a new page', async () => {
    const { page } = await saveTooLate();
    await signInElsewhere(ola);
    await comeBack(page);
    await screen.findByText(
      /^You’re now signed in as Ola \(Support\)\. .* Kari’s last action wasn’t done\.$/,
    );
    await disappears('dialog', title);
    await appears('button', /^Account: ?Ola/);
    await waitFor(() => expect(input('Note').value).toBe(anna.note));
    expect(page.address()).toBe('/subscribers/1/edit');
    expect(page.requested(saving).length).toBeLessThan(2);
    expect(await noteOf(page)).toBe(anna.note);
  });

  it('ends the selection of another user', async () => {
    const page = await openAt('/subscribers', { staff: { Kari: 'manager', Ola: 'manager' } });
    await shows('anna', 'bjarne');
    await page.user.click(await appears('button', 'Select'));
    await page.user.click(await mark('anna'));
    await barSays('1 selected.');
    await endSessions(page);
    page.goTo('/activity');
    await dialog(title);
    await signInElsewhere(ola);
    await comeBack(page);
    await appears('button', /^Account: ?Ola/);
    page.goTo('/subscribers');
    await shows('anna', 'bjarne');
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull();
  });

  it('drops the waiting request if the role is another, and keeps what was typed', async () => {
    const page = await openForm();
    await endSessions(page);
    await typeNote(page, 'Typed after the end.');
    await makeManager(page);
    await page.user.click(button('Save changes'));
    await answerWith(page, kari.password);
    await screen.findByText(/^You’re now signed in as Kari \(Manager\)\. Your role was Support/);
    await appears('link', 'Staff');
    await screen.findByText(/^Unsaved changes restored/);
    expect(input('Note').value).toBe('Typed after the end.');
    // It may not have been sent at all: a read in the background can be the first to ask for the sign-in.
    expect(page.requested(saving).length).toBeLessThan(2);
    expect(await noteOf(page)).toBe(anna.note);
  });

  it('says of no action that it was not done where none was waiting, with another role and for another user', async () => {
    const page = await openAt('/subscribers');
    await shows('anna', 'bjarne');
    await makeManager(page);
    await endSessions(page);
    page.goTo('/activity');
    await answerWith(page, kari.password);
    await screen.findByText(
      'You’re now signed in as Kari (Manager). Your role was Support, so the page was reloaded.',
    );
    await endSessions(page);
    page.goTo('/subscribers');
    await dialog(title);
    await signInElsewhere(ola);
    await comeBack(page);
    await screen.findByText('You’re now signed in as Ola (Support). The page was reloaded.');
  });
});

test('signing in again with a one-time password asks for a new one in the same dialog, and then continues', async () => {
  const page = await openForm();
  await typeNote(page);
  await makeOneTime(page);
  await endSessions(page);
  await page.user.click(button('Save changes'));
  await answerWith(page, kari.password);
  const asking = await dialog('Choose your own password');
  // Reads in the background wait as well, and do not remove the form.
  const meanwhile = page.cache.refetchQueries({ type: 'active' });
  expect(asking.queryByLabelText('One-time password')).toBeNull();
  await hasFocus(() => asking.getByLabelText('New password'));
  await page.user.paste(fresh);
  expect(input('Note').value).toBe('Typed before.');
  await page.user.click(asking.getByRole('button', { name: 'Change password' }));
  await pane('anna');
  await meanwhile;
  expect(await noteOf(page)).toBe('Typed before.');
});

describe('single sign-on in the dialog to sign in again', () => {
  const way = 'Sign in with single sign-on';

  it('is offered beside the password and opens in a new tab, so that the form stays', async () => {
    const { page, requested } = await saveTooLate({ singleSignOn: silentProvider });
    const offered = await requested.findByRole('link', { name: way });
    expect(offered.getAttribute('href')).toBe('/bff/oidc/start?to=%2Fsigned-in');
    expect(offered.getAttribute('target')).toBe('_blank');
    await giveUp(page);
    const leaving = await dialog('Leave without saving?');
    await page.user.click(leaving.getByRole('button', { name: 'Discard changes' }));
    await appears('heading', signInHeading);
  });

  it('is the only way to sign in for a user without a password', async () => {
    const page = await openAt('/subscribers', { singleSignOn: silentProvider });
    await shows('anna', 'bjarne');
    await moveElsewhere(page);
    await page.cache.refetchQueries({ queryKey: ['getSession'] });
    await endSessions(page);
    await toggleFilter(page.user, 'Trial');
    const asking = await dialog(title);
    expect(asking.queryByLabelText('Password')).toBeNull();
    await hasFocus(() => asking.getByRole('link', { name: way }));
    await giveUp(page);
    await appears('heading', signInHeading);
  });

  it('ends on a page that sends the user back to the first tab', async () => {
    renderApp('/signed-in');
    await appears('heading', 'You’re signed in');
    expect(screen.getByText(/^Close this tab /)).toBeTruthy();
    expect(within(screen.getByRole('main')).getByRole('link').getAttribute('href')).toBe('/subscribers');
  });
});
