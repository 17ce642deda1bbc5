import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { batchLines } from '../../src/server/batch-lines.ts';
import { startProcess } from '../support/server/child-process.ts';

describe('lines that come shortly one after another', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('are written at once and in their order', () => {
    const written: string[] = [];
    const write = batchLines((text) => void written.push(text));
    for (const line of ['a\n', 'b\n', 'c\n']) write(line);
    expect(written).toEqual([]);
    vi.advanceTimersByTime(10);
    expect(written).toEqual(['a\nb\nc\n']);
  });

  test('wait for others once, and are written once', () => {
    const written: string[] = [];
    const write = batchLines((text) => void written.push(text));
    write('a\n');
    vi.advanceTimersByTime(9);
    write('b\n');
    vi.advanceTimersByTime(1);
    write('c\n');
    vi.advanceTimersByTime(100);
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });
});

test('the last line before a process exits is written', async () => {
  const file = new URL('../../src/server/batch-lines.ts', import.meta.url).href;
  const script = `import { batchLines } from '${file}';
    batchLines((text) => process.stdout.write(text))('last\\n');
    process.exit(0);`;
  const { ended } = startProcess(['--input-type=module', '-e', script]);
  expect((await ended).stdout).toBe('last\n');
});
