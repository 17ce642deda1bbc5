import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { csrfHeader } from '../../../src/contract/bff/paths.ts';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';
import { signIn } from '../../support/e2e/sign-in.ts';

const server = await startProduct('start', { SAMPLE_SUBSCRIBERS: '40' });
const watched = await openPage();
const { page } = watched;
await signIn(page, server);
afterEach(() => {
  expect(watched.complaints()).toEqual([]);
});

/** To the browser, a session without its cookie has ended. */
const loseSession = () => page.context().clearCookies({ name: 'desk' });
const dialog = (name: string) => page.getByRole('dialog', { name });
const focused = () => page.locator(':focus').ariaSnapshot();

async function signInAgain(): Promise<void> {
  await page.keyboard.type(server.password);
  await page.keyboard.press('Enter');
  await dialog('Sign in again').waitFor({ state: 'detached' });
}

describe('a session that ends while its page is open', () => {
  it('asks for the password over another dialog, which is out of reach until then', async () => {
    await page.goto(`${server.url}/subscribers?expired=true`);
    const row = page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first();
    const name = await row.innerText();
    await row.click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const asking = dialog(`Delete ${name}?`);
    const remove = asking.getByRole('button', { name: 'Delete' });
    await remove.and(page.locator(':not([aria-disabled])')).waitFor();
    await loseSession();
    // Not by the mouse: the pane reads the record now and then, and may have found out first.
    await remove.dispatchEvent('click');
    await dialog('Sign in again').waitFor();
    await expect.poll(focused).toContain('textbox "Password"');
    expect(await accessibilityFaults(page)).toEqual([]);
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await asking.locator(':focus').count()).toBe(0);
    }
    await dialog('Sign in again').getByLabel('Password', { exact: true }).focus();
    await signInAgain();
    await page.getByText(`${name} was deleted.`).waitFor();
  });

  it('asks for it where the server has a newer release by then, in which the file of its dialog has another name', async () => {
    const loaded: string[] = [];
    page.on('requestfinished', (request) => void loaded.push(request.url()));
    await page.goto(`${server.url}/subscribers/new`);
    await page.getByLabel('Username', { exact: true }).fill('nils.new');
    await page.getByLabel('Email', { exact: true }).fill('nils@example.com');
    await page.getByRole('button', { name: '+1 year' }).click();
    await expect.poll(() => loaded.join(' ')).toContain('/reauthentication-dialog-');
    const files = /\/assets\/(overlays|reauthentication-dialog)-/;
    await page.route(files, (route) => route.fulfill({ status: 404 }));
    await loseSession();
    await page.getByRole('button', { name: 'Create subscriber' }).click();
    await dialog('Sign in again').waitFor();
    await signInAgain();
    await page.getByText('nils.new was created.').waitFor();
    await page.unroute(files);
  });
});

describe('a tab whose user is signed out in another one', () => {
  const undo = page.getByRole('status', { name: 'Notifications' }).getByRole('button', { name: 'Undo' });
  /** The tab with a half-written form and a notification. */
  async function leaveWorkOpen(note: string): Promise<void> {
    await page.goto(`${server.url}/subscribers/3`);
    await page.getByRole('button', { name: /^\+7 days/ }).click();
    await undo.waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    const saved = page.waitForRequest(
      (sent) => sent.method() === 'PUT' && sent.url().endsWith('/bff/drafts/3'),
    );
    await page.getByLabel('Note', { exact: true }).fill(note);
    await (await saved).response();
  }
  /** Only the sign-in page, which leads back. */
  async function isLeft(): Promise<void> {
    await page.getByRole('textbox', { name: 'Password' }).waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('/subscribers/3/edit');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await undo.waitFor({ state: 'detached' });
  }

  it('shows no subscriber any more, and has what was typed after signing in again', async () => {
    const other = await page.context().newPage();
    await signIn(other, server);
    await leaveWorkOpen('Half a note');
    await other.getByRole('button', { name: /^Account/ }).click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await isLeft();
    await other.close();
    await signIn(page, server);
    await page.goto(`${server.url}/subscribers/3/edit`);
    await page.getByText(/^Unsaved changes restored/).waitFor();
    expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('Half a note');
  });

  it('does nothing more in the name of another user who signs in there', async () => {
    const headers = { [csrfHeader.name]: csrfHeader.value, Origin: server.url };
    const data = { name: 'sam', role: 'support' };
    const added = await page.request.post(`${server.url}/bff/staff`, { headers, data });
    const { oneTimePassword } = z.object({ oneTimePassword: z.string() }).parse(await added.json());
    await leaveWorkOpen('Half another one');
    const other = await page.context().newPage();
    await other.goto(`${server.url}/sign-in`);
    await other.getByLabel('Name', { exact: true }).fill('sam');
    await other.getByLabel('Password', { exact: true }).fill(oneTimePassword);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('heading', { level: 1 }).waitFor();
    await isLeft();
    await other.close();
  });
});
