import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from './axe.ts';
import { openPage, type Watched } from './browser.ts';
import { signInEntry, type Entry } from './entry.ts';
import { startProduct, type Product } from './product.ts';

/** A way to run the product, with 2,000 subscribers. */
export interface Deployment {
  name: string;
  /** The id of the status that the service calls active. */
  active: number;
  open: () => Promise<Product>;
  /** The way to sign in, which differs in the demo. */
  entry: Entry;
}

export const ownService: Deployment = {
  name: 'with its own service',
  active: 1,
  open: startProduct,
  entry: signInEntry,
};

/**
 * A support agent's day, from signing in to signing out: each step begins where the one before ended.
 *
 * @param options.axe whether to look for accessibility faults: the screens are the same in each deployment, and it takes
 *   a third of the time
 */
export function testWorkingDay({ active, open, entry }: Deployment, { axe }: { axe: boolean }): void {
  let server: Product;
  let watched: Watched;
  let page: Page;

  beforeAll(async () => {
    server = await open();
    return server.stop;
  });
  beforeAll(async () => {
    // Behind a proxy it has a certificate that nobody vouches for.
    watched = await openPage({ ignoreHTTPSErrors: true });
    page = watched.page;
  });
  afterEach(() => {
    expect(watched.complaints()).toEqual([]);
    expect(watched.refusals()).toEqual([]);
  });

  async function isAccessible(): Promise<void> {
    expect(axe ? await accessibilityFaults(page) : []).toEqual([]);
  }

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const pane = (name: string) => page.getByRole('complementary', { name });
  const usernames = () => rows().getByRole('rowheader').getByRole('link');
  const rows = () =>
    page
      .getByRole('table', { name: 'Subscribers' })
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader') });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });

  test('an address inside leads to sign-in, and from there to its page', async () => {
    await entry.enter(watched, server, `/subscribers?status=${active}`);
    await rows().first().waitFor();
    expect(page.url()).toBe(`${server.url}/subscribers?status=${active}`);
    await isAccessible();
  });

  test('the find box narrows the list by username and by email', async () => {
    const find = page.getByRole('searchbox', { name: 'Find subscribers' });
    await find.fill('hansen');
    await page.waitForURL(/username=hansen/);
    await everyRow(rows(), /hansen/i);
    expect(watched.refusals()).toEqual([]);
    await find.fill('@example.org');
    await page.waitForURL(/email=%40example.org/);
    await everyRow(rows(), /@example\.org/);
    await find.fill('');
    await page.waitForURL((url) => !url.search.includes('email'));
  });

  test('expired trials are two choices away, a third sorts them, and each is a link', async () => {
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Status: any' });
    await page.getByRole('combobox', { name: 'Expires' }).selectOption('Expired');
    // Where the service cannot filter trials, the dashboard scans all pages for them.
    await page.getByRole('combobox', { name: 'Plan' }).selectOption('true');
    await page.waitForURL(/expired=true&trial=true/);
    await everyRow(rows(), /Trial/);
    await everyRow(rows(), / ago|yesterday|last|now/);
    await page.getByRole('columnheader', { name: 'Username' }).getByRole('button').click();
    await page.waitForURL(/sort=username/);
    await page.locator('table[aria-busy=false]').waitFor();
    // Where the dashboard sorts instead of the service, the rows come a moment after the address.
    await expect.poll(async () => isInOrder(await usernames().allTextContents())).toBe(true);
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Username' }).getAttribute('aria-sort'))
      .toBe('ascending');
  });

  test('Next page shows other rows, and Back the page before', async () => {
    const username = () => usernames().first().textContent();
    const first = await username();
    await button('Next page').click();
    await expect.poll(username).not.toBe(first);
    await page.getByText('26–50 of').waitFor();
    await page.goBack();
    await expect.poll(username).toBe(first);
    await page.getByText('1–25 of').waitFor();
    await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50');
    await page.getByText('1–50 of').waitFor();
    await button('Clear filters').click();
    await page.getByText('of 2,000').waitFor();
  });

  test('creating a subscriber shows at its field that the username is taken, then works', async () => {
    const taken = (await rows().getByRole('link').first().textContent()) ?? '';
    await page.getByRole('link', { name: 'New subscriber' }).click();
    await heading('New subscriber').waitFor();
    await isAccessible();

    await field('Username').fill(taken.toUpperCase());
    await button('Create subscriber').click();
    await page.getByText('Enter a full address, such as name@example.com.').waitFor();
    await field('Email').fill('journey@example.com');
    await button('+1 month').click();
    // The colours of a button that is pointed at have to be readable too.
    await button('Create subscriber').hover();
    await isAccessible();
    await field('Connection limit').fill('3');
    await field('Bundles').pressSequentially('12,40,');
    await field('Countries').fill('Norway');
    await field('Countries').press('Enter');
    await field('IP addresses').fill('192.0.2.0/24');
    await field('Note').fill('Called by phone.\nWants a week more.');
    await button('Create subscriber').click();
    await page.getByText('Username already taken.').waitFor();
    expect(watched.refusals()).toEqual(['422 POST /api/subscribers']);
    await expect
      .poll(() => field('Username').evaluate((input) => input === document.activeElement))
      .toBe(true);

    await field('Username').fill('Journey.Åsa');
    await button('Create subscriber').click();
    await pane('Journey.Åsa').getByRole('definition').getByText('192.0.2.0/24').waitFor();
    await expect
      .poll(() => detailsOf(pane('Journey.Åsa')))
      .toMatchObject({
        'Connection limit': '3',
        Countries: 'Norway',
        'IP addresses': '192.0.2.0/24',
        'User agents': 'No limit',
        Formats: 'HLS, MPEG-TS',
        Bundles: expect.stringMatching(/12.*40$/),
      });
    const notes = pane('Journey.Åsa').getByRole('region', { name: 'Notes' });
    expect(await notes.getByRole('listitem').allTextContents()).toEqual([
      'Called by phone.',
      'Wants a week more.',
    ]);
    await pane('Journey.Åsa')
      .getByText(/Can watch on up to 3 devices at once/)
      .first()
      .waitFor();
    await isAccessible();
  });

  test('an edit is saved, and going away with unsaved changes asks first', async () => {
    await pane('Journey.Åsa').getByRole('link', { name: 'Edit' }).click();
    await heading('Edit Journey.Åsa').waitFor();
    expect(await button('Save changes').isDisabled()).toBe(true);
    await field('Email').fill('åsa');
    await page.getByRole('link', { name: 'Subscribers', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await isAccessible();
    await button('Keep editing').click();
    await field('Email').fill('asa@example.net');
    await page.getByRole('button', { name: /^Remove (.* )?12$/ }).click();
    await page.getByText('2 unsaved changes: Email, Bundles').waitFor();
    await button('Save changes').click();
    await pane('Journey.Åsa')
      .getByText(/· asa@example.net$/)
      .waitFor();
    await page.reload();
    await pane('Journey.Åsa')
      .getByText(/· asa@example.net$/)
      .waitFor();
    await expect.poll(() => detailsOf(pane('Journey.Åsa'))).toMatchObject({ Bundles: '40' });
  });

  test('a regenerated token is shown until the dialog is closed, and the old one finds nobody', async () => {
    const card = page.getByRole('region', { name: 'Access token' });
    await button('Show token').click();
    const old = (await card.getByText(/^[\w-]{43}$/).textContent()) ?? '';
    await button('Regenerate token…').click();
    const dialog = page.getByRole('dialog', { name: 'Regenerate access token' });
    await dialog.waitFor();
    await isAccessible();
    await dialog.getByRole('button', { name: 'Regenerate token' }).click();
    const fresh = (await dialog.getByText(/^[\w-]{43}$/).textContent()) ?? '';
    expect(fresh).not.toBe(old);
    // Looked for from before the press, because it does not stand for long.
    const confirmed = dialog.getByText('The token is on the clipboard.').waitFor();
    await Promise.all([confirmed, dialog.getByRole('button', { name: 'Copy token' }).click()]);
    await dialog.getByRole('button', { name: 'Done' }).click();

    await button('Close').click();
    const find = page.getByRole('searchbox', { name: 'Find subscribers' });
    await find.fill(old);
    await page.getByText(/^This token was replaced by /).waitFor();
    expect(watched.refusals()).toEqual(['404 POST /bff/find-by-token']);
    expect(page.url()).not.toContain(old);
    // From the clipboard, where "Copy token" put it.
    await find.fill('');
    await find.press('Control+v');
    await pane('Journey.Åsa').waitFor();
    expect(page.url()).not.toContain(fresh);
  });

  test('a deleted subscriber is gone from the list and at its address', async () => {
    const address = page.url();
    await button('Delete…').click();
    await page.getByRole('dialog', { name: 'Delete Journey.Åsa?' }).waitFor();
    await isAccessible();
    await button('Delete subscriber').click();
    await page.getByText('Journey.Åsa was deleted.').waitFor();
    await page.getByText('of 2,000').waitFor();
    await page.goto(address);
    await heading('This subscriber doesn’t exist').waitFor();
    expect(watched.refusals().every((refusal) => /^404 GET \/api\/subscribers\/\d+$/.test(refusal))).toBe(
      true,
    );
  });

  test('signing out ends the session on the server', async () => {
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('combobox', { name: 'Theme' }).selectOption({ label: 'Dark theme' });
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    const askAgain = await entry.keepSession(page, server);
    const ended = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
    await button('Sign out').click();
    await heading('Sign in to Subscriber Desk').waitFor();
    // The page goes first, so that what is not saved yet can hold it back; the session ends right after.
    await ended;
    watched.refusals();
    expect(await askAgain()).toBe(401);
    watched.refusals();
  });
}

function isInOrder(names: readonly string[]): boolean {
  const folded = names.map((name) => name.toUpperCase().toLowerCase());
  return folded.length > 0 && folded.every((name, index) => index === 0 || String(folded[index - 1]) <= name);
}

/** Waits until there are rows and each has the text. */
async function everyRow(rows: Locator, text: RegExp): Promise<void> {
  // There are none for a moment where the dashboard scans all pages for them.
  const fits = (texts: readonly string[]) => texts.length > 0 && texts.every((row) => text.test(row));
  await expect.poll(async () => fits(await rows.allTextContents())).toBe(true);
}

/** The details of a subscriber, by their names. */
const detailsOf = (pane: Locator) =>
  pane.locator('dt').evaluateAll((terms) =>
    Object.fromEntries(
      terms.map((term) => {
        const value = term.nextElementSibling?.cloneNode(true) as Element;
        // Its buttons change it.
        for (const button of value.querySelectorAll('button')) button.remove();
        return [term.textContent, value.textContent];
      }),
    ),
  );
