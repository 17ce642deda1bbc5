/**
 * `npm run screenshot`: takes the picture in the README anew, from a running server; with `states` behind it, pictures
 * of every state of the dashboard, into `.cache/states/`; with `demo`, the picture of the demo.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openBrowser, openPage } from '../support/e2e/browser.ts';
import { startProduct } from '../support/e2e/product.ts';
import { signInRoles } from '../support/e2e/roles.ts';
import { signIn } from '../support/e2e/sign-in.ts';
import { pages } from '../support/e2e/screens.ts';
import { states } from '../support/e2e/states.ts';

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { colorScheme: 'dark', forcedColors: 'active', reducedMotion: 'reduce' },
} as const;
const isDemo = process.argv.includes('demo');
const server = await startProduct(isDemo ? 'demo' : 'start');
try {
  if (process.argv.includes('states')) await photographStates(inRoot('.cache/states'));
  else if (isDemo) await photographDemo();
  else await photographList();
} finally {
  await (await openBrowser()).close();
  await server.stop();
}

async function photographList(): Promise<void> {
  const { page } = await openPage({ viewport: { width: 1440, height: 860 } });
  await signIn(page, server);
  await page.goto(`${server.url}/subscribers?expired=true&trial=true&sort=username`);
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').nth(3).click();
  await page.getByRole('complementary').getByRole('term').filter({ hasText: 'User agents' }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.mouse.move(0, 0);
  await page.screenshot({ path: inRoot('.github/subscribers.png') });
}

async function photographDemo(): Promise<void> {
  const { page } = await openPage({ viewport: { width: 1440, height: 760 } });
  await page.goto(
    `${server.url}/subscribers?sort=username&demo-days=7&demo-faults=edits-meanwhile,lost-answers`,
  );
  await page.getByRole('table', { name: 'Subscribers' }).getByRole('link').nth(3).click();
  await page.getByRole('complementary').getByRole('term').filter({ hasText: 'User agents' }).waitFor();
  // They would lie below what the next button opens.
  await page.getByRole('button', { name: 'Scenarios' }).click();
  await page.getByRole('button', { name: 'What happens if… (2 on)' }).click();
  await page.mouse.move(0, 0);
  await page.screenshot({ path: inRoot('.github/demo.png') });
}

/** Each page and state as a manager, for eyes to judge. @param folder for pictures named by state, width and look */
async function photographStates(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { manager } = await signInRoles(server);
  for (const [look, media] of Object.entries(looks))
    for (const [name, state] of Object.entries({ ...pages, ...states })) {
      // Where there is room, each button is in sight.
      const { page } = await openPage({ storageState: manager });
      await page.emulateMedia(media);
      await state.before?.(page);
      await page.goto(`${server.url}${state.at ?? '/subscribers'}`);
      await state.show(page);
      for (const width of [1440, 1024, 390]) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
        await page.screenshot({ path: `${folder}/${name}-${width}-${look}.png` });
      }
      await page.context().close();
    }
}
