import { describe, expect, test } from 'vitest';
import { countLines, namedFunctions, percentile, type Size } from './support/code/measure.ts';
import { listFiles, parseText, readSources, readText } from './support/code/source-files.ts';

const most = { file: 250, fileMedian: 80, function: 45 } as const;
const least = { testsToSource: 0.8, comments: 0.08 } as const;
const mostComments = 0.15;

const sources = readSources('src');
const tests = readSources('test');
const sizes = sources.map(({ path, text }): Size => ({ name: path, lines: lengthOf(text) }));

function lengthOf(text: string): number {
  return text.trimEnd().split('\n').length;
}

/** The longest of them, for the message of a failure. */
function longest(list: readonly Size[]): string {
  const worst = list.toSorted((one, other) => other.lines - one.lines).slice(0, 10);
  return worst.map(({ name, lines }) => `${lines} ${name}`).join('\n');
}

function codeLines(files: typeof sources): number {
  return files.reduce((sum, file) => sum + countLines(file).code, 0);
}

describe('the files', () => {
  test(`have at most ${most.file} lines`, () => {
    const others = [...listFiles('src/**/*.{css,html}'), ...listFiles('test/**/*.{ts,tsx,css}')];
    const all = [...sizes, ...others.map((path) => ({ name: path, lines: lengthOf(readText(path)) }))];
    const tooLong = all.filter(({ lines }) => lines > most.file);
    expect(tooLong, `Split these:\n${longest(tooLong)}`).toEqual([]);
  });

  test(`have a median of at most ${most.fileMedian} lines`, () => {
    const median = percentile(
      sizes.map(({ lines }) => lines),
      0.5,
    );
    expect(median, `Split the longest of these:\n${longest(sizes)}`).toBeLessThanOrEqual(most.fileMedian);
  });
});

test(`nine of ten functions have at most ${most.function} lines`, () => {
  const functions = sources.flatMap(namedFunctions);
  expect(functions.length).toBeGreaterThan(50);
  const p90 = percentile(
    functions.map(({ lines }) => lines),
    0.9,
  );
  expect(p90, `Cut the longest of these:\n${longest(functions)}`).toBeLessThanOrEqual(most.function);
});

test(`there are at least ${least.testsToSource} lines of tests for each line of source`, () => {
  const ratio = codeLines(tests) / codeLines(sources);
  const rooms = Map.groupBy([...sources, ...tests], ({ path }) => path.split('/').slice(0, 2).join('/'));
  const table = [...rooms].map(([room, files]) => ({ name: room, lines: codeLines(files) }));
  expect(ratio, `Lines of code by room:\n${longest(table)}`).toBeGreaterThanOrEqual(least.testsToSource);
});

test(`comments are ${least.comments} to ${mostComments} of the lines of code`, () => {
  const counted = sources.map((file) => ({ path: file.path, ...countLines(file) }));
  const sum = (key: 'code' | 'comment') => counted.reduce((total, file) => total + file[key], 0);
  const ratio = sum('comment') / sum('code');
  const bare = counted.filter(({ code, comment }) => comment === 0 && code > 20);
  expect(
    ratio,
    `Say why in these:\n${longest(bare.map(({ path, code }) => ({ name: path, lines: code })))}`,
  ).toBeGreaterThanOrEqual(least.comments);
  const talkative = counted.map(({ path, comment }) => ({ name: path, lines: comment }));
  expect(ratio, `Say less in these:\n${longest(talkative)}`).toBeLessThanOrEqual(mostComments);
});

describe('the measures themselves', () => {
  const text = [
    '/** Two lines',
    ' * of comment. */',
    "const a = () => 'not // a comment';",
    '',
    'function b() {',
    '  return list.map((x) => {',
    '    return x; // behind code',
    '  });',
    '}',
    'class C { d() { return 1; } }',
  ].join('\n');
  const file = parseText('a.ts', text);

  test('count lines of code and of comment apart', () => {
    expect(countLines(file)).toEqual({ code: 7, comment: 2 });
  });

  test('find functions with a name, and their lengths', () => {
    expect(namedFunctions(file)).toEqual([
      { name: 'a.ts a', lines: 1 },
      { name: 'a.ts b', lines: 5 },
      { name: 'a.ts d', lines: 1 },
    ]);
  });

  test('take a percentile', () => {
    expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3);
    expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(9);
    expect(percentile([7], 0.9)).toBe(7);
  });
});
