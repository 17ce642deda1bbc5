import { dirname } from 'node:path';
import { importsOf } from './imports.ts';
import { readSources } from './source-files.ts';

/** How the code is divided into files, in figures. */
export interface Structure {
  /** Code files in `src`. */
  files: number;
  /** Those of under 40 lines with a single importer and no test of their own: each belongs into its importer. */
  fragments: string[];
  /** Those of at most 20 lines. */
  short: string[];
  /** Code files that lie directly in each folder of `src`. */
  folders: Map<string, number>;
}

export const mostFragmentLines = 39;

export function readStructure(): Structure {
  const sources = readSources('src');
  const importers = Map.groupBy([...sources, ...readSources('test')].flatMap(importsOf), ({ to }) => to);
  const fragments = sources.filter(({ path, text }) => {
    const from = new Set(importers.get(path)?.map((one) => one.from));
    return lengthOf(text) <= mostFragmentLines && from.size === 1 && ![...from].some(isTest);
  });
  return {
    files: sources.length,
    fragments: fragments.map(({ path }) => path),
    short: sources.filter(({ text }) => lengthOf(text) <= 20).map(({ path }) => path),
    folders: new Map(
      [...Map.groupBy(sources, ({ path }) => dirname(path))].map(([folder, files]) => [folder, files.length]),
    ),
  };
}

const isTest = (path: string): boolean => path.startsWith('test/');

const lengthOf = (text: string): number => text.trimEnd().split('\n').length;

if (import.meta.main) {
  const { files, fragments, short, folders } = readStructure();
  const [fullest, most] = [...folders].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  const lines = [
    `${files} code files in src; ${fragments.length} fragments; ${short.length} of at most 20 lines`,
    `the fullest folder, ${fullest}, holds ${most} files`,
    ...fragments,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
