import { askForHelp, Problem, withDetail } from '../../contract/http/problem.ts';

/**
 * Thrown by an exchange if an answer came that cannot be used; any other error means that no answer came.
 * `BROKEN_OFF`: the connection ended in the middle of the answer.
 */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
  readonly code: 'BROKEN_OFF' | 'NOT_HTTP' | 'TOO_LARGE';

  constructor(code: UnusableAnswer['code'], cause?: unknown) {
    super(`The answer cannot be used (${code}).`, { cause });
    this.code = code;
  }
}

// What staff read when the service fails. The service's own words are not shown, because they may contain anything.
// Whether a change was made is not said here but by the journal, through which every change goes.

export const badUpstream = () =>
  new Problem('bad-upstream', `The subscriber service gave an unexpected answer. Try again. ${askForHelp}`);

/** @param paths in our own names, so that no text of the answer is shown */
export function mismatch(paths: readonly string[]): Problem {
  const some = paths.slice(0, 3).join(', ');
  return new Problem(
    'bad-upstream',
    `The subscriber service gave an unexpected answer, at ${some}. An administrator may have to correct UPSTREAM_DIALECT.`,
  );
}

/** @param retryAfter how long the service, or our own breaker, asks to wait, in ms */
export const upstreamUnreachable = (retryAfter: number | null = null) =>
  new Problem(
    'upstream-unreachable',
    'The subscriber service does not answer. Try again in a minute.',
    waiting(retryAfter),
  );

/** Nobody waits for the answer any more, so the call was ended. That says nothing about the service. */
export class GivenUp extends Problem {
  constructor() {
    super('upstream-timeout', 'The client has disconnected.');
  }
}

/** The faults of its database that our own service names. Reading goes on with the first two. */
const databaseFaults = {
  busy: 'The subscriber service is busy. Try again in a moment.',
  'disk-full': 'The disk of the subscriber service is full. Tell an administrator to make room on it.',
  'database-unavailable': `The database of the subscriber service can’t be used right now. Try again in a minute. ${askForHelp}`,
} as const;
export type DatabaseFault = keyof typeof databaseFaults;

export const isDatabaseFault = (code: string): code is DatabaseFault => Object.hasOwn(databaseFaults, code);

export const databaseFault = (code: DatabaseFault, retryAfter: number | null) =>
  new Problem(code, databaseFaults[code], waiting(retryAfter));

/** The breaker is open, so nothing was sent. */
export const upstreamPaused = (retryAfter: number) =>
  new Problem(
    'upstream-unreachable',
    'The subscriber service has not answered lately, so nothing was sent to it. Try again in half a minute.',
    waiting(retryAfter),
  );

export const upstreamTimeout = () =>
  new Problem('upstream-timeout', 'The subscriber service took too long. Try again in a minute.');

/** The service refused the input without saying why. */
export const inputRefused = () =>
  new Problem(
    'invalid-input',
    'The subscriber service did not accept the input. Nothing was changed. Check it and try again.',
  );

/** A refusal by an answer of the service. */
export class RefusedByService extends Problem {
  readonly status: number;

  constructor(status: number, { code, message, particulars }: Problem) {
    super(code, message, particulars);
    this.status = status;
  }
}

/** The same failure with another detail. */
export function reworded(failure: Problem, detail: string): Problem {
  const changed = withDetail(failure, detail);
  return failure instanceof RefusedByService ? new RefusedByService(failure.status, changed) : changed;
}

/** Refusals that a service gives whatever it is asked for: of our token, of too many calls, and while it is down. */
const statusesOfAll = [401, 408, 425, 429, 502, 503, 504];

/** True for an answer to this one request, such as about a broken record. Other requests may well succeed. */
export function isAboutRequest(failure: Problem): boolean {
  const { cause } = failure;
  if (failure instanceof RefusedByService) return !statusesOfAll.includes(failure.status);
  return cause instanceof UnusableAnswer && cause.code === 'TOO_LARGE';
}

/**
 * True for a failure that may be of this one request, if others are answered: no answer came, or a gateway's in its place. With a
 * 429 or 503 a service asks everybody to wait.
 */
export const mayBeAboutRequest = ({ code, cause }: Problem): boolean =>
  ['upstream-timeout', 'bad-upstream'].includes(code) ||
  (code === 'upstream-unreachable' && cause !== undefined);

/**
 * The refusal for a status that is not the contract's: 503, 429 and 504 come from a gateway or a busy service, any
 * other is a fault of the service. So is a 401: it is about the BFF's own token, and passed on it would sign staff out.
 * After a 202 the service may still make a change, as after a 504.
 */
export function failureOf(status: number, retryAfter: number | null = null): Problem {
  if (status === 503 || status === 429) return upstreamUnreachable(retryAfter);
  return status === 504 || status === 202 ? upstreamTimeout() : badUpstream();
}

/** The refusal for an error of an exchange. */
export function failureFrom(error: unknown): Problem {
  if (error instanceof UnusableAnswer) return badUpstream();
  return error instanceof Error && error.name === 'TimeoutError' ? upstreamTimeout() : upstreamUnreachable();
}

function waiting(ms: number | null) {
  return ms === null ? {} : { headers: { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))) } };
}
