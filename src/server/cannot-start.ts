import { Problem } from '../contract/http/problem.ts';
import { refusalOr } from './sql/node-sqlite.ts';

/** Why a command cannot go on, in sentences for the person at the terminal. Any other error is a bug. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';

  constructor(sentences: string | readonly string[], cause?: unknown) {
    super([sentences].flat().join('\n'), { cause });
  }
}

/** The code of a system error, such as `EACCES`; empty for any other. */
export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The text for the terminal: the sentences of an error that a person can correct, the stack of any other. */
export function sentenceFor(error: unknown): string {
  const known = refusalOr(error, false);
  if (known instanceof CannotStart || known instanceof Problem) return known.message;
  return `Unexpected error. Report it with these lines. ${error instanceof Error ? error.stack : String(error)}`;
}
