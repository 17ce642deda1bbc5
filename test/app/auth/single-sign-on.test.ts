import { cleanup, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { singleSignOnProblems } from '../../../src/contract/bff/single-sign-on.ts';
import { shows } from '../../support/app/list.ts';
import { cutNetwork } from '../../support/app/network.ts';
import { kari, openBffWithAccounts } from '../../support/app/bff-with-accounts.ts';
import { appears, button, link, openDashboard } from '../../support/app/page.tsx';
import { anna } from '../../support/app/people.ts';
import { signIn, signInHeading } from '../../support/app/sign-in.ts';

const way = 'Sign in with single sign-on';

async function openAt(address: string, provider = true) {
  const bff = await openBffWithAccounts([anna], { provider });
  const page = openDashboard(address);
  await appears('heading', signInHeading);
  return { ...bff, ...page };
}

describe('the sign-in page', () => {
  test('offers single sign-on beside the password, and passes on the requested page', async () => {
    const { asked } = await openAt('/subscribers?trial=true');
    expect(link(way).getAttribute('href')).toBe('/bff/oidc/start?to=%2Fsubscribers%3Ftrial%3Dtrue');
    expect(screen.getByLabelText('Password')).toBeTruthy();
    expect(asked(/sign-in-ways/)).toHaveLength(1);
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example'])(
    'leads from %s to the front door',
    async (from) => {
      await openAt(`/sign-in?${new URLSearchParams({ from })}`);
      expect(link(way).getAttribute('href')).toBe('/bff/oidc/start?to=%2F');
    },
  );

  test('does not offer it where there is none', async () => {
    await openAt('/sign-in', false);
    expect(screen.queryByRole('link', { name: way })).toBeNull();
  });

  test('opens without it if the BFF does not say', async () => {
    await openBffWithAccounts([anna], { provider: true });
    cutNetwork(/sign-in-ways/);
    const { user } = openDashboard('/sign-in');
    await signIn(user, kari);
    await shows('anna');
  });
});

describe('a single sign-on that failed', () => {
  test.each(Object.entries(singleSignOnProblems))('by "%s" has its sentence', async (problem, sentence) => {
    const { address } = await openAt(`/sign-in?problem=${problem}&from=%2Fstaff`);
    expect(within(screen.getByRole('alert')).getByText(sentence)).toBeTruthy();
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(link(way).getAttribute('href')).toContain('to=%2Fstaff');
    expect(address()).toContain('from=%2Fstaff');
  });

  test.each(['', 'nothing', 'constructor', '<b>words</b>'])('by %j has none', async (problem) => {
    await openAt(`/sign-in?${new URLSearchParams({ problem })}`);
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  test('is no longer mentioned after a wrong password', async () => {
    const { user } = await openAt('/sign-in?problem=expired');
    await signIn(user, { ...kari, password: 'incorrect horse battery' });
    await screen.findByText(/^Name or password is wrong/);
    expect(screen.queryByText(singleSignOnProblems.expired)).toBeNull();
  });
});

test('a user of single sign-on is offered no password, neither an own one nor for others', async () => {
  const { user, moveElsewhere } = await openAt('/subscribers');
  await signIn(user, kari);
  await shows('anna');
  await moveElsewhere();
  // As when the page is loaded anew.
  cleanup();
  const again = openDashboard('/password');
  expect(await screen.findByText(/^You sign in by single sign-on\./)).toBeTruthy();
  await again.user.click(await appears('button', /^Account: ?Kari/));
  expect(screen.queryByRole('link', { name: 'Change password' })).toBeNull();
  again.goTo('/staff');
  const row = (await appears('rowheader', /^Kari/)).closest('tr');
  expect(row?.textContent).toContain('single sign-on');
  await again.user.click(button('Manage Kari'));
  expect(button('Change role…').title).toBe('The single sign-on provider says the role. Change it there.');
  expect(button('New one-time password…').title).toMatch(/has no password here/);
});
