import { isNode, nodesOf, type SourceFile, type SyntaxNode } from './source-files.ts';

export interface Size {
  name: string;
  lines: number;
}

/** The lengths of the functions of a file that have a name. A callback without one is part of what holds it. */
export function namedFunctions(file: SourceFile): Size[] {
  return nodesOf(file).flatMap(([node, above]) => {
    const name = isFunction(node) ? functionName(node, above) : null;
    const text = file.text.slice(node.start, node.end);
    return name === null ? [] : [{ name: `${file.path} ${name}`, lines: text.split('\n').length }];
  });
}

function isFunction(node: SyntaxNode): boolean {
  return ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(node.type);
}

function functionName(node: SyntaxNode, above: SyntaxNode | null): string | null {
  const holder = [node['id'], above?.['id'], above?.['key']].find(isNode);
  if (!holder) return null;
  const name = holder['name'] ?? holder['value'];
  return typeof name === 'string' ? name : null;
}

/** The lines of a file that hold code, and those that hold nothing but comment. Blank ones are neither. */
export function countLines(file: SourceFile): { code: number; comment: number } {
  const bare = [...file.text];
  for (const { start, end } of file.parsed.comments)
    for (let place = start; place < end; place += 1) if (file.text[place] !== '\n') bare[place] = ' ';
  const [lines, without] = [file.text.split('\n'), bare.join('').split('\n')];
  const filled = (list: readonly string[]) => list.filter((line) => line.trim() !== '').length;
  // `{/* … */}` leaves its braces, so that a comment within markup counts as code: rare, and on the strict side.
  const code = filled(without);
  return { code, comment: filled(lines) - code };
}

/** @param share 0.5 for the median, 0.9 for the 90th percentile */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
