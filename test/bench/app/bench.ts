import type { Browser } from 'playwright-core';
import { launchChromium, openPage } from '../../e2e/browser.ts';
import { runDesk, type RunningDesk } from '../../e2e/desk-process.ts';
import { signIn } from '../../e2e/sign-in.ts';
import type { Bench } from '../options.ts';
import { budgets, loadFirstView, sumOf } from '../first-view.ts';
import { changeWithoutAnswer } from './changing.ts';
import {
  openBenchPage,
  slowMachine,
  telephone,
  unthrottled,
  type BenchState,
  type Conditions,
} from './conditions.ts';
import { loadFirst, visitFirst, type FirstLoad } from './first-load.ts';
import { findByKey, growOver, turnPages } from './list.ts';
import { openForms, openPanes, typeIntoForm } from './opening.ts';
import { launchPlainChromium } from './plain-chromium.ts';
import { median, sayFigures, sayHeading, type Figure } from './report.ts';

const rounds = 5;
const kilo = 1000;

/** The dashboard in a browser, as `npm start` serves it: how soon there is something to see, and how soon it follows. */
export const benchApp: Bench = async (options) => {
  const [desk, browser] = await Promise.all([runDesk('start'), launchChromium()]);
  try {
    const state = await signedIn(browser, desk);
    sayHeading(options);
    sayFigures(await bytes(browser, desk), options);
    sayFigures(await firstLoads(desk, state), options);
    sayFigures(await use(browser, desk, state, false), options);
    sayFigures(await use(browser, desk, state, true), options);
    sayFigures(await heap(browser, desk, state), options);
  } finally {
    await browser.close();
    await desk.stop();
  }
};

async function signedIn(browser: Browser, desk: RunningDesk): Promise<BenchState> {
  const { page } = await openPage(browser);
  await signIn(page, desk);
  const state = await page.context().storageState();
  await page.context().close();
  return state;
}

async function firstLoads({ url }: RunningDesk, state: BenchState): Promise<Figure[]> {
  const browser = await launchPlainChromium();
  const visit = (conditions: Conditions) => visitFirst(browser, url, conditions, state);
  // For the browser itself and the desk, which take some visits until they are as quick as they stay.
  for (let visits = 0; visits < 4; visits += 1) await visit(unthrottled);
  const [fast, slow]: [FirstLoad[], FirstLoad[]] = [[], []];
  for (let round = 0; round < 2 * rounds - 1; round += 1) {
    fast.push(await visit(unthrottled));
    slow.push(await visit(telephone));
  }
  await browser.close();
  const of = (loads: readonly FirstLoad[], name: keyof FirstLoad) => median(loads.map((load) => load[name]));
  return [
    { name: 'first row', value: of(fast, 'firstRow'), unit: 'ms', budget: 300 },
    { name: 'first row, telephone', value: of(slow, 'firstRow'), unit: 'ms', budget: 1600 },
    { name: 'total blocking time', value: of(fast, 'blocked'), unit: 'ms', budget: 0 },
    { name: 'total blocking time, telephone', value: of(slow, 'blocked'), unit: 'ms' },
    { name: 'layout shift', value: of(fast, 'shift'), unit: '', budget: 0 },
    { name: 'layout shift, telephone', value: of(slow, 'shift'), unit: '', budget: 0 },
  ];
}

/** What a person does all day, on this machine and on one that is four times as slow. */
async function use(
  browser: Browser,
  { url }: RunningDesk,
  state: BenchState,
  slow: boolean,
): Promise<Figure[]> {
  const bench = await openBenchPage(browser, slow ? slowMachine : unthrottled, state);
  await loadFirst(bench, url);
  const turns = await turnPages(bench, 20);
  const finds = await findByKey(bench, 'aeinorst');
  const panes = await openPanes(bench, 11);
  const forms = await openForms(bench, 8);
  const changes = await changeWithoutAnswer(bench, 3);
  const keys = await typeIntoForm(bench, 'subscriber-of-the-bench');
  await bench.close();
  const at = slow ? ', CPU ÷ 4' : '';
  const figure = (name: string, took: readonly number[], budget?: number): Figure => ({
    name: `${name}${at}`,
    value: median(took),
    unit: 'ms',
    ...(budget !== undefined && { budget }),
  });
  return [
    figure('next page', turns, slow ? 75 : 33),
    figure('key in the find box to its rows, 180 ms pause included', finds),
    figure('pane, of a subscriber in the list', panes, slow ? undefined : 50),
    figure('form for a new subscriber', forms, slow ? undefined : 100),
    figure('a change, until it says what is happening', changes, 100),
    figure('a key in the form, main thread', keys, slow ? 16 : undefined),
  ];
}

async function heap(browser: Browser, { url }: RunningDesk, state: BenchState): Promise<Figure[]> {
  const bench = await openBenchPage(browser, unthrottled, state);
  await loadFirst(bench, url);
  const grown = await growOver(bench, 200);
  await bench.close();
  return [{ name: 'heap growth over 200 pages', value: grown / kilo ** 2, unit: 'MB', budget: 6 }];
}

async function bytes(browser: Browser, desk: RunningDesk): Promise<Figure[]> {
  const loaded = await loadFirstView(browser, desk);
  const script = { value: sumOf(loaded, 'script') / kilo, budget: budgets.script / kilo };
  return [
    { name: 'JavaScript of the first view, gzip', unit: 'kB', ...script },
    { name: 'requests of the first view', unit: 'requests', value: loaded.length, budget: budgets.requests },
  ];
}
