import { describeError, type Log } from './log.ts';
import { typePrefix, type FieldErrors, type Obstacles, type Problem, type ProblemCode } from './problem.ts';
import { Refusal } from './refusal.ts';

/** What HTTP says of each problem, and its title. */
export const problems = {
  'bad-request': [400, 'The request cannot be read'],
  'not-signed-in': [401, 'Not signed in'],
  'wrong-password': [401, 'Name or password is wrong'],
  'password-expired': [401, 'The one-time password has expired'],
  'invalid-token': [401, 'The access token is missing, wrong or expired'],
  'not-allowed': [403, 'Not allowed'],
  'password-change-needed': [403, 'Choose a password of your own first'],
  'insufficient-scope': [403, 'The access token does not allow this'],
  'cross-site': [403, 'The request did not come from this page'],
  'no-such-address': [404, 'There is nothing at this address'],
  'no-such-subscriber': [404, 'There is no such subscriber'],
  'no-such-account': [404, 'There is no such account'],
  'no-such-view': [404, 'There is no such view'],
  'no-such-entry': [404, 'There is no such entry in the journal'],
  'method-not-allowed': [405, 'This address does not take that method'],
  'too-slow': [408, 'The request did not arrive in time'],
  'last-manager': [409, 'The desk needs a manager'],
  'decided-elsewhere': [409, 'The single sign-on provider decides this'],
  'change-under-way': [409, 'Another change is under way'],
  'changed-since': [409, 'Somebody changed it since'],
  'cannot-undo': [409, 'This cannot be undone'],
  'changed-meanwhile': [412, 'Somebody changed it meanwhile'],
  'too-large': [413, 'The body is too large'],
  'not-json': [415, 'The body is not JSON'],
  'wrong-host': [421, 'The request is for another host'],
  'invalid-input': [422, 'Some of the input cannot be used'],
  'key-used-before': [422, 'The key belongs to another change'],
  'too-many-attempts': [429, 'Too many attempts'],
  'too-many-requests': [429, 'Too many requests'],
  'headers-too-large': [431, 'The headers are too large'],
  'internal-error': [500, 'Something went wrong here'],
  'bad-upstream': [502, 'The subscriber service gave no usable answer'],
  'upstream-unreachable': [503, 'The subscriber service cannot be reached'],
  busy: [503, 'Too busy at this moment'],
  'database-unavailable': [503, 'The database cannot be used at this moment'],
  'change-unconfirmed': [503, 'It is not known whether the change was done'],
  'upstream-timeout': [504, 'The subscriber service took too long'],
  'outcome-unknown': [504, 'It is not known whether this was done'],
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

/** A refusal as `application/problem+json`. */
export function problemAnswer(refusal: Refusal, requestId: string): Response {
  const { errors, headers, obstacles } = refusal.particulars;
  const problem = makeProblem(refusal.code, refusal.message, requestId, errors, obstacles);
  return Response.json(problem, {
    status: problem.status,
    headers: { ...headers, 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId },
  });
}

/**
 * Any error as an answer: a refusal says its own words, and everything else is a 500 whose cause only the log tells.
 *
 * @param facts what the log says of the request
 */
export function answerError(
  error: unknown,
  log: Log,
  facts: { readonly requestId: string; readonly route?: string },
): Response {
  if (error instanceof Refusal) {
    if (error.cause !== undefined) log('warn', error.code, { ...facts, ...describeError(error.cause) });
    return problemAnswer(error, facts.requestId);
  }
  log('error', 'request-failed', { ...facts, ...describeError(error) });
  const sentence = 'Try again. If it goes wrong again, tell an administrator the request id.';
  return problemAnswer(new Refusal('internal-error', sentence), facts.requestId);
}
