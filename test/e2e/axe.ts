import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds on the page in both themes, as sentences. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    // Evaluated by the debugger, which no content security policy stops.
    await page.evaluate(axe.source);
    const results = await page.evaluate<AxeResults>('axe.run({ resultTypes: ["violations"] })');
    for (const { id, help, nodes } of results.violations)
      faults.push(`${colorScheme}: ${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`);
  }
  return faults;
}
