import { Refusal } from '../../contract/problem.ts';

/** What staff read when the service fails. The service's own words stay out: they may hold anything. */
export const badUpstream = () =>
  new Refusal('bad-upstream', `${lookFirst} If it goes wrong again, tell an administrator the request id.`);

export const upstreamUnreachable = () => new Refusal('upstream-unreachable', `Wait a minute. ${lookFirst}`);

export const upstreamTimeout = () => new Refusal('upstream-timeout', `Wait a minute. ${lookFirst}`);

// No answer does not mean that nothing happened: a change may have been made before the line broke.
const lookFirst = 'If you changed something, look whether it was done; then try again.';

/**
 * Statuses of a gateway or of a busy service; all others that are not the contract's are a fault. A 401 too: it is
 * about the desk's own token, and passed on it would sign staff out.
 */
export function failureOf(status: number): Refusal {
  if (status === 503 || status === 429) return upstreamUnreachable();
  return status === 504 ? upstreamTimeout() : badUpstream();
}
