import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openIdClient, openProvider } from '../../support/bff/openid-provider.ts';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';

const publicUrl = Promise.withResolvers<string>();
const provider = await openProvider({ publicUrl: publicUrl.promise, host: 'localhost', backChannel: fetch });
provider.people['kari'] = { preferred_username: 'Kari', roles: ['support'] };
provider.people['guest'] = { preferred_username: 'Guest', roles: ['guests'] };
const server = await startProduct('start', {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: openIdClient.id,
  OIDC_CLIENT_SECRET: openIdClient.secret,
});
publicUrl.resolve(server.url);
const watched = await openPage();
const { page } = watched;
const sites: string[] = [];
page.on('request', (request) => {
  if (new URL(request.url()).pathname !== '/bff/oidc/callback') return;
  void request.allHeaders().then((headers) => sites.push(headers['sec-fetch-site'] ?? 'unsaid'));
});

/** Each step begins where the one before ended. The provider is another site, as `localhost` is to `127.0.0.1`. */
describe('single sign-on', () => {
  afterAll(async () => {
    await server.stop();
    provider.close();
  });
  afterEach(() => {
    expect(watched.complaints()).toEqual([]);
  });

  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  const rows = () => page.getByRole('table', { name: 'Subscribers' }).getByRole('link');
  const open = async (address: string) => {
    await page.goto(server.url + address);
    await heading('Sign in to Subscriber Desk').waitFor();
  };

  it('is offered beside the password, and says so when it was cancelled', async () => {
    await open('/subscribers?expired=true');
    expect(await accessibilityFaults(page)).toEqual([]);
    await link('Sign in with single sign-on').click();
    await link('Cancel').click();
    await page.getByRole('alert').getByText('Single sign-on did not let you in.').waitFor();
    expect(new URL(page.url()).searchParams.get('problem')).toBe('cancelled');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  it('leads to the page that was asked for, with a session that survives a reload', async () => {
    watched.refusals();
    await link('Sign in with single sign-on').click();
    await link('Sign in as kari').click();
    await rows().first().waitFor();
    expect(page.url()).toBe(`${server.url}/subscribers?expired=true`);
    await expect.poll(() => sites).toEqual(['cross-site', 'cross-site']);
    const cookies = await page.context().cookies(server.url);
    expect(cookies.find(({ name }) => name === 'desk')).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    await page.getByRole('button', { name: /^Account: ?Kari/ }).waitFor();
    await page.reload();
    await rows().first().waitFor();
    await page.goto(`${server.url}/subscribers`);
    await rows().first().waitFor();
    expect(watched.refusals()).toEqual([]);
    // The browser's history holds no code.
    await page.goBack();
    await rows().first().waitFor();
    expect(page.url()).toBe(`${server.url}/subscribers?expired=true`);
  });

  it('ends when the user signs out at the provider, in another tab', async () => {
    const other = await page.context().newPage();
    await other.goto(`${provider.issuer}/session/end`);
    await other.getByRole('button', { name: 'Sign out here' }).click();
    await expect.poll(() => server.output()).toContain('"event":"signed-out-by-provider"');
    await other.close();
    await page.reload();
    await heading('Sign in to Subscriber Desk').waitFor();
    await link('Sign in with single sign-on').click();
    await link('Sign in as kari').click();
    await rows().first().waitFor();
  });

  it('signs out at the provider too, and refuses an account without a role', async () => {
    await page.getByRole('button', { name: /^Account/ }).click();
    expect(await link('Change password').count()).toBe(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await heading('Sign in to Subscriber Desk').waitFor();
    expect(page.url()).toBe(`${server.url}/sign-in`);
    await link('Sign in with single sign-on').click();
    await link('Sign in as guest').click();
    await page.getByRole('alert').getByText('has no role in Subscriber Desk').waitFor();
    await page.goto(`${server.url}/subscribers`);
    await heading('Sign in to Subscriber Desk').waitFor();
  });
});
