import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { shows, toggleFilter } from '../../support/app/list.ts';
import { loseAnswers } from '../../support/app/network.ts';
import { appears, button, hasFocus, openApp } from '../../support/app/page.tsx';
import { anna } from '../../support/people.ts';
import { kari, makeOneTime, signIn, signInHeading, signOut, staff } from '../../support/app/sign-in.ts';

const fresh = 'nine tired otters sing';
const forced = 'Choose your own password';

/** Fills in the form for a new password, and sends it. */
async function change(user: UserEvent, label: string, password: string, newPassword: string) {
  for (const [name, text] of [
    [label, password],
    ['New password', newPassword],
  ] as const) {
    await user.clear(await screen.findByLabelText(name));
    await user.type(screen.getByLabelText(name), text);
  }
  await user.click(button('Change password'));
}

describe('the page to change the own password', () => {
  const openChange = async () => {
    const page = await openApp('/subscribers', { people: [anna], staff });
    await signIn(page.user, kari);
    await shows('anna');
    await page.user.click(await appears('button', /^Account: ?Kari/));
    await page.user.click(await appears('link', 'Change password'));
    await appears('heading', 'Change your password');
    return page;
  };

  it('opens from the account menu, and afterwards only the new password signs in', async () => {
    const { user, address } = await openChange();
    await hasFocus(() => screen.getByRole('heading', { name: 'Change your password' }));
    await change(user, 'Current password', kari.password, fresh);
    expect(await screen.findByText(/^Your password is changed\./)).toBeTruthy();
    await shows('anna');
    expect(address()).toBe('/subscribers');
    await signOut(user);
    await signIn(user, kari);
    expect(await screen.findByText(/^Name or password is wrong/)).toBeTruthy();
    await signIn(user, { ...kari, password: fresh });
    await shows('anna');
  });

  it('says that the new one is weak when the press that leaves its field is over', async () => {
    const { user } = await openChange();
    await user.type(await screen.findByLabelText('New password'), 'too short');
    await user.pointer({ keys: '[MouseLeft>]', target: button('Change password') });
    expect(screen.queryByText('Use 15 to 128 characters.')).toBeNull();
    await user.pointer({ keys: '[/MouseLeft]', target: button('Change password') });
    expect(await screen.findByText('Use 15 to 128 characters.')).toBeTruthy();
  });

  it('says at the field that the current password is wrong or the new one is weak', async () => {
    const { user, requested } = await openChange();
    await change(user, 'Current password', kari.password, 'too short');
    expect(await screen.findByText('Use 15 to 128 characters.')).toBeTruthy();
    await change(user, 'Current password', kari.password, 'passwordpassword');
    expect(await screen.findByText(/^Too easy to guess/)).toBeTruthy();
    expect(requested(/^PUT/)).toEqual([]);
    await change(user, 'Current password', 'a wrong one', fresh);
    expect(await screen.findByText('This is not your current password. Try again.')).toBeTruthy();
    await hasFocus(() => screen.getByLabelText('Current password'));
    await change(user, 'Current password', kari.password, kari.password);
    expect(await screen.findByText('This is your current password. Choose another.')).toBeTruthy();
  });

  it('hides the passwords until the user shows them', async () => {
    const { user } = await openChange();
    const types = () =>
      ['Current password', 'New password'].map((name) => screen.getByLabelText(name).getAttribute('type'));
    expect(types()).toEqual(['password', 'password']);
    await user.click(screen.getByRole('checkbox', { name: 'Show passwords' }));
    expect(types()).toEqual(['text', 'text']);
  });

  it('says that it may have been changed if the answer is lost, and keeps what was typed', async () => {
    const { user } = await openChange();
    loseAnswers(/^PUT \/bff\/password/, 1);
    await change(user, 'Current password', kari.password, fresh);
    await screen.findByText(
      'We don’t know whether your password was changed. Sign in with the new one before you try again.',
    );
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe(fresh);
  });

  it('has no form for a user who did not need to sign in', async () => {
    await openApp('/password');
    expect(await screen.findByText(/^You didn’t need a password to sign in/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull();
  });
});

describe('a one-time password', () => {
  it('has to be replaced before anything else, and then the requested page opens', async () => {
    const page = await openApp('/sign-in?from=%2Fsubscribers%3Fusername%3Dann', { people: [anna], staff });
    const { requested, user, address } = page;
    await makeOneTime(page);
    await signIn(user, kari);
    await appears('heading', forced);
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
    expect(requested(/\/api\//)).toEqual([]);
    await hasFocus(() => screen.getByLabelText('New password'));
    for (const label of ['One-time password', 'Current password'])
      expect(screen.queryByLabelText(label)).toBeNull();
    await user.paste('passwordpassword');
    await user.click(button('Change password'));
    expect(await screen.findByText(/^Too easy to guess/)).toBeTruthy();
    await user.clear(screen.getByLabelText('New password'));
    await user.paste(fresh);
    await user.click(button('Change password'));
    await shows('anna');
    expect(address()).toBe('/subscribers?username=ann');
  });

  it('has to be replaced at the next action if a manager sets it while the page is open', async () => {
    const page = await openApp('/subscribers', { people: [anna], staff });
    const { user } = page;
    await signIn(user, kari);
    await shows('anna');
    await makeOneTime(page);
    await toggleFilter(user, 'Expired');
    await appears('heading', forced);
  });

  it('has to be replaced at every address, unless the user signs out', async () => {
    const page = await openApp('/sign-in', { people: [anna], staff });
    const { user, goTo } = page;
    await makeOneTime(page);
    await signIn(user, kari);
    await appears('heading', forced);
    goTo('/subscribers');
    await appears('heading', forced);
    await user.click(await appears('button', /^Account: ?Kari/));
    expect(screen.queryByRole('link', { name: 'Change password' })).toBeNull();
    await user.click(button('Sign out'));
    await appears('heading', signInHeading);
  });
});
