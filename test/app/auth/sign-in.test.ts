import type { DeskOptions } from '../../support/app/desk.ts';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, test, vi } from 'vitest';
import { shows, usernames } from '../../support/app/list.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { appears, button, hasFocus, openApp } from '../../support/app/page.tsx';
import { silentProvider } from '../../support/bff/silent-provider.ts';
import { anna, person } from '../../support/people.ts';
import {
  endSessions,
  kari,
  moveElsewhere,
  ola,
  signIn,
  signInHeading,
  signOut,
  staff,
} from '../../support/app/sign-in.ts';

const openAt = (address: string) =>
  openApp(address, { people: [person('anna'), person('bjarne', { isTrial: true })], staff });

/** The list of a signed-in user. */
async function openSignedIn(options: DeskOptions = {}) {
  const page = await openApp('/subscribers', { people: [anna, person('bjarne')], staff, ...options });
  await signIn(page.user, kari);
  await shows('anna', 'bjarne');
  return page;
}

const wrong = { ...kari, password: 'incorrect horse battery' };

test('a user who is not signed in gets the sign-in page, and then the requested page', async () => {
  const { user, address } = await openAt('/subscribers?trial=true&sort=username');
  await appears('heading', signInHeading);
  await hasFocus(() => screen.getByLabelText('Name'));
  expect(document.title).toBe('Sign in · Subscriber Desk');
  expect(screen.queryByRole('table')).toBeNull();
  await signIn(user, kari);
  await shows('bjarne');
  expect(address()).toBe('/subscribers?trial=true&sort=username');
  await appears('button', /^Account: ?Kari ?Support$/);
});

test('the sign-in page asks for empty fields without sending a request', async () => {
  const { user, requested } = await openAt('/sign-in');
  await appears('heading', signInHeading);
  await user.click(button('Sign in'));
  await screen.findByText('Enter your name.');
  expect(screen.getByText('Enter your password.')).toBeTruthy();
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  expect(requested(/POST/)).toEqual([]);
});

test('the password can be shown while it is typed', async () => {
  const { user } = await openAt('/sign-in');
  await appears('heading', signInHeading);
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  await user.type(field, 'heard');
  expect(field.type).toBe('password');
  const box = screen.getByRole('checkbox', { name: 'Show password' });
  await user.click(box);
  expect([field.type, field.value]).toEqual(['text', 'heard']);
  await user.click(box);
  expect(field.type).toBe('password');
});

test('a browser that takes no cookies is told to allow them', async () => {
  vi.spyOn(navigator, 'cookieEnabled', 'get').mockReturnValue(false);
  await openAt('/sign-in');
  await screen.findByText(
    'Your browser blocks cookies, which signing in needs. Allow them for this page, and load it again.',
  );
});

describe('a sign-in that fails', () => {
  it('says the same for a wrong password and an unknown name', async () => {
    const { user, address } = await openAt('/sign-in');
    await signIn(user, wrong);
    await screen.findByText('Name or password is wrong. Check both and try again.');
    await signIn(user, { ...kari, name: 'Nobody' });
    await screen.findByText('Name or password is wrong. Check both and try again.');
    expect(address()).toBe('/sign-in');
    await signIn(user, kari);
    await shows('anna', 'bjarne');
  });

  it('says after too many attempts how long to wait, even with the right password', async () => {
    const { user } = await openAt('/sign-in');
    await signIn(user, wrong);
    for (let attempt = 2; attempt <= 10; attempt += 1) {
      await waitFor(() => expect(button('Sign in').getAttribute('aria-busy')).toBeNull());
      await user.click(button('Sign in'));
    }
    await waitFor(() => expect(button('Sign in').getAttribute('aria-busy')).toBeNull());
    await signIn(user, kari);
    await screen.findByText('Too many attempts. Try again in 6 minutes.');
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('says that there is no network, and keeps what was typed', async () => {
    const { user } = await openAt('/sign-in');
    const mend = cutNetwork(/POST \/bff\/session/);
    await signIn(user, kari);
    await screen.findByText('No answer from Subscriber Desk. Check your connection and try again.');
    mend();
    await user.click(button('Sign in'));
    await shows('anna', 'bjarne');
  });
});

test.each([
  '//evil.example/subscribers',
  '/\\evil.example',
  '/.//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
])('a sign-in link that would lead to %s afterwards leads to the list', async (from) => {
  const { user, address } = await openAt(`/sign-in?${new URLSearchParams({ from })}`);
  await signIn(user, kari);
  await shows('anna', 'bjarne');
  expect(address()).toBe('/subscribers');
});

describe('a sign-out', () => {
  it('opens the sign-in page and clears all data', async () => {
    const { user, goTo, cache } = await openSignedIn();
    await signOut(user);
    await appears('heading', signInHeading);
    await waitFor(() => expect(cache.getQueryCache().getAll()).toEqual([]));
    goTo('/subscribers/1');
    await waitFor(() => expect(screen.queryByText('anna@example.com')).toBeNull());
    await appears('heading', signInHeading);
  });

  it('is told as under way until it is done, and nobody signs in before', async () => {
    const { user, requested } = await openSignedIn();
    const { release } = holdAnswers(/DELETE \/bff\/session/);
    await signOut(user);
    const action = await appears('button', 'Signing out…');
    await user.type(screen.getByLabelText('Name'), ola.name);
    await user.type(screen.getByLabelText('Password'), `${ola.password}{Enter}`);
    await user.click(action);
    expect(requested(/POST \/bff\/session/)).toHaveLength(1);
    release();
    await user.click(await appears('button', 'Sign in'));
    await appears('button', /^Account: ?Ola/);
  });

  it('offers no passkey and no single sign-on until it is done', async () => {
    const { user } = await openSignedIn({ singleSignOn: silentProvider });
    const { release } = holdAnswers(/DELETE \/bff\/session/);
    await signOut(user);
    const action = await appears('button', 'Signing out…');
    expect(action.getAttribute('aria-busy')).toBe('true');
    expect(screen.queryByRole('link', { name: 'Sign in with single sign-on' })).toBeNull();
    release();
    await appears('link', 'Sign in with single sign-on');
  });

  it('clears all data as well where the session had ended already', async () => {
    const { user, cache, db } = await openSignedIn();
    await endSessions({ db });
    await signOut(user);
    await appears('heading', signInHeading);
    await waitFor(() => expect(cache.getQueryCache().getAll()).toEqual([]));
    expect(screen.queryByText(/still be signed in/)).toBeNull();
  });

  it.each([
    ['the session had ended already', true],
    ['the provider names no page for it', false],
  ])('says where single sign-on is not ended as well, because %s', async (_, hasEnded) => {
    const page = await openSignedIn({ singleSignOn: silentProvider });
    await moveElsewhere(page);
    await page.cache.refetchQueries({ queryKey: ['getSession'] });
    if (hasEnded) await endSessions(page);
    await signOut(page.user);
    await screen.findByText(/^You’re signed out here, and may still be signed in at your single sign-on\./);
    await appears('heading', signInHeading);
  });

  it('says that the user may still be signed in if no answer comes', async () => {
    const { user } = await openSignedIn();
    cutNetwork(/DELETE \/bff\/session/);
    await signOut(user);
    await screen.findByText(/^You may still be signed in\. No answer from Subscriber Desk\./);
    expect(usernames()).toEqual(['anna', 'bjarne']);
  });
});
