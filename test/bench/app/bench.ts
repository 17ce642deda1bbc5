import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium, openPage } from '../../support/e2e/browser.ts';
import { provideTestChromium } from '../../support/e2e/provide.ts';
import { signIn } from '../../support/e2e/sign-in.ts';
import { password, startProcess } from '../processes.ts';
import { inRounds, median, show } from '../report.ts';
import type { Bench } from '../run.ts';
import { measureFirstLoad, type FirstLoad, type Visit } from './first-load.ts';
import { openBenchPage, slowMachine, telephone, unthrottled, type Conditions } from './page.ts';
import {
  changeWithoutAnswer,
  findByKey,
  openForm,
  openForms,
  openList,
  openPanes,
  turnPages,
  typeIntoForm,
} from './use.ts';

const loads = 15;
const rounds = 5;

/** The addresses of the dashboard and, beside it, of a plain page of the same libraries on the same data. */
type Urls = Readonly<Record<'app' | 'plain', string>>;

/**
 * The dashboard in a browser, as `npm start` serves it: how soon there is something to see, and how soon it follows.
 * Budgets are ratios to a plain page that is measured in turns with it: they say the same on every machine.
 */
export const benchApp: Bench = async () => {
  const server = await startProcess('src/server/main.ts start', {
    SAMPLE_SUBSCRIBERS: '2000',
    READS_PER_SECOND: '0',
  });
  // React's build for development is several times as slow.
  const sameData = { DATA_DIR: server.folder, READS_PER_SECOND: '0', NODE_ENV: 'production' };
  const plain = await startProcess('test/bench/app/plain-page.ts', sameData);
  const urls = { app: server.url, plain: plain.url };
  // With windows, it opens pages of its own beside each new tab, which take as long as ours.
  const browser = await launchChromium(provideTestChromium(process.env));
  try {
    const { page } = await openPage({}, browser);
    await signIn(page, { url: server.url, password });
    const storageState = await page.context().storageState();
    await page.context().close();
    await firstLoads(browser, urls, storageState.cookies);
    for (const conditions of [unthrottled, slowMachine]) {
      await besidePlain(browser, urls, conditions, { storageState });
      await use(browser, urls.app, conditions, { storageState });
    }
  } finally {
    await browser.close();
    await plain.stop();
    await server.stop();
  }
};

async function firstLoads(
  browser: Browser,
  urls: Urls,
  cookies: Parameters<typeof measureFirstLoad>[3],
): Promise<void> {
  const load = (conditions: Conditions, visit: Visit, times: number) =>
    inRounds(urls, times, async (url) => [await measureFirstLoad(browser, url, conditions, cookies, visit)]);
  // Warms up the browser and the servers, which are slower for the first loads.
  await load(unthrottled, 'cold', 4);
  for (const [name, conditions, visit, budget] of [
    ['', unthrottled, 'cold', 1.35] as const,
    [', telephone', telephone, 'cold', 1.1] as const,
    [', second visit', unthrottled, 'warm', 1.1] as const,
    [', reload', unthrottled, 'reload', 1.1] as const,
  ]) {
    const { app, plain } = await load(conditions, visit, loads);
    const of = (seen: readonly FirstLoad[], figure: keyof FirstLoad) => seen.map((each) => each[figure]);
    showRatio(`first row${name}`, of(app, 'firstRow'), of(plain, 'firstRow'), budget);
    show(`total blocking time${name}`, median(of(app, 'blocked')), 'ms');
    show(`layout shift${name}`, median(of(app, 'shift')), '', 0);
  }
}

/** The median of the dashboard as a multiple of the plain page's, in ms both. */
function showRatio(name: string, app: readonly number[], plain: readonly number[], budget: number): void {
  const [ours, theirs] = [median(app), median(plain)];
  const figures = `${ours.toFixed(0)} ms, plain page ${theirs.toFixed(0)} ms`;
  show(`${name}: ${figures}`, ours / theirs, '×', budget);
}

const nameOf = ({ cpu }: Conditions) => (cpu > 1 ? `, CPU ÷ ${cpu}` : '');

/** Actions that both pages have, alternately. */
async function besidePlain(
  browser: Browser,
  urls: Urls,
  conditions: Conditions,
  options: BrowserContextOptions,
): Promise<void> {
  const pages = {
    app: await openBenchPage(browser, conditions, options),
    plain: await openBenchPage(browser, conditions, options),
  };
  await openList(pages.app, urls.app);
  await openList(pages.plain, urls.plain);
  const turns = await inRounds(pages, rounds, (page) => turnPages(page, 6));
  showRatio(`next page${nameOf(conditions)}`, turns.app, turns.plain, 1.5);
  await openForm(pages.app);
  await openForm(pages.plain);
  const keys = await inRounds(pages, rounds, (page) => typeIntoForm(page, 'benches'));
  showRatio(`a key in a form, main thread${nameOf(conditions)}`, keys.app, keys.plain, 2);
  // Or the draft would be there again in the next form, which then could not be left without a question.
  const { page } = pages.app;
  const discarded = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await discarded;
  await Promise.all([page.context().close(), pages.plain.page.context().close()]);
}

/** The actions of a person's day. */
async function use(
  browser: Browser,
  url: string,
  conditions: Conditions,
  options: BrowserContextOptions,
): Promise<void> {
  const bench = await openBenchPage(browser, conditions, options);
  await openList(bench, url);
  const showMedian = (name: string, times: readonly number[], budget?: number) =>
    show(`${name}${nameOf(conditions)}`, median(times), 'ms', budget);
  // Each is in some of the samples' usernames.
  const texts = ['sen', 'ova', 'ren', 'and', 'tan', 'ana', 'ore', 'han'];
  showMedian('key in the find box to its rows', await findByKey(bench, texts));
  showMedian('pane, of a subscriber in the list', await openPanes(bench, 10));
  showMedian('form for a new subscriber', await openForms(bench, 8));
  showMedian('a change, until it says what is happening', await changeWithoutAnswer(bench, 3), 100);
  await bench.page.context().close();
}
