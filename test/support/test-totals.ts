export interface TestTotals {
  passed: number;
  failed: number;
  skipped: number;
}

/** The part of vitest's JSON report that counts. */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** By file; times in ms. */
  testResults: {
    name: string;
    startTime: number;
    endTime: number;
    status: string;
    assertionResults: { status: string }[];
  }[];
}

/**
 * Counts a run of vitest so that nothing that went wrong stays out of the sum.
 *
 * @param report null where vitest wrote none, which it does not when it crashes
 * @param exitCode what vitest ended with; null where a signal ended it
 */
export function countVitest(report: Report | null, exitCode: number | null): TestTotals {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  // A file that fails before its first test has no failed tests, and would otherwise not be seen at all.
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  ).length;
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + brokenFiles;
  const skipped = report.numPendingTests + report.numTodoTests;
  // An error outside of any test, or a run without tests: no test failed, and yet nothing is proved.
  const unexplained = failed === 0 && (exitCode !== 0 || passed === 0);
  return { passed, failed: unexplained ? 1 : failed, skipped };
}

export function sumUp(runs: readonly TestTotals[]): TestTotals {
  const sum = (key: keyof TestTotals) => runs.reduce((total, run) => total + run[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}
