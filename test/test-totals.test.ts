import { expect, test } from 'vitest';
import { countVitest } from './support/test-totals.ts';

const whole = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const file = (status: string, ...results: string[]) => ({
  name: 'a file',
  startTime: 0,
  endTime: 1,
  status,
  assertionResults: results.map((result) => ({ status: result })),
});

test('the sum of a run counts everything that went wrong', () => {
  expect({
    'no fault': countVitest(whole, 0),
    'skipped and still to do': countVitest({ ...whole, numPendingTests: 2, numTodoTests: 1 }, 0),
    'a failed test': countVitest({ ...whole, numFailedTests: 1, testResults: [file('failed', 'failed')] }, 1),
    'a file that fails before its first test': countVitest({ ...whole, testResults: [file('failed')] }, 1),
    'an error outside of every test': countVitest(whole, 1),
    'an end by a signal': countVitest(whole, null),
    'a crash without a report': countVitest(null, 0),
    'a run of nothing': countVitest({ ...whole, numPassedTests: 0 }, 0),
  }).toEqual({
    'no fault': { passed: 3, failed: 0, skipped: 0 },
    'skipped and still to do': { passed: 3, failed: 0, skipped: 3 },
    'a failed test': { passed: 3, failed: 1, skipped: 0 },
    'a file that fails before its first test': { passed: 3, failed: 1, skipped: 0 },
    'an error outside of every test': { passed: 3, failed: 1, skipped: 0 },
    'an end by a signal': { passed: 3, failed: 1, skipped: 0 },
    'a crash without a report': { passed: 0, failed: 1, skipped: 0 },
    'a run of nothing': { passed: 0, failed: 1, skipped: 0 },
  });
});
