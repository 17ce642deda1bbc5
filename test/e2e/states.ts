/** Photographs every state of the dashboard, at three widths and in both themes, for eyes to judge. */
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { Session } from '../../src/contract/bff/session.ts';
import { allowedTo } from '../../src/contract/bff/permission.ts';
import { makeProblem } from '../../src/contract/http/problem-answer.ts';
import { openPage } from './browser.ts';
import type { RunningScript } from './run-script.ts';
import { signIn } from './sign-in.ts';

const widths = [1440, 1024, 390] as const;
const looks = [
  { name: 'light', media: { colorScheme: 'light' } },
  { name: 'dark', media: { colorScheme: 'dark' } },
  { name: 'forced', media: { colorScheme: 'dark', forcedColors: 'active', reducedMotion: 'reduce' } },
] as const;

const rows = /\/api\/subscribers(\?|$)/;
const list = '/subscribers';
const firstRow = (page: Page) => page.getByRole('table', { name: 'Subscribers' }).getByRole('link').first();
const loaded = (page: Page) => firstRow(page).waitFor();
const answer = (page: Page, path: string | RegExp, body: unknown, status = 200) =>
  page.route(path, (route) => route.fulfill({ status, json: body }));
const awaitForever = (page: Page) => page.route(rows, () => undefined);

async function selectSome(page: Page): Promise<void> {
  await loaded(page);
  for (const key of 'jxjjx') await page.keyboard.press(key);
  await page.getByText('2 selected.').waitFor();
}

/** Each by its name: what is prepared before the address is opened, where that is, and what is done then. */
const states: Record<
  string,
  { before?: (page: Page) => unknown; at?: string; show: (page: Page) => unknown }
> = {
  list: { show: loaded },
  'keyboard-row': {
    show: async (page) => {
      await loaded(page);
      await page.keyboard.press('j');
      await page.keyboard.press('j');
    },
  },
  selecting: { show: selectSome },
  'extend-several': {
    show: async (page) => {
      await selectSome(page);
      await page.getByRole('button', { name: 'Extend…' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  'jobs-empty': { at: '/jobs', show: (page) => page.getByRole('heading', { name: 'No jobs yet' }).waitFor() },
  'job-preview': {
    show: async (page) => {
      await selectSome(page);
      await page.getByRole('button', { name: 'Extend…' }).click();
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('region', { name: 'Preview' }).waitFor();
      await page.locator('table[aria-busy=false]').waitFor();
    },
  },
  palette: {
    show: async (page) => {
      await loaded(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('an');
      await page.getByText(/found/).waitFor();
    },
  },
  'session-over': {
    show: async (page) => {
      await loaded(page);
      await page.context().clearCookies();
      await page.getByRole('combobox', { name: 'Expires' }).selectOption('Expired');
      await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    },
  },
  pane: {
    show: async (page) => {
      await firstRow(page).click();
      await page.getByRole('complementary').getByText('User agents', { exact: true }).waitFor();
    },
  },
  form: { at: '/subscribers/new', show: (page) => page.getByLabel('Username').waitFor() },
  shortcuts: {
    show: async (page) => {
      await loaded(page);
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  columns: {
    show: async (page) => {
      await loaded(page);
      await page.getByRole('button', { name: 'Columns' }).click();
    },
  },
  account: {
    show: async (page) => {
      await loaded(page);
      await page.getByRole('button', { name: /^Account/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
  },
  'first-load': { before: awaitForever, show: (page) => page.getByText('Loading the list').waitFor() },
  stuck: {
    before: async (page) => {
      await page.clock.install();
      await awaitForever(page);
    },
    show: async (page) => {
      await page.getByRole('table').waitFor();
      await page.clock.fastForward(11_000);
      await page.getByText('Still waiting').waitFor();
    },
  },
  empty: {
    before: (page) => answer(page, rows, { items: [], page: 1, pageSize: 25, totalCount: 0, totalPages: 0 }),
    show: (page) => page.getByText('No subscribers yet').waitFor(),
  },
  'nothing-found': {
    at: `${list}?username=zorro&expired=true`,
    show: (page) => page.getByText('No subscribers match', { exact: true }).waitFor(),
  },
  failing: {
    before: (page) =>
      answer(
        page,
        rows,
        makeProblem('upstream-unreachable', 'The subscriber service does not answer.', 'k3v9-52aa'),
        503,
      ),
    show: (page) => page.getByText('Couldn’t load the list').waitFor(),
  },
  'too-long': {
    show: async (page) => {
      await loaded(page);
      await page.getByRole('searchbox').fill('a very long name '.repeat(6));
    },
  },
  offline: {
    show: async (page) => {
      await loaded(page);
      await page.context().setOffline(true);
      await page.getByText('You’ve been offline since').waitFor();
    },
  },
  'not-allowed': {
    at: '/staff',
    before: (page) =>
      answer(page, '**/bff/session', {
        staff: { id: '1', name: 'kari', role: 'viewer', singleSignOn: false },
        can: allowedTo('viewer'),
        extensions: ['IsTrial'],
        statusHelp: 'Status is set in the billing system.',
        trialDays: 7,
        canSignOut: true,
        canChangePassword: true,
        mustChangePassword: false,
        views: [],
      } satisfies Session),
    show: (page) => page.getByText('Only managers can see staff accounts.').waitFor(),
  },
};

/** @param folder where the pictures go, named by state, width and look */
export async function photographStates(
  server: RunningScript,
  browser: Browser,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const { page: first } = await openPage(browser);
  await signIn(first, server);
  const storageState = await first.context().storageState();
  for (const width of widths)
    for (const look of looks)
      for (const [name, state] of Object.entries(states)) {
        const { page } = await openPage(browser, {
          viewport: { width, height: width === 390 ? 844 : 900 },
          storageState,
        });
        await page.emulateMedia(look.media);
        await state.before?.(page);
        await page.goto(`${server.url}${state.at ?? list}`);
        await state.show(page);
        await page.screenshot({ path: `${folder}/${name}-${width}-${look.name}.png` });
        await page.context().close();
      }
}
