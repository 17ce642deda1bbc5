import { afterEach, describe, expect, test } from 'vitest';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';

const server = await startProduct();
const watched = await openPage({ viewport: { width: 390, height: 844 } });
const { page } = watched;
// A number is no name, and passkeys are bound to names.
const home = server.url.replace('127.0.0.1', 'localhost');
const device = await page.context().newCDPSession(page);
await device.send('WebAuthn.enable');
const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
  options: {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  },
});

/** A manager on a device that keeps passkeys; each test begins where the one before ended. */
describe('passkeys', () => {
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const alert = () => page.getByRole('alert').filter({ hasText: /./ });
  const verify = (isUserVerified: boolean) =>
    device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  const isIn = () => page.getByRole('button', { name: /^Account/ }).waitFor();
  async function enterPassword() {
    await page.getByLabel('Name', { exact: true }).fill('manager');
    await page.getByLabel('Password', { exact: true }).fill(server.password);
    await button('Sign in').click();
  }
  async function signOut() {
    await page.getByRole('button', { name: /^Account/ }).click();
    await button('Sign out').click();
    await page.getByRole('heading', { name: 'Sign in to Subscriber Desk' }).waitFor();
  }

  afterEach(() => expect(watched.complaints()).toEqual([]));

  test('a passkey is added on the page of the own account, with recovery codes', async () => {
    await page.goto(`${home}/sign-in?from=/subscribers`);
    await enterPassword();
    await isIn();
    await page.goto(`${home}/account`);
    await button('Add passkey').click();
    expect(await accessibilityFaults(page)).toEqual([]);
    await button('Continue').click();
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
    await button('I have kept them').click();
    await page.getByRole('button', { name: 'Remove passkey made in Chrome on Linux' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(watched.refusals()).toEqual([]);
  });

  test('a device that has one already makes no other', async () => {
    await button('Add passkey').click();
    await button('Continue').click();
    await page.getByText('This device already has a passkey for your account.').waitFor();
    await button('Cancel').click();
    expect(watched.refusals()).toEqual([]);
  });

  test('a passkey signs in without a password', async () => {
    await signOut();
    await button('Sign in with a passkey').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await button('Sign in with a passkey').click();
    await isIn();
  });

  test('a passkey takes the place of a code, once the device knows who uses it', async () => {
    await signOut();
    await enterPassword();
    await button('Use a passkey').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await verify(false);
    await button('Use a passkey').click();
    await alert().getByText('No passkey was used').waitFor();
    await verify(true);
    await button('Use a passkey').click();
    await isIn();
    expect(watched.refusals()).toEqual(['401 POST /bff/session']);
  });

  test('a passkey signs in again where the session has ended', async () => {
    await page.goto(`${home}/account`);
    await button('Remove passkey made in Chrome on Linux').waitFor();
    await page.context().clearCookies();
    await button('Remove passkey made in Chrome on Linux').click();
    await button('Remove passkey').click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await again.waitFor({ state: 'detached' });
    watched.refusals();
  });

  test('a passkey that is removed signs in no more', async () => {
    await page.getByText('The passkey is removed.').waitFor();
    await page.getByRole('table', { name: 'Passkeys' }).waitFor({ state: 'detached' });
    // The button that had the focus went with the passkey.
    await page.locator('h1:focus').waitFor();
    await signOut();
    // Nobody has one any more, so none is offered.
    expect(await button('Sign in with a passkey').count()).toBe(0);
    await enterPassword();
    await isIn();
  });

  test('a server opened by its number says by which name it has passkeys', async () => {
    await page.goto(`${server.url}/sign-in?from=/account`);
    await enterPassword();
    await page.getByText(`Open ${home} to use them.`).waitFor();
    expect(await button('Add passkey').count()).toBe(0);
  });
});
