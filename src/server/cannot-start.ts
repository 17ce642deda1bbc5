/** Why a command cannot go on, in sentences for the person at the terminal. Anything else thrown is a bug. */
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

/** What a person can mend comes without a stack; what nobody foresaw comes with one. */
export function sentenceFor(error: unknown): string {
  if (error instanceof CannotStart) return error.message;
  return `Something unforeseen went wrong. ${error instanceof Error ? error.stack : String(error)}`;
}
