import { expect } from 'vitest';

/**
 * Runs every input of a table and compares the outcomes. A failure lists each input below the outcome that it had.
 *
 * @param expected the inputs, by the outcome that each should have
 * @param run returns the outcome of one input; if it throws, the outcome is the error
 * @example
 * await expectOutcomes({ '200': ['/'], '404': ['/a', '/b'] }, async (path) => `${(await fetch(path)).status}`);
 */
export async function expectOutcomes<Input>(
  expected: Readonly<Record<string, readonly Input[]>>,
  run: (input: Input) => Promise<string> | string,
): Promise<void> {
  const actual: Record<string, Input[]> = {};
  for (const inputs of Object.values(expected))
    for (const input of inputs) {
      const outcome = await Promise.resolve(input).then(run).catch(String);
      (actual[outcome] ??= []).push(input);
    }
  expect(actual).toEqual(expected);
}
