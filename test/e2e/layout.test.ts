import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { may, roles, type Role } from '../../src/contract/bff/permission.ts';
import { launchChromium, openPage } from './browser.ts';
import { layoutFaults } from './layout-faults.ts';
import { signInRoles, type StorageState } from './roles.ts';
import { runScript, type RunningScript } from './run-script.ts';
import { pages, showPage, type Screen } from './screens.ts';
import { states } from './states.ts';

let server: RunningScript;
let browser: Browser;
let signedIn: Record<Role, StorageState>;

beforeAll(async () => {
  [server, browser] = await Promise.all([
    runScript('start', { PLAYLIST_URL_TEMPLATE: 'https://tv.example.com/{username}/{token}.m3u8' }),
    launchChromium(),
  ]);
  signedIn = await signInRoles(browser, server);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

// 1280 pixels at 400 % are 320: what WCAG 1.4.10 asks for.
const widths = [1440, 1024, 390, 320];

/** Opens a screen as a role, and measures it at every width without loading it again. */
async function measure(role: Role, screen: Screen, show: Screen['show']): Promise<void> {
  const { page } = await openPage(browser, { storageState: signedIn[role] });
  await screen.before?.(page);
  await page.goto(`${server.url}${screen.at ?? '/subscribers'}`);
  await show(page);
  const debug = await page.context().newCDPSession(page);
  for (const width of widths) {
    // As telephones are: buttons and texts in fields are larger for a finger.
    await debug.send('Emulation.setTouchEmulationEnabled', { enabled: width < 720 });
    await page.setViewportSize({ width, height: width < 720 ? 844 : 900 });
    // What the page itself lays out anew, such as a chart, comes after the resize.
    await expect.poll(() => layoutFaults(page), { message: `${role}, ${width} pixels` }).toEqual([]);
  }
  await page.context().close();
}

async function measureAs(who: readonly Role[], screen: Screen, showAs: (role: Role) => Screen['show']) {
  await Promise.all(who.map((role) => measure(role, screen, showAs(role))));
}

describe('nothing is too narrow, cut off, covered or outside the window', () => {
  test.each(Object.entries(pages))(
    'on the page %s, or where a role may not see it',
    async (_name, screen) => {
      await measureAs(roles, screen, (role) => showPage(screen, (permission) => may(role, permission)));
    },
  );

  test.each(Object.entries(states).filter(([, { stops }]) => !stops))(
    'in the state %s',
    async (_name, screen) => {
      const { needs } = screen;
      // Those with the fewest and the most permissions: nothing is wider for the role between them.
      const able = roles.filter((role) => needs === undefined || may(role, needs));
      const who = able.filter((role) => role === able[0] || role === able.at(-1));
      await measureAs(who, screen, () => screen.show);
    },
  );
});
