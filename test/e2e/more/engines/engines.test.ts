import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startProduct } from '../../../support/e2e/product.ts';
import { launchFirefox } from './firefox.ts';
import { provideEngines } from '../../../support/e2e/provide.ts';
import { createPage, keys, type Driver, type EnginePage } from './webdriver.ts';
import { launchWebkit } from './webkit.ts';

const token = /^[\w-]{43}$/m;
const programs = provideEngines(process.env);

const [server, demo] = await Promise.all([startProduct('start'), startProduct('demo')]);

/**
 * The steps of `working-day.ts` that browsers may take differently: forms, history, reload, clipboard, cookies. Each
 * begins where the one before ended. Then the demo on a phone.
 */
describe.each([
  {
    name: 'Firefox',
    launch: programs.firefox === null ? null : launchFirefox.bind(null, programs.firefox),
    missing: 'There is no Firefox. Debian: apt-get install firefox-esr.',
  },
  {
    name: 'WebKit, the engine of Safari',
    launch: programs.webkit === null ? null : launchWebkit.bind(null, programs.webkit),
    missing: 'There is no WebKit to drive. Debian: apt-get install webkit2gtk-driver xvfb.',
  },
])('the working day in $name', ({ launch, missing }) => {
  let driver: Driver;
  let page: EnginePage;

  beforeEach(({ skip }) => {
    skip(launch === null, missing);
    return async () => expect(await page.complaints()).toEqual([]);
  });
  beforeAll(async () => {
    if (launch === null) return;
    driver = await launch();
    page = createPage(driver);
    await driver.send('resize', { width: 1440, height: 1000 });
    return driver.close;
  });

  const isAccessible = async () => expect(await page.accessibilityFaults()).toEqual([]);
  const address = async () => String(await page.run('return location.href'));
  const focused = () => page.run('return document.activeElement.labels?.[0]?.innerText');
  const usernames = async () =>
    (await page.texts('rowheader')).map((text) => text.split('\n')[0]?.toLowerCase() ?? '');
  /** Without the buttons that change them. */
  const details = async () =>
    (await page.texts('definition')).map((text) => text.replace(/\s*(−\s*\+|Edit)$/, ''));

  test('an address inside leads to sign-in, and from there to its page', async () => {
    await page.open(`${server.url}/subscribers?status=1`);
    await page.sees('heading', 'Sign in to Subscriber Desk');
    await isAccessible();
    await page.fill('Name', 'manager');
    await page.fill('Password', 'not the password');
    await page.click('button', 'Sign in');
    await page.reads('Name or password is wrong');
    await page.fill('Password', server.password);
    await page.click('button', 'Sign in');
    await page.reads('1–25 of 1,');
    expect(await address()).toBe(`${server.url}/subscribers?status=1`);
    await isAccessible();
  });

  test('Next page shows other rows, and Back the page before', async () => {
    const first = await usernames();
    await page.click('button', 'Next page');
    await page.reads('26–50 of');
    await expect.poll(usernames).not.toEqual(first);
    await page.back();
    await page.reads('1–25 of');
    await expect.poll(usernames).toEqual(first);
    await page.click('option', '50');
    await page.reads('1–50 of');
    await page.click('button', 'Clear filters');
    await page.reads('of 2,000');
  });

  test('creating a subscriber shows at its field that the username is taken, then works', async () => {
    const [taken = ''] = await usernames();
    await page.click('link', 'New subscriber');
    await page.sees('heading', 'New subscriber');
    await isAccessible();

    await page.fill('Username', taken.toUpperCase());
    await page.click('button', '+1 month');
    // The pointer stays on the button, whose colours have to be readable then too.
    await page.click('button', 'Create subscriber');
    await page.reads('Enter a full address, such as name@example.com.');
    await expect.poll(focused).toBe('Email');
    await isAccessible();
    await page.fill('Email', 'journey@example.com');
    await page.fill('Connection limit', '3');
    await page.fill('Bundles', '12,');
    await page.fill('Bundles', '40,');
    await page.fill('Countries', `Norway${keys.enter}`);
    await page.fill('IP addresses', '192.0.2.0/24');
    await page.fill('Note', `Called by phone.${keys.enter}Wants a week more.`);
    await page.click('button', 'Create subscriber');
    await page.reads('Username already taken.');
    await expect.poll(focused).toBe('Username');

    await page.fill('Username', 'Journey.Åsa');
    await page.click('button', 'Create subscriber');
    await page.sees('complementary', 'Journey.Åsa');
    await page.reads(/Can watch on up to 3 devices at once/);
    const entered = ['3', 'Norway', '192.0.2.0/24', 'No limit', 'HLS, MPEG-TS', 'Sports Plus · 12\n40'];
    await expect.poll(details).toEqual(expect.arrayContaining(entered));
    expect(await page.texts('listitem')).toEqual(
      expect.arrayContaining(['Called by phone.', 'Wants a week more.']),
    );
    await isAccessible();
  });

  test('an edit is saved, and going away with unsaved changes asks first', async () => {
    await page.click('link', 'Edit');
    await page.sees('heading', 'Edit Journey.Åsa');
    const saveButton =
      '[...document.querySelectorAll("form button")].find((one) => one.innerText === "Save changes")';
    // The heading is there before the form, which is loaded.
    await expect.poll(() => page.run(`return ${saveButton}?.disabled`)).toBe(true);
    await page.fill('Email', 'åsa');
    await page.click('link', 'Subscribers');
    await page.sees('heading', 'Leave without saving?');
    await isAccessible();
    await page.click('button', 'Keep editing');
    await page.fill('Email', 'asa@example.net');
    await page.click('button', 'Remove Sports Plus · 12');
    await page.reads('2 unsaved changes: Email, Bundles');
    await page.click('button', 'Save changes');
    await page.reads(/· asa@example\.net$/m);
    await page.reload();
    await page.reads(/· asa@example\.net$/m);
    await expect.poll(async () => (await details()).at(-1)).toBe('40');
  });

  test('a regenerated token is shown until the dialog is closed, and the old one finds nobody', async () => {
    await page.click('button', 'Show token');
    const old = await page.reads(token);
    await page.click('button', 'Regenerate token…');
    await page.sees('heading', 'Regenerate access token');
    await isAccessible();
    await page.click('button', 'Regenerate token');
    const fresh = await page.reads(token);
    expect(fresh).not.toBe(old);
    await page.click('button', 'Copy token');
    await page.click('button', 'Done');

    await page.click('button', 'Close');
    await page.fill('Find subscribers', old);
    await page.reads('This token was replaced by ');
    expect(await address()).not.toContain(old);
    // From the clipboard, where "Copy token" put it.
    await page.fill('Find subscribers', `${keys.control}v`);
    await page.sees('complementary', 'Journey.Åsa');
    expect(await address()).not.toContain(fresh);
  });

  test('a deleted subscriber is gone from the list and at its address', async () => {
    const its = await address();
    await page.click('button', 'Delete…');
    await page.sees('heading', 'Delete Journey.Åsa?');
    await isAccessible();
    await page.click('button', 'Delete subscriber');
    await page.reads('Journey.Åsa was deleted.');
    await page.reads('of 2,000');
    await page.open(its);
    await page.sees('heading', 'This subscriber doesn’t exist');
  });

  test('signing out ends the session on the server', async () => {
    await page.press(keys.control, 'k');
    await page.fill('Command, username, email, #ID or access token', 'staff');
    await page.sees('option', /^Staff/);
    await page.press(keys.escape);
    await page.click('button', /^Account/);
    await page.click('option', 'Dark theme');
    await expect.poll(() => page.run('return document.documentElement.dataset.theme')).toBe('dark');
    const [cookie] = (await driver.send('cookies')) as { name: string; value: string }[];
    const headers = { 'X-CSRF': '1', Cookie: `${cookie?.name}=${cookie?.value}` };
    const askAgain = async () => (await fetch(`${server.url}/bff/session`, { headers })).status;
    expect(await askAgain()).toBe(200);
    await page.click('button', 'Sign out');
    await page.sees('heading', 'Sign in to Subscriber Desk');
    // The page goes first, so that what is not saved yet can hold it back; the session ends right after.
    await expect.poll(askAgain).toBe(401);
  });

  // The window of its driver is a private one, in which it keeps no files: another load begins anew.
  test('the demo runs in the tab of a phone, and saves a change', async () => {
    await driver.send('resize', { width: 390, height: 800 });
    await page.open(`${demo.url}/subscribers?demo-data=25`);
    await page.reads('1–25 of 25');
    await page.click('link', /^\w+\.\w+$/);
    await page.reads('Check a connection…');
    await page.click('link', 'Edit');
    await page.fill('Note', 'Kept in the tab.');
    await page.click('button', 'Save changes');
    await page.sees('button', 'Copy token');
    await page.reads('Kept in the tab.');
  });
});
