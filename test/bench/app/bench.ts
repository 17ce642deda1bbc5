import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { launchChromium, openPage } from '../../support/e2e/browser.ts';
import { runScript, type RunningScript } from '../../support/e2e/run-script.ts';
import { signIn } from '../../support/e2e/sign-in.ts';
import { budgets, loadFirstView, sumOf } from '../first-view.ts';
import type { Bench } from '../options.ts';
import { changeWithoutAnswer } from './changing.ts';
import {
  openBenchPage,
  slowMachine,
  telephone,
  unthrottled,
  type BenchState,
  type Conditions,
} from './conditions.ts';
import { loadFirst, measureFirstLoad, type FirstLoad } from './first-load.ts';
import { findByKey, growOver, turnPages } from './list.ts';
import { cancelForm, openForm, openForms, openPanes, typeIntoForm } from './opening.ts';
import { launchPlainChromium } from './plain-chromium.ts';
import { runPlainPage } from './plain-page.ts';
import { median, ratio, sayFigures, sayHeading, type Figure } from './report.ts';

const kilo = 1000;
const loads = 15;
const rounds = 5;

/** The dashboard and, beside it, a plain page of the same libraries on the same data. */
interface Subjects {
  app: string;
  plain: string;
}
type Both<T> = Record<keyof Subjects, T>;

/**
 * The dashboard in a browser, as `npm start` serves it: how soon there is something to see, and how soon it follows.
 * Budgets are ratios to a plain page that is measured in turns with it: they say the same on every machine.
 */
export const benchApp: Bench = async (options) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const [server, browser] = await Promise.all([
    runScript('start', { DATA_DIR: dataDir, READS_PER_SECOND: '0' }),
    launchChromium(),
  ]);
  const plain = await runPlainPage(dataDir);
  const urls = { app: server.url, plain: plain.url };
  try {
    const state = await signedIn(browser, server);
    sayHeading(options);
    sayFigures(await bytes(browser, server), options);
    sayFigures(await firstLoads(urls, state), options);
    sayFigures(await besidePlain(browser, urls, state, false), options);
    sayFigures(await besidePlain(browser, urls, state, true), options);
    sayFigures(await use(browser, urls.app, state, false), options);
    sayFigures(await use(browser, urls.app, state, true), options);
    sayFigures(await heap(browser, urls.app, state), options);
  } finally {
    await browser.close();
    await plain.stop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
};

async function signedIn(browser: Browser, server: RunningScript): Promise<BenchState> {
  const { page } = await openPage({}, browser);
  await signIn(page, server);
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

async function firstLoads(urls: Subjects, state: BenchState): Promise<Figure[]> {
  const browser = await launchPlainChromium();
  const load = (conditions: Conditions) => async (url: string) =>
    measureFirstLoad(browser, url, conditions, state);
  // Warms up the browser and the servers, which are slower for the first loads.
  await inTurns(urls, 4, load(unthrottled));
  const fast = await inTurns(urls, loads, load(unthrottled));
  const slow = await inTurns(urls, loads, load(telephone));
  await browser.close();
  const of = ({ app, plain }: Both<FirstLoad[]>, name: keyof FirstLoad) => ({
    app: app.map((load) => load[name]),
    plain: plain.map((load) => load[name]),
  });
  return [
    ratio('first row', of(fast, 'firstRow'), 1.35),
    ratio('first row, telephone', of(slow, 'firstRow'), 1.1),
    { name: 'total blocking time', value: median(of(fast, 'blocked').app), unit: 'ms' },
    { name: 'total blocking time, telephone', value: median(of(slow, 'blocked').app), unit: 'ms' },
    { name: 'layout shift', value: median(of(fast, 'shift').app), unit: '', budget: 0 },
    { name: 'layout shift, telephone', value: median(of(slow, 'shift').app), unit: '', budget: 0 },
  ];
}

/** Measures both in turns, so that what the machine does meanwhile is the same for both. */
async function inTurns<T>(
  { app, plain }: Subjects,
  times: number,
  measure: (url: string) => Promise<T>,
): Promise<Both<T[]>> {
  const seen: Both<T[]> = { app: [], plain: [] };
  for (let time = 0; time < times; time += 1) {
    seen.app.push(await measure(app));
    seen.plain.push(await measure(plain));
  }
  return seen;
}

/** What both pages can do, in turns. */
async function besidePlain(
  browser: Browser,
  urls: Subjects,
  state: BenchState,
  slow: boolean,
): Promise<Figure[]> {
  const conditions = slow ? slowMachine : unthrottled;
  const pages = {
    app: await openBenchPage(browser, conditions, state),
    plain: await openBenchPage(browser, conditions, state),
  };
  const turns: Both<number[]> = { app: [], plain: [] };
  const keys: Both<number[]> = { app: [], plain: [] };
  const subjects = ['app', 'plain'] as const;
  for (const name of subjects) await loadFirst(pages[name], urls[name]);
  for (let round = 0; round < rounds; round += 1)
    for (const name of subjects) turns[name].push(...(await turnPages(pages[name], 6)));
  for (const name of subjects) await openForm(pages[name]);
  for (let round = 0; round < rounds; round += 1)
    for (const name of subjects) keys[name].push(...(await typeIntoForm(pages[name], 'benches')));
  await cancelForm(pages.app);
  for (const name of subjects) await pages[name].close();
  const at = slow ? ', CPU ÷ 4' : '';
  return [ratio(`next page${at}`, turns, 1.5), ratio(`a key in a form, main thread${at}`, keys, 2)];
}

/** What a person does all day, on this machine and on one that is four times as slow. */
async function use(browser: Browser, url: string, state: BenchState, slow: boolean): Promise<Figure[]> {
  const bench = await openBenchPage(browser, slow ? slowMachine : unthrottled, state);
  await loadFirst(bench, url);
  const finds = await findByKey(bench, 'aeinorst');
  const panes = await openPanes(bench, 11);
  const forms = await openForms(bench, 8);
  const changes = await changeWithoutAnswer(bench, 3);
  await bench.close();
  const at = slow ? ', CPU ÷ 4' : '';
  const figure = (name: string, took: readonly number[], budget?: number): Figure => ({
    name: `${name}${at}`,
    value: median(took),
    unit: 'ms',
    ...(budget !== undefined && { budget }),
  });
  return [
    figure('key in the find box to its rows, 180 ms pause included', finds),
    figure('pane, of a subscriber in the list', panes),
    figure('form for a new subscriber', forms),
    figure('a change, until it says what is happening', changes, 100),
  ];
}

async function heap(browser: Browser, url: string, state: BenchState): Promise<Figure[]> {
  const bench = await openBenchPage(browser, unthrottled, state);
  await loadFirst(bench, url);
  const grown = await growOver(bench, 200);
  await bench.close();
  return [{ name: 'heap growth over 200 pages', value: grown / kilo ** 2, unit: 'MB', budget: 6 }];
}

async function bytes(browser: Browser, server: RunningScript): Promise<Figure[]> {
  const loaded = await loadFirstView(browser, server);
  const [script, stylesheet] = [sumOf(loaded, 'script'), sumOf(loaded, 'stylesheet')];
  return [
    {
      name: 'JavaScript of the first view, gzip',
      unit: 'kB',
      value: script / kilo,
      budget: budgets.script / kilo,
    },
    {
      name: 'CSS of the first view, gzip',
      unit: 'kB',
      value: stylesheet / kilo,
      budget: budgets.stylesheet / kilo,
    },
    { name: 'requests of the first view', unit: 'requests', value: loaded.length, budget: budgets.requests },
  ];
}
