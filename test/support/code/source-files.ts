import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, type ParseResult } from 'vite';

/** The files of this project as text and syntax trees, for the tests of the code rules. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface SourceFile {
  /** From the top of the project, with `/`: `src/contract/service/api.ts`. */
  path: string;
  text: string;
  parsed: ParseResult;
}

/** Files that people wrote: neither packages nor generated files. */
export function listFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules', '**/*.d.ts'] })
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted();
}

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function parseText(path: string, text: string): SourceFile {
  return { path, text, parsed: parseSync(path, text) };
}

/** @param folder `src` or `test` */
export function readSources(folder: string): SourceFile[] {
  return listFiles(`${folder}/**/*.{ts,tsx,mjs}`).map((path) => parseText(path, readText(path)));
}

/** A node of the syntax tree (ESTree), as far as the rules look at it. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Every node below one, each with the node above it. */
export function* nodesBelow(
  node: SyntaxNode,
  above: SyntaxNode | null = null,
): Generator<[SyntaxNode, SyntaxNode | null]> {
  yield [node, above];
  for (const child of Object.values(node).flat()) if (isNode(child)) yield* nodesBelow(child, node);
}

export function nodesOf(file: SourceFile): [SyntaxNode, SyntaxNode | null][] {
  const program: unknown = file.parsed.program;
  return isNode(program) ? [...nodesBelow(program)] : [];
}

export function lineOf(file: SourceFile, offset: number): number {
  return file.text.slice(0, offset).split('\n').length;
}
