import { describeError, type Log } from './log.ts';
import { typePrefix, type FieldErrors, type Obstacles, type Problem, type ProblemCode } from './problem.ts';
import { askForHelp, Refusal } from './refusal.ts';

/**
 * The HTTP status and the title of each problem. The title says what happened. The detail, which the dashboard shows
 * without the title, says what happened, whether anything was changed, and what to do.
 */
export const problems = {
  'bad-request': [400, 'The request cannot be read'],
  'not-signed-in': [401, 'Not signed in'],
  'wrong-password': [401, 'Wrong name or password'],
  'password-expired': [401, 'The one-time password is no longer valid'],
  'invalid-token': [401, 'The access token is missing, invalid or expired'],
  'not-allowed': [403, 'Not allowed'],
  'password-change-needed': [403, 'The one-time password has to be replaced first'],
  'insufficient-scope': [403, 'The access token lacks a scope'],
  'cross-site': [403, 'The request did not come from Subscriber Desk'],
  'no-such-address': [404, 'Nothing at this address'],
  'no-such-subscriber': [404, 'Subscriber not found'],
  'no-such-account': [404, 'Account not found'],
  'no-such-view': [404, 'View not found'],
  'no-such-message': [404, 'Message not found'],
  'no-such-entry': [404, 'Activity entry not found'],
  'no-such-job': [404, 'Job not found'],
  'method-not-allowed': [405, 'This address does not support the method'],
  'too-slow': [408, 'The request arrived too slowly'],
  'last-manager': [409, 'At least one manager is needed'],
  'decided-elsewhere': [409, 'Managed by single sign-on'],
  'change-under-way': [409, 'A change is still running'],
  'changed-since': [409, 'Changed again later'],
  'cannot-undo': [409, 'This cannot be undone'],
  'wrong-job-state': [409, 'The job is in another state'],
  'changed-meanwhile': [412, 'Someone else changed it first'],
  'too-large': [413, 'The body is too large'],
  'not-json': [415, 'The body is not JSON'],
  'wrong-host': [421, 'The request is for another host'],
  'invalid-input': [422, 'Some values were not accepted'],
  'key-used-before': [422, 'The Idempotency-Key was used before'],
  'too-many-attempts': [429, 'Too many attempts'],
  'too-many-requests': [429, 'Too many requests'],
  'headers-too-large': [431, 'The headers are too large'],
  'internal-error': [500, 'Something went wrong on the server'],
  'bad-upstream': [502, 'Unexpected answer from the subscriber service'],
  'upstream-unreachable': [503, 'The subscriber service does not answer'],
  busy: [503, 'Too busy right now'],
  'database-unavailable': [503, 'The database is not available'],
  'disk-full': [503, 'The disk is full'],
  'change-unconfirmed': [503, 'It is unclear whether the change was made'],
  'upstream-timeout': [504, 'The subscriber service took too long'],
  'outcome-unknown': [504, 'It is unclear whether the change was made'],
} as const satisfies Record<ProblemCode, readonly [status: number, title: string]>;

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
export function problemAnswer(refusal: Refusal, requestId: string): Response {
  const { errors, headers, obstacles } = refusal.particulars;
  const problem = makeProblem(refusal.code, refusal.message, requestId, errors, obstacles);
  return Response.json(problem, {
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
): Response {
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
