import { describe, expect, test } from 'vitest';
import { sumUp, countVitest } from './support/test-totals.ts';

const report = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
const file = (status: string, ...results: string[]) => ({
  status,
  assertionResults: results.map((result) => ({ status: result })),
});

test('a run without faults counts what passed', () => {
  expect(countVitest(report, 0)).toEqual({ passed: 3, failed: 0, skipped: 0 });
});

test('skipped tests and those still to do count as skipped', () => {
  const some = { ...report, numPendingTests: 2, numTodoTests: 1 };
  expect(countVitest(some, 0)).toEqual({ passed: 3, failed: 0, skipped: 3 });
});

describe('nothing that went wrong stays out of the sum', () => {
  test('a failed test counts once', () => {
    const some = { ...report, numFailedTests: 1, testResults: [file('failed', 'passed', 'failed')] };
    expect(countVitest(some, 1).failed).toBe(1);
  });

  test('a file that fails before its first test counts', () => {
    const some = { ...report, testResults: [file('failed'), file('passed', 'passed')] };
    expect(countVitest(some, 1).failed).toBe(1);
  });

  test('an error outside of every test counts', () => {
    expect(countVitest(report, 1).failed).toBe(1);
  });

  test('an end by a signal counts', () => {
    expect(countVitest(report, null).failed).toBe(1);
  });

  test('a crash without a report counts', () => {
    expect(countVitest(null, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test('a run of nothing counts', () => {
    expect(countVitest({ ...report, numPassedTests: 0 }, 0).failed).toBe(1);
  });
});

test('sums go by kind', () => {
  const runs = [
    { passed: 1, failed: 2, skipped: 3 },
    { passed: 10, failed: 20, skipped: 30 },
  ];
  expect(sumUp(runs)).toEqual({ passed: 11, failed: 22, skipped: 33 });
});
