import type { BenchPage } from './conditions.ts';

/** What is pressed to change something, by selectors; `before` leads there. */
const changes = {
  extend: { before: [], press: 'section[aria-label="Extend"] button', where: 'section[aria-label="Extend"]' },
  regenerate: { before: ['Regenerate token…'], press: 'dialog button[class*="danger"]', where: 'dialog' },
  delete: { before: ['Delete…'], press: 'dialog button[class*="danger"]', where: 'dialog' },
} as const;

/**
 * Makes each change while no answer comes. @returns from each press to the text that says it is under way, in ms
 */
export async function changeWithoutAnswer({ page }: BenchPage, times: number): Promise<number[]> {
  // Dropped in the end, before they reach anybody: nothing is changed.
  await page.route(/\/api\/subscribers\/\d+/, (route) =>
    route.request().method() === 'GET' ? route.continue() : undefined,
  );
  const took: number[] = [];
  const list = page.url();
  for (let time = 0; time < times; time += 1)
    for (const { before, press, where } of Object.values(changes)) {
      await page.locator('tbody th a').nth(time).click();
      for (const name of before) await page.getByRole('button', { name }).click();
      await page.locator(`${press}:not([aria-disabled])`).first().waitFor();
      took.push(
        await page.evaluate(
          async ([button, region]) => {
            const began = performance.now();
            document.querySelector<HTMLElement>(button)?.click();
            const says = () => document.querySelector(region)?.textContent.match(/\w+ing\b.*…/) !== null;
            return (await window.bench.whenPainted(says)) - began;
          },
          [press, where] as const,
        ),
      );
      await page.goto(list);
      await page.locator('tbody th a').first().waitFor();
    }
  await page.unroute(/\/api\/subscribers\/\d+/);
  return took;
}
