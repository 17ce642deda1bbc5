import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
export function readSources(folder: string, endings = '{ts,tsx,mjs}'): SourceFile[] {
  return globSync(`${folder}/**/*.${endings}`, { cwd: root, exclude: ['**/node_modules', '**/*.d.ts'] })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({ path, text: readText(path) }));
}
