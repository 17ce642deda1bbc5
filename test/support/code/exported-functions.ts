import { parseSync } from 'vite';
import type { SourceFile } from './source-files.ts';

/** An exported function, as its source declares it. */
export interface ExportedFunction {
  path: string;
  name: string;
  isAsync: boolean;
  parameters: Parameter[];
}

interface Parameter {
  type: string;
  isOptional: boolean;
  takes: 'text' | 'texts' | null;
}

/** A node of a syntax tree as far as it is read here: ESTree with the types of TypeScript. */
interface Node {
  type: string;
  start: number;
  end: number;
  [part: string]: unknown;
}

const bodyOf = ({ path, text }: SourceFile) => parseSync(path, text).program.body as unknown as Node[];

/** The functions that a file exports where it declares them. */
export function exportedFunctions(file: SourceFile): ExportedFunction[] {
  return bodyOf(file).flatMap((statement) => {
    const declared =
      statement.type === 'ExportNamedDeclaration' ? (statement['declaration'] as Node | null) : null;
    if (declared?.type === 'FunctionDeclaration') return [readFunction(file, declared, declared)];
    if (declared?.type !== 'VariableDeclaration') return [];
    return (declared['declarations'] as Node[]).flatMap((one) => {
      const value = one['init'] as Node | null;
      return value?.type === 'ArrowFunctionExpression' ? [readFunction(file, one, value)] : [];
    });
  });
}

function readFunction({ path, text }: SourceFile, named: Node, made: Node): ExportedFunction {
  const parameters = (made['params'] as Node[]).map((given): Parameter => {
    const target = given.type === 'AssignmentPattern' ? (given['left'] as Node) : given;
    const annotation = target['typeAnnotation'] as { typeAnnotation: Node } | null | undefined;
    const type = annotation?.typeAnnotation;
    return {
      type: type ? text.slice(type.start, type.end) : '',
      isOptional: target !== given || target['optional'] === true,
      takes: type ? takenBy(type) : null,
    };
  });
  const { name } = named['id'] as { name: string };
  return { path, name, isAsync: made['async'] === true, parameters };
}

function takenBy(type: Node): Parameter['takes'] {
  if (type.type === 'TSStringKeyword') return 'text';
  if (type.type === 'TSUnionType') return (type['types'] as Node[]).map(takenBy).find(Boolean) ?? null;
  if (type.type === 'TSTypeOperator') return takenBy(type['typeAnnotation'] as Node);
  return type.type === 'TSArrayType' && takenBy(type['elementType'] as Node) === 'text' ? 'texts' : null;
}

/** The words that stand in the regular expressions of a file: what makes one of them begin to match. */
export function wordsInPatterns(file: SourceFile): string[] {
  const patterns: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { regex } = value as { regex?: { pattern: string } };
    if (regex) patterns.push(regex.pattern);
    else Object.values(value).forEach(visit);
  };
  bodyOf(file).forEach(visit);
  const plain = patterns.map((pattern) => pattern.replaceAll(/\\[a-zA-Z]/g, ' ').replaceAll('\\', ''));
  return [...new Set(plain.flatMap((pattern) => pattern.match(/[A-Za-z:/.@=-]{2,}/g) ?? []))];
}
