import { Refusal } from '../../contract/http/refusal.ts';

/**
 * Thrown by an exchange where an answer came that cannot be used; any other error means that none came.
 * `BROKEN_OFF`: the connection ended within it.
 */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
  readonly code: 'BROKEN_OFF' | 'NOT_HTTP' | 'TOO_LARGE';

  constructor(code: UnusableAnswer['code'], cause?: unknown) {
    super(`The answer cannot be used (${code}).`, { cause });
    this.code = code;
  }
}

/** What staff read when the service fails. The service's own words are not shown: they may hold anything. */
export const badUpstream = () =>
  new Refusal('bad-upstream', `${lookFirst} If it goes wrong again, tell an administrator the request id.`);

/** @param retryAfter how long the service, or our own breaker, asks to wait, in ms */
export const upstreamUnreachable = (retryAfter: number | null = null) =>
  new Refusal('upstream-unreachable', `Wait a minute. ${lookFirst}`, waiting(retryAfter));

/** It answered that it cannot do it just now. */
export const upstreamBusy = (retryAfter: number | null) =>
  new Refusal('busy', `The subscriber service is busy just now. ${lookFirst}`, waiting(retryAfter));

/** The breaker is open: nothing was sent, because the service has not answered lately. */
export const upstreamPaused = (retryAfter: number) =>
  new Refusal(
    'upstream-unreachable',
    'It has not answered of late, so nothing was sent. Try again in half a minute.',
    waiting(retryAfter),
  );

/** Nobody waits for the answer any more: the call was given up, which says nothing about the service. */
export class GivenUp extends Refusal {
  constructor() {
    super('upstream-timeout', 'The client has gone.');
  }
}

export const upstreamTimeout = () => new Refusal('upstream-timeout', `Wait a minute. ${lookFirst}`);

// No answer does not mean that nothing happened: a change may have been made before the connection broke.
const lookFirst = 'If you changed something, look whether it was done; then try again.';

/**
 * Statuses of a gateway or of a busy service; all others that are not the contract's are a fault. A 401 too: it is
 * about the BFF's own token, and would sign staff out if it were passed on.
 */
export function failureOf(status: number, retryAfter: number | null = null): Refusal {
  if (status === 503 || status === 429) return upstreamUnreachable(retryAfter);
  return status === 504 ? upstreamTimeout() : badUpstream();
}

/** Why no answer can be used, by what a fetch or the reading of a body threw. */
export function failureFrom(error: unknown): Refusal {
  if (error instanceof UnusableAnswer) return badUpstream();
  return error instanceof Error && error.name === 'TimeoutError' ? upstreamTimeout() : upstreamUnreachable();
}

function waiting(ms: number | null) {
  return ms === null ? {} : { headers: { 'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))) } };
}
