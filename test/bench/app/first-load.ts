import type { BenchPage } from './conditions.ts';

export interface FirstLoad {
  /** From the beginning of the navigation, in ms. */
  firstRow: number;
  blocked: number;
  shift: number;
}

/** One cold visit, until nothing is under way any more. */
export async function loadFirst({ page }: BenchPage, url: string): Promise<FirstLoad> {
  await page.goto(`${url}/subscribers`, { waitUntil: 'networkidle' });
  await page.waitForFunction(() => window.bench.firstRow !== null);
  return page.evaluate(() => {
    const { firstRow, blocked, shift } = window.bench;
    return { firstRow: firstRow ?? Number.NaN, blocked, shift };
  });
}
