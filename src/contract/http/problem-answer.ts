import { describeError, type Log } from '../../lib/log.ts';
import { Answer } from './answer.ts';
import { typePrefix, type FieldErrors, type Obstacles, type Problem } from './problem.ts';
import { problemCodes, problems, type ProblemCode } from './problem-codes.ts';
import { askForHelp, Refusal } from './refusal.ts';

/** The stable code of a problem; null if another service made it. */
export function codeOf({ type }: Problem): ProblemCode | null {
  return problemCodes.find((code) => type === `${typePrefix}${code}`) ?? null;
}

export function makeProblem(
  code: ProblemCode,
  detail: string,
  requestId: string,
  errors?: FieldErrors,
  obstacles?: Obstacles,
): Problem {
  const [status, title] = problems[code];
  const type = `${typePrefix}${code}`;
  return { type, title, status, detail, requestId, ...(errors && { errors }), ...obstacles };
}

/** Answers a refusal as `application/problem+json`. */
export function problemAnswer(refusal: Refusal, requestId: string): Answer<Problem> {
  const { errors, headers, obstacles } = refusal.particulars;
  const problem = makeProblem(refusal.code, refusal.message, requestId, errors, obstacles);
  return new Answer(problem, {
    status: problem.status,
    headers: { ...headers, 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId },
  });
}

/**
 * Answers any error: a refusal with its own detail, anything else with a 500 whose cause is only in the log.
 *
 * @param method of the request; an unforeseen error leaves it open whether a change was made
 * @param facts logged with the error
 */
export function answerError(
  error: unknown,
  method: string,
  log: Log,
  facts: { readonly requestId: string; readonly route?: string },
): Answer<Problem> {
  if (error instanceof Refusal) {
    if (error.cause !== undefined) log('warn', error.code, { ...facts, ...describeError(error.cause) });
    return problemAnswer(error, facts.requestId);
  }
  log('error', 'request-failed', { ...facts, ...describeError(error) });
  const isRead = ['GET', 'HEAD'].includes(method);
  const next = isRead ? 'Try again.' : 'Check whether your change was made before you try again.';
  const detail = `Something went wrong on the server. ${next} ${askForHelp}`;
  return problemAnswer(new Refusal('internal-error', detail), facts.requestId);
}
