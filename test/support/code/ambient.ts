import { isNode, lineOf, nodesOf, type SourceFile, type SyntaxNode } from './source-files.ts';

/** What a file takes from its surroundings by itself instead of having it handed in, with the line. */
export function ambientUses(file: SourceFile, globals: ReadonlySet<string>): string[] {
  const nodes = nodesOf(file);
  const own = new Set(nodes.flatMap(([node, above]) => boundNames(node, above)));
  return nodes.flatMap(([node, above]) => {
    const use = ambientName(node, above, globals);
    return use === null || own.has(use) ? [] : [`${file.path}:${lineOf(file, node.start)} uses ${use}`];
  });
}

/** The clock, the environment and randomness. `new Date(value)` only converts and is nobody's clock. */
const members = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.getRandomValues',
  'crypto.randomUUID',
  'Temporal.Now',
]);
export const clockAndChance = new Set(['process', 'Deno', 'Bun']);
/** What only a page, or one runtime, has. */
export const ofThePage = new Set([
  'window',
  'document',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'navigator',
  'location',
  'history',
  'self',
  'require',
  'Buffer',
]);

function ambientName(
  node: SyntaxNode,
  above: SyntaxNode | null,
  globals: ReadonlySet<string>,
): string | null {
  if (node.type === 'MemberExpression') {
    const name = dottedName(node).replace(/^globalThis\./, '');
    return members.has(name) ? name : null;
  }
  if (node.type === 'MetaProperty' && isNode(above) && nameOf(above['property']) === 'env')
    return 'import.meta.env';
  if (isDateOfNow(node)) return 'the present Date';
  const name = nameOf(node);
  return name !== null && globals.has(name) && isReference(node, above) ? name : null;
}

function isDateOfNow(node: SyntaxNode): boolean {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false;
  const bare = Array.isArray(node['arguments']) && node['arguments'].length === 0;
  return nameOf(node['callee']) === 'Date' && (bare || node.type === 'CallExpression');
}

/** `a.b.c` of nested member expressions; what has no name is an empty part. */
function dottedName(node: unknown): string {
  if (!isNode(node) || node.type !== 'MemberExpression') return nameOf(node) ?? '';
  return `${dottedName(node['object'])}.${nameOf(node['property']) ?? ''}`;
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : null;
}

/** Whether an identifier stands for a value, and is not the key of an object or a member's name. */
function isReference(node: SyntaxNode, above: SyntaxNode | null): boolean {
  if (!above) return false;
  if (above.type === 'MemberExpression')
    return above['object'] === node || above['computed'] === true || nameOf(above['object']) === 'globalThis';
  if (above.type.startsWith('TS') || above.type.endsWith('Specifier')) return false;
  if (/^(Property|MethodDefinition|PropertyDefinition)$/.test(above.type))
    return above['key'] !== node || above['shorthand'] === true;
  return true;
}

/** The names that a node gives itself: of variables, parameters, functions, imports and parts of patterns. */
function boundNames(node: SyntaxNode, above: SyntaxNode | null): (string | null)[] {
  if (node.type === 'VariableDeclarator') return [nameOf(node['id'])];
  if (node.type.startsWith('Import')) return [nameOf(node['local'])];
  if (node.type === 'Property' && above?.type === 'ObjectPattern') return [nameOf(node['value'])];
  if (node.type === 'AssignmentPattern') return [nameOf(node['left'])];
  if (node.type === 'RestElement') return [nameOf(node['argument'])];
  if (node.type === 'ArrayPattern') return [node['elements']].flat().map(nameOf);
  return 'params' in node ? [nameOf(node['id']), ...[node['params']].flat().map(nameOf)] : [];
}
