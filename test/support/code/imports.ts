import { posix } from 'node:path';
import { isNode, nodesOf, type SourceFile } from './source-files.ts';

export interface Import {
  from: string;
  /** A path from the top of the project for a file of ours, else the name as it is written. */
  to: string;
  /** By `import('…')`, when the code comes to it. */
  dynamic: boolean;
}

const declarations = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

/** All that a file imports: values and types, exported on or not, static and dynamic. */
export function importsOf(file: SourceFile): Import[] {
  return nodesOf(file).flatMap(([node]) => {
    if (!declarations.has(node.type) || !isNode(node['source'])) return [];
    const written = node['source']['value'];
    if (typeof written !== 'string') throw new Error(`${file.path} imports what is only known at run time.`);
    const to = written.startsWith('.') ? posix.join(posix.dirname(file.path), written) : written;
    return [{ from: file.path, to: to.replace(/\?.*$/, ''), dynamic: node.type === 'ImportExpression' }];
  });
}

/** `@scope/name/part` → `@scope/name`, `name/part` → `name`. */
export function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/');
}

/** Circles of files that import each other without end, each as the path that leads back to its start. */
export function findCycles(imports: readonly Import[]): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const cycles: string[] = [];
  const follow = (path: string, way: readonly string[]): void => {
    const index = way.indexOf(path);
    if (index >= 0) cycles.push([...way.slice(index), path].join(' → '));
    if (index >= 0 || done.has(path)) return;
    for (const { to } of targets.get(path) ?? []) follow(to, [...way, path]);
    done.add(path);
  };
  for (const path of targets.keys()) follow(path, []);
  return cycles;
}
