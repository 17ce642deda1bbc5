import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of this project as texts, for the tests of the code rules. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface SourceFile {
  /** From the top of the project, with `/`: `src/contract/service/api.ts`. */
  path: string;
  text: string;
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The code files that people wrote, neither packages nor generated ones. @param folder `src` or `test` */
export function readSources(folder: string): SourceFile[] {
  return globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root, exclude: ['**/node_modules', '**/*.d.ts'] })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readText(path) }));
}

export interface Import {
  from: string;
  /** A path from the top of the project for a file of ours, else the name as it is written. */
  to: string;
  /** By `import('…')`, when the code comes to it. */
  dynamic: boolean;
}

/** All that a file imports: values and types, exported on or not, static and dynamic. */
export function importsOf({ path, text }: SourceFile): Import[] {
  const code = text.replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  const written = code.matchAll(/\b(?:from\s+|import\s+|import(\(\s*))'([^'\n]+)'/g);
  return [...written].map(([, call, name = '']) => {
    const to = name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
    return { from: path, to: to.replace(/\?.*$/, ''), dynamic: call !== undefined };
  });
}
