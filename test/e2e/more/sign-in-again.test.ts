import { afterEach, describe, expect, it, test } from 'vitest';
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
  it('asks for the password in a dialog over a form, which is then saved once with every character', async () => {
    await page.goto(`${server.url}/subscribers/new`);
    await page.getByLabel('Username', { exact: true }).fill('session-ends');
    await page.getByLabel('Email', { exact: true }).fill('ends@example.com');
    await page.getByRole('button', { name: '+1 month' }).click();
    await loseSession();
    await page.getByLabel('Note', { exact: true }).click();
    const note = 'Typed when nobody was signed in any more.\nIn two lines.';
    await page.keyboard.type(note);
    const creating: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/subscribers'))
        creating.push(request.headers()['idempotency-key'] ?? '');
    });
    await page.getByRole('button', { name: 'Create subscriber' }).click();
    await dialog('Sign in again').waitFor();
    await expect.poll(focused).toContain('textbox "Password"');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe(note);
    await signInAgain();
    const notes = page
      .getByRole('complementary', { name: 'session-ends' })
      .getByRole('region', { name: 'Notes' });
    for (const line of note.split('\n')) await notes.getByText(line, { exact: true }).waitFor();
    expect([creating.length, new Set(creating).size]).toEqual([2, 1]);
    await page.goto(`${server.url}/subscribers?username=session-ends`);
    await page.getByRole('heading', { name: /^Subscribers 1$/ }).waitFor();
  });

  it('asks for the password over another dialog, which is out of reach until then', async () => {
    await page.goto(`${server.url}/subscribers?username=session-ends`);
    await page.getByRole('link', { name: 'session-ends', exact: true }).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const asked = dialog('Delete session-ends?');
    const remove = asked.getByRole('button', { name: 'Delete' });
    await remove.and(page.locator(':not([aria-disabled])')).waitFor();
    await loseSession();
    // Not by the mouse: the pane reads the record now and then, and may have found out first.
    await remove.dispatchEvent('click');
    await dialog('Sign in again').waitFor();
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await asked.locator(':focus').count()).toBe(0);
    }
    await dialog('Sign in again').getByLabel('Password', { exact: true }).focus();
    await signInAgain();
    await page.getByText(/^session-ends was deleted\./).waitFor();
    await page.getByRole('heading', { name: /^Subscribers 0$/ }).waitFor();
  });
});

test('who signs out in one tab is signed out in the others at once, and no subscriber stays on the screen', async () => {
  const other = await page.context().newPage();
  await signIn(other, server);
  await page.goto(`${server.url}/subscribers?expired=true`);
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
  await other.getByRole('button', { name: /^Account/ }).click();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('textbox', { name: 'Password' }).waitFor();
  await page.getByRole('textbox', { name: 'Password' }).waitFor();
  expect(new URL(page.url()).searchParams.get('from')).toBe('/subscribers?expired=true');
  expect(await page.getByRole('table', { name: 'Subscribers' }).count()).toBe(0);
  await other.close();
});
