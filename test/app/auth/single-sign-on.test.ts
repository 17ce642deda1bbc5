import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, test } from 'vitest';
import { singleSignOnProblems } from '../../../src/contract/bff/single-sign-on.ts';
import { journalRows, paneActivity, send } from '../../support/app/activity.ts';
import { openDesk } from '../../support/app/desk.ts';
import { accountIs } from '../../support/app/staff.ts';
import { shows } from '../../support/app/list.ts';
import { cutNetwork, holdAnswers } from '../../support/app/network.ts';
import { appears, button, link, renderApp, openApp } from '../../support/app/page.tsx';
import { anna } from '../../support/people.ts';
import {
  kari,
  moveElsewhere,
  signIn,
  signInElsewhere,
  signInHeading,
  staff,
} from '../../support/app/sign-in.ts';
import { silentProvider } from '../../support/bff/silent-provider.ts';

const way = 'Sign in with single sign-on';

const options = { people: [anna], staff, singleSignOn: silentProvider };

async function openAt(address: string) {
  const page = await openApp(address, options);
  await appears('heading', signInHeading);
  return page;
}

describe('the sign-in page', () => {
  it('offers single sign-on beside the password, with the requested page in its link', async () => {
    const { requested } = await openAt('/subscribers?trial=true');
    expect((await appears('link', way)).getAttribute('href')).toBe(
      '/bff/oidc/start?to=%2Fsubscribers%3Ftrial%3Dtrue',
    );
    expect(screen.getByLabelText('Password')).toBeTruthy();
    expect(requested(/sign-in-ways/)).toHaveLength(1);
  });

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
    'keeps the foreign address %s out of the link for single sign-on',
    async (from) => {
      await openAt(`/sign-in?${new URLSearchParams({ from })}`);
      expect((await appears('link', way)).getAttribute('href')).toBe('/bff/oidc/start?to=%2F');
    },
  );

  it('offers no single sign-on if none is configured', async () => {
    await openApp('/sign-in', { people: [anna], staff });
    await appears('heading', signInHeading);
    expect(screen.queryByRole('link', { name: way })).toBeNull();
  });

  it('opens before it knows of single sign-on if the BFF takes long, and offers it then', async () => {
    const answer = holdAnswers(/sign-in-ways/);
    await openAt('/sign-in');
    expect(screen.queryByRole('link', { name: way })).toBeNull();
    await screen.findByLabelText('Password');
    answer.release();
    await appears('link', way);
  });

  it('opens without single sign-on if the BFF does not answer', async () => {
    cutNetwork(/sign-in-ways/);
    const { user } = await openApp('/sign-in', options);
    await signIn(user, kari);
    await shows('anna');
  });
});

describe('a single sign-on that failed', () => {
  it.each(Object.entries(singleSignOnProblems))('says why it failed as "%s"', async (problem, sentence) => {
    const { address } = await openAt(`/sign-in?problem=${problem}&from=%2Fstaff`);
    expect(within(screen.getByRole('alert')).getByText(sentence)).toBeTruthy();
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect((await appears('link', way)).getAttribute('href')).toContain('to=%2Fstaff');
    expect(address()).toContain('from=%2Fstaff');
  });

  it.each(['', 'nothing', 'constructor', '<b>words</b>'])(
    'says nothing about the unknown code %j',
    async (problem) => {
      await openAt(`/sign-in?${new URLSearchParams({ problem })}`);
      expect(screen.getByRole('alert').textContent).toBe('');
    },
  );

  it('disappears from the page after a wrong password', async () => {
    const { user } = await openAt('/sign-in?problem=expired');
    await signIn(user, { ...kari, password: 'incorrect horse battery' });
    await screen.findByText(/^Name or password is wrong/);
    expect(screen.queryByText(singleSignOnProblems.expired)).toBeNull();
  });
});

test('a manager who uses single sign-on can change neither a password nor the role of their account', async () => {
  const page = await openAt('/subscribers');
  await signIn(page.user, kari);
  await shows('anna');
  await moveElsewhere(page);
  // As after a reload of the page.
  cleanup();
  const again = renderApp('/password');
  expect(await screen.findByText(/^You sign in with single sign-on\./)).toBeTruthy();
  await again.user.click(await appears('button', /^Account: ?Kari/));
  expect(screen.queryByRole('link', { name: 'Change password' })).toBeNull();
  again.goTo('/staff');
  const row = (await appears('rowheader', /^Kari/)).closest('tr');
  expect(row?.textContent).toContain('Single sign-on');
  await again.user.click(button('Manage Kari (single sign-on)'));
  expect(button('Change role…').title).toBe('The role is managed by single sign-on. Change it there.');
  expect(button('Reset password…').title).toMatch(/has no password here/);
});

test('an account of single sign-on is marked wherever it is named', async () => {
  const desk = await openDesk(options);
  await signInElsewhere(kari);
  expect((await send('PUT', '/subscribers/1', { note: 'Called.' })).status).toBe(200);
  await moveElsewhere(desk);
  const { user } = renderApp('/subscribers/1');
  await appears('button', /^Account: ?Kari Manager · single sign-on$/);
  const [entry] = await (await paneActivity()).findAllByText(/^by Kari/);
  expect(entry?.textContent).toBe('by Kari Single sign-on');
  await user.click(link('Activity'));
  await appears('table', 'Activity');
  // The change, and the sign-in before it.
  const named = ['Kari Single sign-on', 'Kari Single sign-on'];
  await waitFor(() => expect(journalRows().map(([, who]) => who)).toEqual(named));
  expect(await appears('option', 'Kari (single sign-on)')).toBeTruthy();
  await user.click(link('Staff'));
  await user.click(await appears('button', 'Manage Kari (single sign-on)'));
  await user.click(await appears('button', 'Sign out everywhere…'));
  await appears('dialog', 'Sign yourself out everywhere?');
});

test('an account whose role the provider took away is listed without one', async () => {
  const desk = await openDesk({ staff: { Kari: 'manager', Ola: 'support' } });
  await signInElsewhere(kari);
  const change = { issuer: silentProvider.issuer, subject: '8', role: 'none' as const };
  await desk.db.updateTable('staff').set(change).where('name', '=', 'Ola').execute();
  renderApp('/staff');
  await accountIs('Ola', 'No role', 'Can’t sign in', 'never');
});
