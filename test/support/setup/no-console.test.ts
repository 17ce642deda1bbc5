import { describe, expect, test } from 'vitest';
import { expectConsole, unexpectedLines } from './console-lines.ts';

describe('the console in tests', () => {
  test('a declared line passes, with what it formats', () => {
    expectConsole('console.warn: seven 7');
    expectConsole(/console\.error: .*broken/);
    console.warn('seven %d', 7);
    console.error(new Error('broken'));
  });

  test.fails('an undeclared error fails the test that caused it', () => {
    console.error('nobody expects this');
  });

  test.fails('an undeclared warning fails the test that caused it', () => {
    console.warn('nobody expects this');
  });

  test.fails('a declared line that never comes fails the test', () => {
    expectConsole('console.error: never spoken');
  });

  test('each declaration stands for one line', () => {
    expect(unexpectedLines(['console.warn: a', 'console.warn: a'], ['a'])).toEqual([
      'Not expected in this test (declare it with expectConsole): console.warn: a',
    ]);
  });
});
