import { launchChromium } from '../support/e2e/browser.ts';
import { openBenchPage, unthrottled } from './app/page.ts';
import { startProcess } from './processes.ts';
import { median, show } from './report.ts';
import type { Bench } from './run.ts';

const rounds = 5;

/** The demo in a browser that has never seen it: how soon there is a first row, with BFF, service and data in the tab. */
export const benchDemo: Bench = async () => {
  const [demo, browser] = await Promise.all([startProcess('src/demo/serve.ts'), launchChromium()]);
  /** From the beginning of the navigation until a row is painted, in ms. */
  const firstRow = async (data: number) => {
    const { page } = await openBenchPage(browser, unthrottled);
    await page.goto(`${demo.url}/subscribers?demo-data=${data}`);
    const took = await (await page.waitForFunction(() => window.bench.firstRow)).jsonValue();
    await page.context().close();
    return took ?? Number.NaN;
  };
  try {
    // Warms up the browser.
    await firstRow(25);
    for (const [data, budget] of [[2000, 2000] as const, [50_000, 5000] as const]) {
      const took: number[] = [];
      for (let round = 0; round < rounds; round += 1) took.push(await firstRow(data));
      show(`first row of the demo, ${data} subscribers`, median(took), 'ms', budget);
    }
  } finally {
    await browser.close();
    await demo.stop();
  }
};
