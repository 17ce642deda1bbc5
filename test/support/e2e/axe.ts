import axe, { type AxeResults, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules that a theme changes: the others read names, roles and structure, and find the same in both. */
export const aboutColours = ['color-contrast', 'link-in-text-block'];

/** Faults that axe finds on the page in both themes, as sentences. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  // Evaluated by the debugger, which no content security policy stops.
  await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const options: RunOptions = {
      resultTypes: ['violations'],
      ...(colorScheme === 'dark' && { runOnly: { type: 'rule', values: aboutColours } }),
    };
    const results = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
    for (const { id, help, nodes } of results.violations)
      faults.push(`${colorScheme}: ${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`);
  }
  return faults;
}
