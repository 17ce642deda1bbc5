import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runScript, type RunningScript } from '../run-script.ts';
import { launchFirefox } from './firefox.ts';
import { provideEngines } from './provide.ts';
import { createPage, keys, type Driver, type EnginePage } from './webdriver.ts';
import { launchWebkit } from './webkit.ts';

const programs = provideEngines(process.env);

/** What engines do each in its own way. The journey in Chromium goes through everything else. */
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
])('in $name', ({ launch, missing }) => {
  let server: RunningScript;
  let demo: RunningScript;
  let driver: Driver;
  let page: EnginePage;

  beforeEach(({ skip }) => skip(launch === null, missing));
  beforeAll(async () => {
    if (launch === null) return;
    [server, demo, driver] = await Promise.all([runScript('start'), runScript('demo'), launch()]);
    page = createPage(driver);
    await driver.send('resize', { width: 1440, height: 1000 });
    return async () => {
      await driver.close();
      await server.stop();
      await demo.stop();
    };
  });

  test('somebody signs in, finds a subscriber and changes it', async () => {
    await page.open(`${server.url}/subscribers?status=1`);
    await page.sees('heading', 'Sign in to Subscriber Desk');
    await page.fill('Name', 'manager');
    await page.fill('Password', server.password);
    await page.click('button', 'Sign in');
    await page.reads('1–25 of 1,');
    expect(await page.run('return location.search')).toBe('?status=1');

    await page.fill('Find subscribers', 'hansen');
    await page.reads(/1–25 of \d\d\n/);
    await page.fill('Find subscribers', keys.backspace);
    await page.reads('1–25 of 1,');
    await page.click('option', 'Expired');
    await page.reads(/1–25 of \d{3}\n/);
    expect(await page.run('return location.search')).toBe('?status=1&expired=true');

    await page.click('link', /^\w+\.\w+$/);
    await page.reads('Can’t watch');
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.click('button', /^\+1 month/);
    await page.reads('Can watch');
    await page.click('link', 'Edit');
    await page.fill('Note', 'From another browser.');
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.click('button', 'Save changes');
    await page.sees('button', 'Copy token');
    await page.reload();
    await page.reads('From another browser.');
    expect(await page.complaints()).toEqual([]);
  });

  test('the clipboard, the keys, menus and the dark theme work', async () => {
    await page.click('button', 'Copy token');
    await page.reads('The token is on the clipboard.');
    await page.press(keys.control, 'k');
    await page.fill('Command, username, email, #ID or access token', 'staff');
    await page.sees('option', /^Staff/);
    await page.press(keys.escape);
    await page.click('button', /^Account/);
    await page.click('option', 'Dark theme');
    expect(await page.accessibilityFaults()).toEqual([]);
    await page.click('button', 'Sign out');
    await page.sees('heading', 'Sign in to Subscriber Desk');
    expect(await page.complaints()).toEqual([]);
  });

  test('the demo runs in the tab of a phone, and keeps a change when it is loaded again', async () => {
    await driver.send('resize', { width: 390, height: 800 });
    await page.open(`${demo.url}/subscribers?demo-data=25`);
    await page.reads('1–25 of 25');
    await page.click('link', /^\w+\.\w+$/);
    await page.reads('Check a connection…');
    await page.click('link', 'Edit');
    await page.fill('Note', 'Kept in the tab.');
    await page.click('button', 'Save changes');
    await page.sees('button', 'Copy token');
    await page.reload();
    await page.reads('Kept in the tab.');
    expect(await page.complaints()).toEqual([]);
  });
});
