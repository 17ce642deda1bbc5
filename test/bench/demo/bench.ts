import type { Browser } from 'playwright-core';
import { launchChromium } from '../../support/e2e/browser.ts';
import { runScript, type RunningScript } from '../../support/e2e/run-script.ts';
import { openBenchPage, unthrottled } from '../app/conditions.ts';
import { median, sayFigures, sayHeading } from '../app/report.ts';
import type { Bench } from '../options.ts';

const rounds = 5;

/** The demo in a browser that has never seen it: how soon there is a first row, with BFF, service and data in the tab. */
export const benchDemo: Bench = async (options) => {
  const [demo, browser] = await Promise.all([runScript('demo'), launchChromium()]);
  try {
    // Warms up the browser.
    await firstRow(browser, demo, '25');
    sayHeading(options);
    for (const [data, budget] of [
      ['2000', 2000],
      ['50000', 5000],
    ] as const) {
      const took: number[] = [];
      for (let round = 0; round < rounds; round += 1) took.push(await firstRow(browser, demo, data));
      const name = `first row of the demo, ${data} subscribers`;
      sayFigures([{ name, value: median(took), unit: 'ms', budget }], options);
    }
  } finally {
    await browser.close();
    await demo.stop();
  }
};

/** From the beginning of the navigation until a row is painted, in ms. */
async function firstRow(browser: Browser, { url }: RunningScript, data: string): Promise<number> {
  const bench = await openBenchPage(browser, unthrottled, { cookies: [], origins: [] });
  await bench.page.goto(`${url}/?demo-data=${data}`);
  const took = await bench.page.waitForFunction(() => window.bench.firstRow);
  const value = await took.jsonValue();
  await bench.close();
  return value ?? Number.NaN;
}
