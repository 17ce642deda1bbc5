import axe, { type AxeResults, type ElementContext, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules that a theme changes: the others read names, roles and structure, and find the same in both. */
export const aboutColours = ['color-contrast', 'link-in-text-block'];

/** All rows of a table have the colours of its first ones, and to compute them for each takes longer than all other rules. */
const firstRows: ElementContext = { exclude: [['tbody tr:nth-child(n + 9)']] };
const colours: RunOptions = { runOnly: { type: 'rule', values: aboutColours } };
const others: RunOptions = {
  rules: Object.fromEntries(aboutColours.map((rule) => [rule, { enabled: false }])),
};

/** Faults that axe finds on the page in both themes, as sentences. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  // Evaluated by the debugger, which no content security policy stops.
  await page.evaluate(axe.source);
  for (const [colorScheme, context, rules] of [
    ['light', { exclude: [] }, others],
    ['light', firstRows, colours],
    ['dark', firstRows, colours],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const words = [context, { ...rules, resultTypes: ['violations'] }].map((each) => JSON.stringify(each));
    const results = await page.evaluate<AxeResults>(`axe.run(${words.join()})`);
    for (const { id, help, nodes } of results.violations)
      faults.push(`${colorScheme}: ${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`);
  }
  return faults;
}
