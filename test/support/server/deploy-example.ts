import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './start-process.ts';

/**
 * An example of `src/server/deploy` with other ports, names and files.
 *
 * @param changes each is made wherever it applies
 * @throws if one applies nowhere: then the test would run something else than what it seems to
 */
export function readExample(
  name: string,
  changes: readonly (readonly [from: string | RegExp, to: string])[],
): string {
  let text = readFileSync(join(root, 'src/server/deploy', name), 'utf8');
  for (const [from, to] of changes) {
    const applies = typeof from === 'string' ? text.includes(from) : from.test(text);
    if (!applies) throw new Error(`${name} has no ${String(from)}.`);
    text = typeof from === 'string' ? text.replaceAll(from, to) : text.replace(from, to);
  }
  return text;
}
