import { screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { proofLife } from '../../../src/bff/current-user.ts';
import { catchFiles } from '../../support/app/files.ts';
import { appears, button, dialog, disappears, hasFocus, openApp } from '../../support/app/page.tsx';
import { endSessions, kari, moveElsewhere, signIn, staff } from '../../support/app/sign-in.ts';
import { silentProvider } from '../../support/bff/silent-provider.ts';
import { trySignIn } from '../../support/bff/person.ts';
import { setUpApp } from '../../support/bff/second-factor.ts';
import { enterCode, keepCodes, keyIn, scan, setUp } from '../../support/app/second-factor.ts';

const section = () => screen.getByRole('region', { name: 'Second factor' });
const recoveryCode = /^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/;

/** The status of a sign-in in another browser. */
const signInElsewhere = async (code?: string) =>
  (await trySignIn(page, 'Kari', { code, base: location.origin })).status;

async function openAccount() {
  const page = await openApp('/account', { staff, singleSignOn: silentProvider });
  await signIn(page.user, kari);
  await appears('button', setUp);
  return page;
}

async function confirm(user: UserEvent, title: string, action: string) {
  const asking = await dialog(title);
  await user.click(asking.getByRole('button', { name: action }));
}

let page: Awaited<ReturnType<typeof openAccount>>;

describe('a user without a second factor', () => {
  beforeEach(async () => {
    page = await openAccount();
  });

  it('sets up an authenticator app by its key and its first code, and then gets recovery codes', async () => {
    const { user } = page;
    const { shown, key } = await scan(user);
    expect(shown.getByRole('img', { name: 'QR code with the key' }).querySelectorAll('path')).toHaveLength(1);
    await hasFocus(() => shown.getByLabelText('Code'));
    await user.keyboard('000000');
    await user.click(shown.getByRole('button', { name: 'Confirm' }));
    await shown.findByText(/^This code is wrong\. Enter the six digits that the app shows now\./);
    await enterCode(user, shown, key, page.time.now);
    const stored = await dialog('Your recovery codes');
    const codes = stored.getAllByText(recoveryCode).map((code) => code.textContent);
    expect(codes).toHaveLength(10);
    await user.click(stored.getByRole('button', { name: 'I have kept them' }));
    await disappears('dialog', 'Your recovery codes');
    await waitFor(() => expect(section().textContent).toContain('10 recovery codes left.'));
    expect(await signInElsewhere()).toBe(401);
    expect(await signInElsewhere(codes[0])).toBe(200);
  });

  it('signs in again for it after a while', async () => {
    const { user, time } = page;
    time.now += proofLife;
    await user.click(button(setUp));
    await confirm(user, setUp, 'Continue');
    const again = await dialog('Confirm that it’s you');
    await hasFocus(() => again.getByLabelText('Password'));
    // Which password managers read.
    expect(document.querySelector('form input[autocomplete=username]')).toHaveProperty('value', kari.name);
    await user.keyboard(`${kari.password}{Enter}`);
    await dialog('Scan this with the app');
  });

  it('changes nothing by a dialog that is cancelled', async () => {
    const { user } = page;
    const { shown } = await scan(user);
    await user.click(shown.getByRole('button', { name: 'Cancel' }));
    await disappears('dialog', 'Scan this with the app');
    await hasFocus(() => button(setUp));
    expect(await signInElsewhere()).toBe(200);
  });
});

describe('a user with an authenticator app', () => {
  beforeEach(async () => {
    page = await openApp('/account', { staff });
    const app = await setUpApp(page, await page.signIn('Kari'));
    await signIn(page.user, kari);
    await page.user.type(await screen.findByLabelText('Code'), app.code());
    await page.user.click(button('Sign in'));
    await appears('button', 'Remove app…');
  });

  it('reads before using another one what stops working: the app, the recovery codes and the other sessions', async () => {
    const { user } = page;
    await user.click(button('Use another app…'));
    const asking = await dialog('Use another authenticator app');
    asking.getByText(
      /The app and the recovery codes that you have now stop working.*signed out everywhere else/,
    );
  });

  it('removes it, and the focus goes to the heading with the button that had it', async () => {
    const { user } = page;
    await user.click(button('Remove app…'));
    await confirm(user, 'Remove your authenticator app?', 'Remove app');
    await appears('button', setUp);
    await hasFocus(() => screen.getByRole('heading', { level: 1 }));
    await screen.findByText('Your authenticator app is removed. You’re signed out everywhere else.');
    expect(await signInElsewhere()).toBe(200);
  });

  it('gets new recovery codes, which are saved as a file and not closed by mistake', async () => {
    const files = catchFiles();
    const { user } = page;
    await user.click(button('New recovery codes…'));
    await confirm(user, 'Make new recovery codes?', 'Make new codes');
    const stored = await dialog('Your recovery codes');
    const codes = stored.getAllByText(recoveryCode).map((code) => code.textContent);
    await user.click(stored.getByRole('button', { name: 'Save as file' }));
    expect(files[0]?.name).toBe('subscriber-desk-recovery-codes.txt');
    expect(await files[0]?.blob?.text()).toBe(`${codes.join('\n')}\n`);
    await user.keyboard('{Escape}');
    await stored.findByText(/^Keep the codes first/);
    await user.click(stored.getByRole('button', { name: 'I have kept them' }));
    await disappears('dialog', 'Your recovery codes');
    expect(await signInElsewhere(codes[9])).toBe(200);
  });

  it('gets a warning when few recovery codes are left', async () => {
    expect(section().textContent).not.toContain('Make new ones');
    const all = await page.db.selectFrom('recovery_codes').select('key').execute();
    const used = all.slice(2).map(({ key }) => key);
    await page.db.updateTable('recovery_codes').set({ used_at: 1 }).where('key', 'in', used).execute();
    page.goTo('/messages');
    await appears('heading', 'Messages');
    await page.cache.invalidateQueries();
    page.goTo('/account');
    await waitFor(() => expect(section().textContent).toContain('2 recovery codes left.'));
    expect(section().textContent).toContain('You have few recovery codes left. Make new ones');
  });
});

test('single sign-on has its own second factor, and the page says so', async () => {
  page = await openAccount();
  await moveElsewhere(page);
  await page.cache.invalidateQueries();
  await screen.findByText(
    'You sign in with single sign-on. Your provider does this: set up a second factor there.',
  );
  expect(screen.queryByRole('button', { name: setUp })).toBeNull();
});

test('every address shows how to set up a required second factor, and then what was requested', async () => {
  page = await openApp('/messages', { staff: { Kari: 'manager' }, requireSecondFactor: 'managers' });
  const { user } = page;
  await signIn(user, kari);
  await appears('heading', 'Set up your second factor');
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  const { shown, key } = await scan(user);
  await enterCode(user, shown, key, page.time.now);
  const stored = await dialog('Your recovery codes');
  // The network was gone for a moment, so everything else is read again.
  const before = page.requested(/second-factor/).length;
  window.dispatchEvent(new Event('offline'));
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(page.requested(/second-factor/).length).toBeGreaterThan(before));
  await waitFor(() => expect(page.cache.isFetching()).toBe(0));
  expect(stored.getAllByText(recoveryCode)[0]?.isConnected).toBe(true);
  await user.click(stored.getByRole('button', { name: 'I have kept them' }));
  await appears('heading', 'Messages');
  await appears('navigation', 'Main');
});

test('a required second factor goes on being set up after signing in again for it', async () => {
  page = await openApp('/messages', { staff: { Kari: 'manager' }, requireSecondFactor: 'managers' });
  const { user, time } = page;
  await signIn(user, kari);
  await appears('button', setUp);
  time.now += proofLife;
  await user.click(button(setUp));
  await confirm(user, setUp, 'Continue');
  await hasFocus(() => screen.getByLabelText('Password'));
  await user.keyboard(`${kari.password}{Enter}`);
  const shown = await dialog('Scan this with the app');
  const key = keyIn(shown);
  // The session ends while the user installs the app.
  await endSessions(page);
  await enterCode(user, shown, key, time.now);
  const again = await dialog('Sign in again');
  await user.click(again.getByLabelText('Password'));
  await user.keyboard(`${kari.password}{Enter}`);
  await keepCodes(user);
  await appears('heading', 'Messages');
});

test('a user who did not sign in is told that there is nothing to protect', async () => {
  await openApp('/account');
  await screen.findByText('You can’t set one up here, because you didn’t need to sign in.');
});
