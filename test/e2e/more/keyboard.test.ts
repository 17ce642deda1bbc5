import { expect, test } from 'vitest';
import { openPage } from '../../support/e2e/browser.ts';
import { startProduct } from '../../support/e2e/product.ts';
import { signIn } from '../../support/e2e/sign-in.ts';

const server = await startProduct('start');
const watched = await openPage();
const { page } = watched;

const press = async (...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const heading = (name: string | RegExp) => page.getByRole('heading', { name }).waitFor();
/** The role and accessible name of what has the focus, as a screen reader says it. */
async function focused(): Promise<string> {
  const focus = page.locator(':focus');
  for (;;) {
    if ((await focus.count()) === 0) return '';
    // A row that is removed takes the focus with it, even between these two lines.
    const said = await focus.ariaSnapshot({ timeout: 5_000 }).catch(() => null);
    if (said !== null) return said;
  }
}

/** Presses Tab until the control of that name has the focus. */
async function tabTo(name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await press(key);
    if ((await focused()).includes(name)) return;
  }
  throw new Error(`${name} is not reached by ${key}.`);
}

const scrolled = () => page.evaluate(() => Math.round(window.scrollY));

test('finding, paging, editing and signing out work by the keyboard alone', async () => {
  await page.goto(`${server.url}/subscribers`);
  await heading('Sign in to Subscriber Desk');
  await tabTo('textbox "Name"');
  await page.keyboard.type('manager');
  await tabTo('textbox "Password"');
  await page.keyboard.type(server.password);
  await press('Enter');
  await heading(/^Subscribers 2,000/);

  // Find by typing, then filter, sort and page.
  await press('/');
  await page.keyboard.type('a');
  await page
    .getByRole('status')
    .filter({ hasText: /^[\d,]+ subscribers\.$/ })
    .waitFor({ state: 'attached' });
  await page.waitForURL(/username=a/);
  await tabTo('combobox "Expires"');
  await press('ArrowDown');
  await page.waitForURL(/expired=true/);
  await tabTo('button "Username"');
  await press('Enter');
  await page.waitForURL(/sort=username/);
  await tabTo('button "Next page"');
  await press('Enter');
  await page.waitForURL(/page=2/);
  await page
    .getByRole('status')
    .filter({ hasText: /^Page 2 of \d+\.$/ })
    .waitFor({ state: 'attached' });

  // Down the rows and over the end of a page; the row has the focus and is in sight.
  await page.locator('table[aria-busy=false]').waitFor();
  const before = await page.getByRole('rowheader').getByRole('link').allTextContents();
  await press(...Array.from({ length: 26 }, () => 'j'));
  await page.waitForURL(/page=3/);
  await expect.poll(focused).toMatch(/^- link/);
  await press('k');
  await page.waitForURL(/page=2/);
  await expect.poll(focused).toContain(`link "${before.at(-1)}"`);
  const scrollTop = await scrolled();
  expect(scrollTop).toBeGreaterThan(0);

  // Open, look at the next, edit, save, close: the focus is back at the row, and the list where it was.
  await press('k', 'Enter');
  const opened = before.at(-2) ?? '';
  await page.getByRole('complementary', { name: opened }).getByText('User agents').waitFor();
  await expect.poll(focused).toContain(`heading "${opened}"`);
  await expect.poll(() => page.title()).toBe(`${opened} · Subscriber Desk`);
  await press('j');
  await page.getByRole('complementary', { name: before.at(-1) ?? '' }).waitFor();
  await press('e');
  await heading(`Edit ${before.at(-1)}`);
  await tabTo('textbox "Note"');
  await page.keyboard.type('Called.');
  await tabTo('button "Save changes"');
  await press('Enter');
  const pane = page.getByRole('complementary', { name: before.at(-1) ?? '' });
  await pane.getByRole('region', { name: 'Notes' }).getByText('Called.').waitFor();
  await press('Escape');
  await expect.poll(focused).toContain(`link "${before.at(-1)}"`);
  await expect.poll(async () => Math.abs((await scrolled()) - scrollTop)).toBeLessThan(80);

  // Another screen and Back: the list is scrolled as before.
  const left = await scrolled();
  await press('n');
  await heading('New subscriber');
  await page.goBack();
  await page.getByRole('table').getByRole('link').first().waitFor();
  await expect.poll(scrolled).toBe(left);

  // Back to the subscriber before the last one, from the empty find box; a letter goes into the box and is no shortcut.
  await press('/', 'Delete');
  await page.getByRole('list', { name: 'Last opened' }).waitFor();
  await press('ArrowDown', 'n');
  await expect.poll(focused).toContain('searchbox "Find subscribers"');
  await press('Backspace');
  await page.getByRole('list', { name: 'Last opened' }).waitFor();
  await press('ArrowDown', 'ArrowDown');
  await expect.poll(focused).toContain(`button "${opened} `);
  await press('Enter');
  await page.getByRole('complementary', { name: opened }).getByText('User agents').waitFor();
  await press('Escape');
  await page.getByRole('complementary').waitFor({ state: 'detached' });

  // The list of keys, and out.
  await press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await press('Escape');
  await tabTo('button "Account', 'Shift+Tab');
  await press('Enter');
  await tabTo('button "Sign out"');
  await press('Enter');
  await heading('Sign in to Subscriber Desk');
  expect(watched.complaints()).toEqual([]);
});

test('keys typed while the palette loads trigger no shortcut', async () => {
  const { page: other } = await openPage();
  let [held, resolve] = [Promise.resolve(), () => {}];
  // From the start: a request right after the browser is told to hold requests can pass by, and is not seen either.
  await other.route(/\/assets\//, async (route) => {
    await held;
    await route.continue();
  });
  await signIn(other, server);
  ({ promise: held, resolve } = Promise.withResolvers<void>());
  const requested = other.waitForRequest(/\/assets\//);
  await other.keyboard.press('Control+k');
  await requested;
  await other.keyboard.press('n');
  expect(new URL(other.url()).pathname).toBe('/subscribers');
  resolve();
  await other.getByRole('dialog', { name: 'Find a command or a subscriber' }).waitFor();
  expect(new URL(other.url()).pathname).toBe('/subscribers');
});

test('keys are heard as soon as the rows are there, before the browser shows them', async () => {
  const { page: other } = await openPage();
  await signIn(other, server);
  await other.addInitScript(() =>
    // It is told of the rows before React does what may wait until they are shown.
    new MutationObserver((_, watching) => {
      if (!document.querySelector('table[aria-busy=false] a')) return;
      watching.disconnect();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }));
    }).observe(document, { subtree: true, childList: true }),
  );
  await other.reload();
  const link = other.getByRole('table', { name: 'Subscribers' }).getByRole('link');
  await link.and(other.locator(':focus')).waitFor();
});
