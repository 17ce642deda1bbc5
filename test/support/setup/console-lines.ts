/** Lines that the running test declared with `expectConsole`; emptied before each test. */
export const expectedLines: (RegExp | string)[] = [];

/**
 * Declares that the running test makes the console speak, once for each call.
 *
 * @param line a part of the line, which begins with `console.error: ` or `console.warn: `
 */
export function expectConsole(line: RegExp | string): void {
  expectedLines.push(line);
}

/** Faults in the lines that a test's console spoke: those not declared, and those declared but not spoken. */
export function unexpectedLines(spoken: readonly string[], expected: readonly (RegExp | string)[]): string[] {
  const remaining = [...expected];
  const faults = [];
  for (const line of spoken) {
    const index = remaining.findIndex((part) =>
      typeof part === 'string' ? line.includes(part) : part.test(line),
    );
    if (index < 0) faults.push(`Not expected in this test (declare it with expectConsole): ${line}`);
    else remaining.splice(index, 1);
  }
  return [
    ...faults,
    ...remaining.map((part) => `Expected on the console, but it was not spoken: ${String(part)}`),
  ];
}
