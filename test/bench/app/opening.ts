import type { BenchPage } from './conditions.ts';

/** Opens one row after the other. @returns from each click to the pane with what the list knows, in ms */
export async function openPanes({ page }: BenchPage, rows: number): Promise<number[]> {
  const took: number[] = [];
  for (let row = 0; row < rows; row += 1) {
    took.push(
      await page.evaluate(async (index) => {
        const link = document.querySelectorAll<HTMLElement>('tbody th a')[index];
        const began = performance.now();
        link?.click();
        const isOpen = () => document.querySelector('aside h2')?.textContent === link?.textContent;
        return (await window.bench.whenPainted(isOpen)) - began;
      }, row),
    );
    await page.keyboard.press('Escape');
    await page.locator('aside').waitFor({ state: 'detached' });
  }
  // The first one loads the pane itself.
  return took.slice(1);
}

/** Opens the form for a new subscriber so many times. @returns from each click to its fields, in ms */
export async function openForms({ page }: BenchPage, times: number): Promise<number[]> {
  const took: number[] = [];
  for (let time = 0; time <= times; time += 1) {
    took.push(
      await page.evaluate(async () => {
        const began = performance.now();
        document.querySelector<HTMLElement>('a[href^="/subscribers/new"]')?.click();
        const isOpen = () => document.querySelector('input[name="username"]') !== null;
        return (await window.bench.whenPainted(isOpen)) - began;
      }),
    );
    await page.goBack();
    await page.locator('tbody th a').first().waitFor();
  }
  // The first one loads the form itself.
  return took.slice(1);
}

/** Opens the form for a new subscriber, and waits until it is quiet. */
export async function openForm({ page, cdp }: BenchPage): Promise<void> {
  await page.locator('a[href^="/subscribers/new"]').click();
  await page.locator('input[name="username"]').focus();
  await page.waitForTimeout(500);
  await cdp.send('Performance.enable');
}

/** Types into an open form. @returns what the main thread had to do for each key, painting included, in ms */
export async function typeIntoForm({ page, cdp }: BenchPage, text: string): Promise<number[]> {
  const took: number[] = [];
  for (const letter of text) {
    const before = await busySoFar(cdp);
    await page.keyboard.press(letter);
    await page.waitForTimeout(100);
    took.push(((await busySoFar(cdp)) - before) * 1000);
  }
  return took;
}

/** Or the draft would be there again in the next form, which then could not be left without a question. */
export async function cancelForm({ page }: BenchPage): Promise<void> {
  const gone = page.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await gone;
}

/** Seconds that the main thread has spent on tasks. */
async function busySoFar(cdp: BenchPage['cdp']): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}
