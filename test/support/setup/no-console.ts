import { format } from 'node:util';
import { afterEach, beforeEach } from 'vitest';
import { expectedLines, unexpectedLines } from './console-lines.ts';

/**
 * A test that makes `console.error` or `console.warn` speak fails, unless it said so with `expectConsole`: a
 * warning that nobody reads hides the next one. Lines are kept, not thrown, because what throws inside a
 * library's own error handling would be swallowed there.
 */
const levels = ['error', 'warn'] as const;
const spoken: string[] = [];
const own = new Map(levels.map((level) => [level, console[level]]));

beforeEach(() => {
  spoken.length = 0;
  expectedLines.length = 0;
  for (const level of levels)
    console[level] = (...words: unknown[]) => {
      spoken.push(`console.${level}: ${format(...words)}`);
    };
});

afterEach(() => {
  for (const [level, speak] of own) console[level] = speak;
  const faults = unexpectedLines(spoken, expectedLines);
  if (faults.length > 0) throw new Error(faults.join('\n'));
});
