import { screen } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { shows } from '../../support/app/list.ts';
import { cutNetwork } from '../../support/app/network.ts';
import { kari, openBffWithAccounts } from '../../support/app/bff-with-accounts.ts';
import { appears, button, hasFocus, openDashboard, openPage } from '../../support/app/page.tsx';
import { anna } from '../../support/app/people.ts';
import { signIn, signInHeading, signOut } from '../../support/app/sign-in.ts';

const fresh = 'nine tired otters sing';
const forced = 'Choose a password of your own';

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

describe('the own password', () => {
  const openChange = async () => {
    const bff = await openBffWithAccounts([anna]);
    const page = openDashboard('/subscribers');
    await signIn(page.user, kari);
    await shows('anna');
    await page.user.click(await appears('button', /^Account: ?Kari/));
    await page.user.click(await appears('link', 'Change password'));
    await appears('heading', 'Change your password');
    return { ...bff, ...page };
  };

  test('is changed from the account menu, and then the new one signs in', async () => {
    const { user, address } = await openChange();
    await hasFocus(() => screen.getByRole('heading', { name: 'Change your password' }));
    await change(user, 'Present password', kari.password, fresh);
    expect(await screen.findByText(/^Your password is changed\./)).toBeTruthy();
    await shows('anna');
    expect(address()).toBe('/subscribers');
    await signOut(user);
    await signIn(user, kari);
    expect(await screen.findByText(/^Name or password is wrong/)).toBeTruthy();
    await signIn(user, { ...kari, password: fresh });
    await shows('anna');
  });

  test('is not changed if the present one is wrong or the new one is weak, and the field says so', async () => {
    const { user, asked } = await openChange();
    await change(user, 'Present password', kari.password, 'too short');
    expect(await screen.findByText('Choose 15 to 128 characters.')).toBeTruthy();
    await change(user, 'Present password', kari.password, 'passwordpassword');
    expect(await screen.findByText(/^This is one of the first that anybody would try/)).toBeTruthy();
    expect(asked(/^PUT/)).toEqual([]);
    await change(user, 'Present password', 'a wrong one', fresh);
    expect(await screen.findByText('This is not your present password. Try again.')).toBeTruthy();
    await hasFocus(() => screen.getByLabelText('Present password'));
    await change(user, 'Present password', kari.password, kari.password);
    expect(await screen.findByText('This is your present password.')).toBeTruthy();
  });

  test('is hidden until the user shows it', async () => {
    const { user } = await openChange();
    const types = () =>
      ['Present password', 'New password'].map((name) => screen.getByLabelText(name).getAttribute('type'));
    expect(types()).toEqual(['password', 'password']);
    await user.click(screen.getByRole('checkbox', { name: 'Show passwords' }));
    expect(types()).toEqual(['text', 'text']);
  });

  test('that could not be sent says so, and nothing typed is lost', async () => {
    const { user } = await openChange();
    cutNetwork(/^PUT \/bff\/password/);
    await change(user, 'Present password', kari.password, fresh);
    expect(await screen.findByText(/^No answer came\./)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe(fresh);
  });

  test('does not exist where no sign-in is needed', async () => {
    await openPage('/password');
    expect(await screen.findByText(/^There are no passwords here/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Change password' })).toBeNull();
  });
});

describe('after signing in with a one-time password', () => {
  test('only one screen opens until it is changed, and then the requested page', async () => {
    const { asked, makeOneTime } = await openBffWithAccounts([anna]);
    await makeOneTime();
    const { user, address } = openDashboard('/sign-in?from=%2Fsubscribers%3Fusername%3Dann');
    await signIn(user, kari);
    await appears('heading', forced);
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
    expect(asked(/\/api\//)).toEqual([]);
    await change(user, 'One-time password', kari.password, fresh);
    await shows('anna');
    expect(address()).toBe('/subscribers?username=ann');
  });

  test('in another tab, the next step in this one asks for it too', async () => {
    const { makeOneTime } = await openBffWithAccounts([anna]);
    const { user } = openDashboard('/subscribers');
    await signIn(user, kari);
    await shows('anna');
    await makeOneTime();
    await user.click(button('Expired'));
    await appears('heading', forced);
  });

  test('every address leads to it, and signing out is possible', async () => {
    await (await openBffWithAccounts([anna])).makeOneTime();
    const { user, goTo } = openDashboard('/sign-in');
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
