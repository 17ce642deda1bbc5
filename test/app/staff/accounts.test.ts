import type { UserEvent } from '@testing-library/user-event';
import { createBrowserHistory } from '@tanstack/react-router';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { proofLife } from '../../../src/bff/current-user.ts';
import { addFactor } from '../../../src/bff/auth/second-factor.ts';
import { copyOutcomes } from '../../../src/app/components/copy-button.tsx';
import { kari, signIn, signInElsewhere } from '../../support/app/sign-in.ts';
import { openDesk } from '../../support/app/desk.ts';
import { cutNetwork, holdAnswers, loseAnswers } from '../../support/app/network.ts';
import {
  appears,
  button,
  dialog,
  disappears,
  hasFocus,
  renderApp,
  openApp,
  type Page,
} from '../../support/app/page.tsx';
import { testTime } from '../../support/setup/fixed-time.ts';
import { account, accountIs, add, choose, hire } from '../../support/app/staff.ts';

const openStaff = () => openApp('/staff', { role: 'manager' });

/** Gives an account a second factor past the page, which then shows it. */
async function giveFactor({ db, deps, cache }: Page, account: string, kind: 'totp' | 'passkey' = 'totp') {
  const named = db.selectFrom('staff').select('id').where('name', '=', account);
  const { id: staffId } = await named.executeTakeFirstOrThrow();
  const factor = { staffId, kind, secret: 'made up', counter: 0, name: 'Firefox' };
  await db.transaction().execute((tx) => addFactor(tx, factor, deps));
  await cache.invalidateQueries();
}

/** Gives Jonas another password, and waits for the dialog that shows it. */
async function resetPassword(user: UserEvent) {
  await choose(user, 'Jonas', 'Reset password…');
  const question = await dialog('Reset Jonas’s password?');
  await user.click(question.getByRole('button', { name: 'Reset password' }));
  return dialog('One-time password for Jonas');
}

async function disable(user: UserEvent) {
  await choose(user, 'Jonas', 'Disable…');
  await user.click((await dialog('Disable Jonas?')).getByRole('button', { name: 'Disable account' }));
  await accountIs('Jonas', 'Viewer', 'Disabled', 'never');
}

const confirmTitle = 'Confirm that it’s you';
const oneTimePassword = /^([a-z2-9]{5}-){3}[a-z2-9]{5}$/;

describe('a new staff account', () => {
  it('shows its one-time password once, and how to pass it on', async () => {
    const { user } = await openStaff();
    await add(user, 'Jonas', 'Viewer');
    const shown = await dialog('One-time password for Jonas');
    const password = shown.getByText(oneTimePassword).textContent;
    expect(shown.getByText(/in person or by phone/)).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Copy password' }));
    expect(await navigator.clipboard.readText()).toBe(password);
    await user.click(shown.getByRole('button', { name: 'Done' }));
    await accountIs('Jonas', 'Viewer', 'One-time password', 'never');
    expect(screen.queryByText(password)).toBeNull();
    expect(await screen.findByText('Jonas is added.')).toBeTruthy();
    await hasFocus(() => button('Add staff'));
  });

  it('says at the field that the name is missing or taken', async () => {
    const { user } = await openStaff();
    await user.click(await appears('button', 'Add staff'));
    const form = await dialog('Add staff');
    await user.click(form.getByRole('button', { name: 'Add account' }));
    expect(await form.findByText('Enter a name.')).toBeTruthy();
    await user.click(form.getByRole('button', { name: 'Cancel' }));

    await hire(user, 'Jonas', 'Viewer');
    await add(user, 'jonas', 'Support');
    const again = await dialog('Add staff');
    expect(await again.findByText('Name already taken. Choose another.')).toBeTruthy();
    await hasFocus(() => again.getByRole('textbox', { name: 'Name' }));
  });

  it('says that it may have been added if the answer is lost', async () => {
    const { user } = await openStaff();
    loseAnswers(/^POST \/bff\/staff/);
    await add(user, 'Jonas', 'Viewer');
    const form = await dialog('Add staff');
    expect(await form.findByText(/whether the account was added/)).toBeTruthy();
    await accountIs('Jonas', 'Viewer', 'One-time password', 'never');
  });
});

describe('the dialog that shows a one-time password', () => {
  const openShown = async () => {
    const { user } = await openStaff();
    await add(user, 'Jonas', 'Viewer');
    const title = 'One-time password for Jonas';
    return { user, title, shown: await dialog(title) };
  };

  it('is not closed by Escape before the password was copied, and says why', async () => {
    const { user, title, shown } = await openShown();
    for (const times of [1, 2]) await user.keyboard('{Escape}'.repeat(times));
    expect(shown.getByRole('alert').textContent).toMatch(/^Copy the password first/);
    expect(shown.getByText(oneTimePassword)).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Copy password' }));
    await waitFor(() => expect(shown.getByRole('alert').textContent).toBe(''));
    await user.keyboard('{Escape}');
    await disappears('dialog', title);
  });

  it('stays where somebody goes back, before its answer is there too, until the password was copied', async () => {
    await openDesk({ role: 'manager' });
    window.history.replaceState(null, '', '/messages');
    const history = createBrowserHistory();
    onTestFinished(() => history.destroy());
    const { user } = renderApp('/messages', history);
    await user.click(await appears('link', 'Staff'));
    const { release } = holdAnswers(/^POST .*staff/);
    await add(user, 'Jonas', 'Viewer');
    await appears('button', 'Adding…');
    window.history.back();
    release();
    const shown = await dialog('One-time password for Jonas');
    window.history.back();
    await shown.findByText(/^Copy the password first/);
    await waitFor(() => expect(location.pathname).toBe('/staff'));
    await user.click(shown.getByRole('button', { name: 'Copy password' }));
    await waitFor(() => expect(shown.getByRole('alert').textContent).toBe(''));
    window.history.back();
    await appears('heading', 'Messages');
  });

  it('is not closed by Escape where copying failed, and a press of Done is enough', async () => {
    const { user, title, shown } = await openShown();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('Not allowed.'));
    await user.click(shown.getByRole('button', { name: 'Copy password' }));
    await shown.findByText(copyOutcomes.failed('password'));
    await user.keyboard('{Escape}');
    expect(shown.getByText(oneTimePassword)).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Done' }));
    await disappears('dialog', title);
  });
});

describe('a staff account', () => {
  it('can get another role', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await choose(user, 'Jonas', 'Change role…');
    const form = await dialog('Change Jonas’s role');
    expect(form.getByRole<HTMLInputElement>('radio', { name: 'Viewer' }).checked).toBe(true);
    await user.click(form.getByRole('radio', { name: 'Support' }));
    await user.click(form.getByRole('button', { name: 'Change role' }));
    expect(await screen.findByText('Jonas’s role is now Support.')).toBeTruthy();
    await accountIs('Jonas', 'Support', 'One-time password', 'never');
    await hasFocus(() => button('Manage Jonas'));
  });

  it('is disabled after a confirmation, and can be enabled again', async () => {
    const { user, requested } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await choose(user, 'Jonas', 'Disable…');
    await user.click((await dialog('Disable Jonas?')).getByRole('button', { name: 'Cancel' }));
    expect(requested(/^PUT/)).toEqual([]);
    await disable(user);
    await screen.findByText('Jonas is disabled and signed out everywhere.');
    await choose(user, 'Jonas', 'Enable');
    await screen.findByText(/^Jonas is enabled\./);
    await accountIs('Jonas', 'Viewer', 'One-time password', 'never');
  });

  it('stays in the list as disabled if enabling it fails, and a message says so', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await disable(user);
    cutNetwork(/^PUT/);
    await choose(user, 'Jonas', 'Enable');
    expect(await screen.findByText(/whether Jonas was enabled\. Check the list/)).toBeTruthy();
    expect(account('Jonas')).toEqual(['Viewer', 'Disabled', 'never']);
  });

  it('is signed out everywhere after a confirmation', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await choose(user, 'Jonas', 'Sign out everywhere…');
    const question = await dialog('Sign Jonas out everywhere?');
    await user.click(question.getByRole('button', { name: 'Sign out everywhere' }));
    expect(await screen.findByText('Jonas wasn’t signed in.')).toBeTruthy();
    await disappears('dialog', /Jonas/);
  });

  it('gets a one-time password after a confirmation', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    const shown = await resetPassword(user);
    expect(shown.getByText(oneTimePassword)).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Done' }));
    await hasFocus(() => button('Manage Jonas'));
  });

  it('is said to stay disabled where it gets a one-time password, and to need another once that has expired', async () => {
    const { user } = await openStaff();
    await hire(user, 'Jonas', 'Viewer');
    await disable(user);
    const shown = await resetPassword(user);
    expect(
      shown.getByText('Jonas is disabled. Enable the account, or nobody can sign in with it.'),
    ).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Done' }));
    await choose(user, 'Jonas', 'Enable');
    await screen.findByText(
      'Jonas is enabled. If the one-time password was used or is older than 24 hours, reset the password.',
    );
  });

  it('is said to let nobody sign in where its provider is not the one that is set up', async () => {
    const page = await openStaff();
    const { user, changeAccount, cache } = page;
    await hire(user, 'Jonas', 'Viewer');
    await changeAccount('Jonas', {
      issuer: 'https://former.example',
      must_change_password: 0,
      disabled: 1,
    });
    await cache.invalidateQueries();
    await accountIs('Jonas', 'Viewer', 'Disabled', 'never');
    await user.click(button(/^Manage Jonas/));
    await user.click(await appears('button', 'Enable'));
    await screen.findByText(
      /^Jonas.* is enabled, but can’t sign in: the account is of another single sign-on than the one here\.$/,
    );
    await accountIs('Jonas', 'Viewer', 'Can’t sign in', 'never');
  });

  it.each([
    ['Change role…', 'Change Jonas’s role'],
    ['Reset password…', 'Reset Jonas’s password?'],
    ['Sign out everywhere…', 'Sign Jonas out everywhere?'],
    ['Disable…', 'Disable Jonas?'],
  ])(
    'is said to have its jobs paused before they are, if its role can have some: %s',
    async (action, title) => {
      const { user } = await openStaff();
      await hire(user, 'Jonas', 'Manager');
      await hire(user, 'Ola', 'Support');
      await choose(user, 'Jonas', action);
      const question = await dialog(title);
      const jobs =
        /^Jobs in the name of Jonas that run or are to start are paused until somebody continues them/;
      question.getByText(jobs);
      await user.click(question.getByRole('button', { name: 'Cancel' }));
      await disappears('dialog', title);
      await choose(user, 'Ola', action);
      const other = await dialog(title.replace('Jonas', 'Ola'));
      expect(other.queryByText(/^Jobs/)).toBeNull();
    },
  );

  it('says which passkeys stay after another password, and offers to remove them', async () => {
    const page = await openStaff();
    const { user, rows } = page;
    await hire(user, 'Jonas', 'Viewer');
    await giveFactor(page, 'Jonas', 'passkey');
    const shown = await resetPassword(user);
    expect(shown.getByText(/Jonas keeps 1 passkey\./)).toBeTruthy();
    await user.click(shown.getByRole('button', { name: 'Remove second factors' }));
    expect(await shown.findByText('Jonas has no passkeys any more.')).toBeTruthy();
    expect(await rows('second_factors')).toEqual([]);
    expect(shown.getByText(oneTimePassword)).toBeTruthy();
  });

  it('cannot be disabled if it is the last manager, and the dialog says why', async () => {
    await openDesk({ staff: { Kari: 'manager' } });
    await signInElsewhere(kari);
    const { user } = renderApp('/staff');
    await hire(user, 'Ingrid', 'Manager');
    await choose(user, 'Kari', 'Disable…');
    const question = await dialog('Disable your own account?');
    await user.click(question.getByRole('button', { name: 'Disable account' }));
    const alert = await question.findByText(
      /^This is the last manager who can sign in\. Nothing was changed\./,
    );
    expect(within(question.getByRole('alert')).getByText(alert.textContent)).toBe(alert);
    expect(account('Kari').slice(0, 2)).toEqual(['Manager', 'Active']);
  });
});

test('the second factor of an account is marked, and is reset from its actions', async () => {
  const page = await openStaff();
  const { user } = page;
  await hire(user, 'Jonas', 'Viewer');
  await user.click(button('Manage Jonas'));
  const without = await appears('button', 'Reset second factor…');
  expect(without.getAttribute('aria-disabled')).toBe('true');
  await user.click(button('Manage Jonas'));
  await giveFactor(page, 'Jonas');
  await appears('rowheader', /^Jonas ?Second factor/);
  await choose(user, 'Jonas', 'Reset second factor…');
  const asking = await dialog('Reset Jonas’s second factor?');
  await user.click(asking.getByRole('button', { name: 'Reset second factor' }));
  await screen.findByText('Jonas’s second factor is reset.');
  await waitFor(() => expect(screen.queryByText('Second factor')).toBeNull());
});

test('a second factor is reset by a manager who signed in a while ago and does so again', async () => {
  const staff = { Kari: 'manager', Ola: 'support' } as const;
  const page = await openApp('/staff', { staff });
  const { user, time } = page;
  await signIn(user, kari);
  await appears('rowheader', /^Ola/);
  await giveFactor(page, 'Ola');
  await appears('rowheader', /^Ola ?Second factor/);
  await choose(user, 'Ola', 'Reset second factor…');
  const asking = await dialog('Reset Ola’s second factor?');
  time.now += proofLife;
  await user.click(asking.getByRole('button', { name: 'Reset second factor' }));
  const refused = await dialog(confirmTitle);
  await user.click(refused.getByRole('button', { name: 'Cancel' }));
  await asking.findByText(/^Only you may do this/);
  await user.click(asking.getByRole('button', { name: 'Reset second factor' }));
  const confirm = await dialog(confirmTitle);
  await user.type(confirm.getByLabelText('Password'), 'not the password{Enter}');
  await confirm.findByText('The password is wrong. Check it and try again.');
  await user.clear(confirm.getByLabelText('Password'));
  await user.type(confirm.getByLabelText('Password'), `${kari.password}{Enter}`);
  await screen.findByText('Ola’s second factor is reset.');
  expect(screen.queryByText('You’re signed in again.')).toBeNull();
});

describe('the account of the signed-in manager', () => {
  it('is marked, and its password cannot be reset', async () => {
    const { user } = await openStaff();
    await hire(user, 'Kari', 'Manager');
    const name = await appears('rowheader', /^Kari/);
    expect(within(name).getByText('You')).toBeTruthy();
    await user.click(button('Manage Kari'));
    const reset = await appears('button', 'Reset password…');
    expect(reset.getAttribute('aria-disabled')).toBe('true');
    await user.click(reset);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the staff page', () => {
  it('says now for a sign-in that has just been, where the clock of the page is slow', async () => {
    const { user, db, cache } = await openStaff();
    await hire(user, 'Ola', 'Support');
    const staff = db.updateTable('staff').where('name', '=', 'Ola');
    await staff.set({ last_sign_in_at: testTime + 3000 }).execute();
    await cache.invalidateQueries();
    await waitFor(() => expect(account('Ola').at(-1)).toMatch(/^now,/));
  });
});
