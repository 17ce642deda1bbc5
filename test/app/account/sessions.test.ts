import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { cutNetwork } from '../../support/app/network.ts';
import { appears, button, dialog, hasFocus, link, renderApp, openApp } from '../../support/app/page.tsx';
import { kari, moveElsewhere, signIn, staff } from '../../support/app/sign-in.ts';
import { silentProvider } from '../../support/bff/silent-provider.ts';
import { createPerson, isIn } from '../../support/bff/person.ts';
import type { TestDesk } from '../../support/desk.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** Kari, signed in with another browser. */
async function signInWith(userAgent: string, desk: Pick<TestDesk, 'fetch'>) {
  const person = createPerson((request) => {
    request.headers.set('User-Agent', userAgent);
    return desk.fetch(request);
  }, location.origin);
  await person.bff.signIn({ body: kari });
  return person;
}

/** The page of Kari, who is also signed in with Firefox and with Chrome. */
async function openAccount() {
  const page = await openApp('/account', { staff, singleSignOn: silentProvider });
  const others = [await signInWith(firefox, page), await signInWith(chrome, page)] as const;
  await signIn(page.user, kari);
  await appears('rowheader', /This one/);
  return { ...page, others };
}

/** The browsers in the table, from top to bottom. */
const browsers = () =>
  within(screen.getByRole('table', { name: 'Sessions' }))
    .getAllByRole('rowheader')
    .map((cell) => cell.querySelector('strong')?.textContent);

describe('the section about the sessions of a user', () => {
  it('lists them on the page that the account menu opens, this one first and without a way to end it', async () => {
    const { user, goTo } = await openAccount();
    goTo('/messages');
    await appears('heading', 'Messages');
    await user.click(await appears('button', /^Account: ?Kari/));
    await user.click(await appears('link', 'My account'));
    await hasFocus(() => screen.getByRole('heading', { name: 'My account' }));
    const own = (await appears('rowheader', /This one/)).closest('tr');
    expect(new Set(browsers().slice(1))).toEqual(new Set(['Chrome on Windows', 'Firefox on Linux']));
    expect(own && within(own).queryByRole('button')).toBeNull();
    expect(screen.getAllByText('This one')).toHaveLength(1);
    expect(own?.textContent).toMatch(/now/);
  });

  it('ends one session at a time, and the toast says which', async () => {
    const { user, others } = await openAccount();
    await user.click(button('End Firefox on Linux'));
    expect(await screen.findByText('Firefox on Linux is signed out.')).toBeTruthy();
    await waitFor(() => expect(browsers()).toHaveLength(2));
    expect(browsers()).toContain('Chrome on Windows');
    await hasFocus(() => screen.getByRole('heading', { name: 'My account' }));
    expect(await Promise.all(others.map(isIn))).toEqual([false, true]);
  });

  it('loses sessions that have ended meanwhile, and says why', async () => {
    const { user, others } = await openAccount();
    await others[0].bff.signOut({});
    await user.click(button('End Firefox on Linux'));
    expect(await screen.findByText(/^You have no such session any more/)).toBeTruthy();
    await waitFor(() => expect(browsers()).not.toContain('Firefox on Linux'));
  });

  it('ends all sessions but this one, after a question', async () => {
    const { user, others } = await openAccount();
    await user.click(button('End all others…'));
    const asking = await dialog('End all other sessions?');
    expect(await Promise.all(others.map(isIn))).toEqual([true, true]);
    await user.click(asking.getByRole('button', { name: 'End all others' }));
    expect(await screen.findByText('2 sessions ended.')).toBeTruthy();
    await waitFor(() => expect(browsers()).toHaveLength(1));
    expect(await Promise.all(others.map(isIn))).toEqual([false, false]);
    await waitFor(() => expect(button('End all others…').title).toBe('You’re signed in nowhere else.'));
  });

  it('says that a session may have ended where no answer comes', async () => {
    const { user } = await openAccount();
    cutNetwork(/^DELETE \/bff\/sessions/);
    await user.click(button('End Firefox on Linux'));
    expect(await screen.findByText(/whether Firefox on Linux was signed out/)).toBeTruthy();
  });
});

describe('the section about the password', () => {
  it('leads to the page for the password, and back afterwards', async () => {
    const { user, address } = await openAccount();
    await user.click(link('Change password'));
    await appears('heading', 'Change your password');
    expect(address()).toBe('/password?from=%2Faccount');
  });

  it('says where single sign-on changes the password', async () => {
    const page = await openAccount();
    await moveElsewhere(page);
    // As after a reload of the page.
    cleanup();
    renderApp('/account');
    expect(
      await screen.findByText(/^You sign in with single sign-on\. Change your password there/),
    ).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'Change password' })).toBeNull();
    expect(await screen.findByText('Where you’re signed in. End what you don’t recognise.')).toBeTruthy();
  });

  it('says, as does that about the sessions, that there is nothing for a user who did not need to sign in', async () => {
    const { requested } = await openApp('/account');
    expect(await screen.findByText(/^You didn’t need a password to sign in/)).toBeTruthy();
    expect(screen.getByText(/^You didn’t need to sign in here/)).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
    expect(requested(/\/bff\/sessions/)).toEqual([]);
  });
});
