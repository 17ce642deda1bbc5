import axe, { type AxeResults, type ElementContext, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules that a theme changes: the others read names, roles and structure, and find the same in both. */
export const aboutColours = ['color-contrast', 'link-in-text-block'];

/** All rows of a table are like its first ones, and to look at each takes longer than all else. */
const exclude = [['tbody tr:nth-child(n + 9)']];

/**
 * Faults that axe finds on the page in both themes, as sentences. A modal dialog is all that people can reach, so the page
 * below it is left out.
 */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  // Evaluated by the debugger, which no content security policy stops.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const isModal = await page.evaluate(() => document.querySelector(':modal') !== null);
  const context: ElementContext = { exclude, ...(isModal && { include: [[':modal']] }) };
  for (const [colorScheme, rules] of [
    ['light', {}],
    ['dark', { runOnly: { type: 'rule', values: aboutColours } }],
  ] satisfies ['light' | 'dark', RunOptions][]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const words = [context, { ...rules, resultTypes: ['violations'] }].map((each) => JSON.stringify(each));
    const results = await page.evaluate<AxeResults>(`axe.run(${words.join()})`);
    for (const { id, help, nodes } of results.violations)
      faults.push(`${colorScheme}: ${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`);
  }
  return faults;
}
