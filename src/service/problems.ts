import { problemAnswer } from '../contract/http/problem-answer.ts';
import { Refusal } from '../contract/http/refusal.ts';
import type { Log } from '../contract/http/log.ts';

/** The one place where an error becomes an answer: a refusal as what it says, anything else as a 500 that says nothing. */
export function answerError(error: unknown, requestId: string, log: Log): Response {
  if (error instanceof Refusal) {
    if (error.cause !== undefined) log('warn', error.code, { requestId, ...traceOf(error.cause) });
    return problemAnswer(error, requestId);
  }
  log('error', 'internal-error', { requestId, ...traceOf(error) });
  return problemAnswer(
    new Refusal(
      'internal-error',
      'Something went wrong in the service. Try again, and if it stays so, report the request id.',
    ),
    requestId,
  );
}

/** Where an error came from. Not its message: that may quote input, and so a person's data or a secret. */
function traceOf(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, ...('code' in error && { code: error.code }), at: frames.map((f) => f.trim()) };
}
