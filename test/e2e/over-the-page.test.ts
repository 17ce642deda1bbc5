import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { launchChromium, openPage, type Watched } from './browser.ts';
import { runScript, type RunningScript } from './run-script.ts';
import { passwordOf, signIn } from './sign-in.ts';

let desk: RunningScript;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  [desk, browser] = await Promise.all([runScript('start', { SAMPLE_SUBSCRIBERS: '40' }), launchChromium()]);
  watched = await openPage(browser);
  page = watched.page;
  await signIn(page, desk);
});
afterAll(async () => {
  await browser?.close();
  await desk?.stop();
});
afterEach(() => {
  expect(watched.complaints()).toEqual([]);
});

/** What the session's end looks like to a browser: its cookie opens nothing any more. */
const loseSession = () => page.context().clearCookies({ name: 'desk' });
const dialog = (name: string) => page.getByRole('dialog', { name });
const focused = () => page.locator(':focus').ariaSnapshot();

async function answer(): Promise<void> {
  await page.keyboard.type(passwordOf(desk));
  await page.keyboard.press('Enter');
  await dialog('Sign in again').waitFor({ state: 'detached' });
}

describe('a session that is over in the middle of a form', () => {
  test('ends in a dialog over it, and the form is saved once with every character', async () => {
    await page.goto(`${desk.url}/subscribers/new`);
    await page.getByLabel('Username', { exact: true }).fill('over-the-page');
    await page.getByLabel('Email', { exact: true }).fill('over@example.com');
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
    expect(await focused()).toContain('textbox "Password"');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe(note);
    await answer();
    await page
      .getByRole('complementary', { name: 'over-the-page' })
      .getByRole('definition')
      .getByText(note)
      .waitFor();
    expect([creating.length, new Set(creating).size]).toEqual([2, 1]);
    await page.goto(`${desk.url}/subscribers?username=over-the-page`);
    await page.getByRole('heading', { name: /^Subscribers 1$/ }).waitFor();
  });

  test('gives the focus back to where it was, also within another dialog', async () => {
    await page.goto(`${desk.url}/subscribers?username=over-the-page`);
    await page.getByRole('link', { name: 'over-the-page', exact: true }).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await loseSession();
    const asked = dialog('Delete over-the-page?');
    await asked.getByRole('button', { name: 'Delete' }).click();
    await dialog('Sign in again').waitFor();
    // The dialog beneath is out of reach meanwhile.
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press('Tab');
      expect(await asked.locator(':focus').count()).toBe(0);
    }
    await dialog('Sign in again').getByLabel('Password').focus();
    await answer();
    await page.getByText(/^over-the-page is deleted\./).waitFor();
    await page.getByRole('heading', { name: /^Subscribers 0$/ }).waitFor();
  });

  test('goes on by itself when one comes back from signing in in another tab', async () => {
    await page.goto(`${desk.url}/subscribers`);
    await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first().waitFor();
    await loseSession();
    await page.getByRole('button', { name: 'Expired', exact: true }).click();
    await dialog('Sign in again').waitFor();
    const other = await page.context().newPage();
    await signIn(other, desk);
    await other.close();
    await page.bringToFront();
    // A browser without a window tells nobody that its focus moved.
    await page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await dialog('Sign in again').waitFor({ state: 'detached' });
    await page.locator('table[aria-busy=false]').waitFor();
    expect(await focused()).toContain('button "Expired"');
  });
});

describe('the palette', () => {
  test('finds a subscriber and a command by the keyboard alone, and axe finds nothing in it', async () => {
    await page.goto(`${desk.url}/subscribers`);
    const first = page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first();
    const name = await first.innerText();
    await page.keyboard.press('Control+k');
    await dialog('Find a command or a subscriber').waitFor();
    expect(await focused()).toContain('combobox "Command, username, email, #id or access token"');
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.type(name);
    await page.getByRole('option', { name: new RegExp(`^${name} · `) }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name }).getByRole('button', { name: 'Show token' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('regenerate');
    await page.getByRole('option', { name: 'Regenerate token…' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog('Regenerate access token').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('dark');
    await page.keyboard.press('Enter');
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});
