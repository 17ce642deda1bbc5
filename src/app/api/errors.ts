import { ApiError } from '../../contract/http/client.ts';

/** True if what was asked for does not exist; some services answer 422 where ours answers 404. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}

/** True for a change that was refused because somebody else's came first. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'changed-meanwhile';
}

/** True if nothing answers or a server fails. */
export function isOutage(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** True if the same request may succeed the next time. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ApiError && error.code === 'too-many-requests') return true;
  return isOutage(error) && error.code !== 'unreadable';
}

/** Pause before a failed read is repeated, in ms. */
const retryInterval = 15_000;

/**
 * When to read again after a failure, for `refetchInterval`. A refusal in our own words is final; anything else ends by
 * itself, such as the page that a proxy shows while a server restarts.
 */
export function intervalAfterFailure({ state }: { state: { error: unknown } }): number | false {
  return mayRecover(state.error) && retryInterval;
}

export function mayRecover(error: unknown): boolean {
  if (error instanceof ApiError && ['other', 'unreadable'].includes(error.code)) return true;
  return isPassing(error);
}

/**
 * The sentences about an error for users; those about an action that failed are in `action-errors.ts`.
 *
 * @param during a read, which the page itself tries again, so that nobody has to
 */
export function describeError(error: unknown, during?: 'read'): string {
  // A fault of the page itself.
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.';
  if (during === 'read') {
    // A filter that an old address or view has, and that is refused: there is no field to say it at.
    const refusals = Object.values(error.fields).flat();
    if (refusals.length > 0) return refusals.join(' ');
    if (isOutage(error)) return describeOutage(error);
  }
  return error.message;
}

function describeOutage(error: ApiError): string {
  if (error.code === 'unreachable') return 'Subscriber Desk doesn’t answer. Check your connection.';
  // An error of the page's own, such as that of a scan.
  if (error.status === 0) return error.message;
  if (error.code === 'busy') return 'Subscriber Desk is busy.';
  const isSilent = error.code.startsWith('upstream-');
  return `${failingServer(error)} ${isSilent ? 'doesn’t answer' : 'isn’t working properly'}.`;
}

/** The one of the two servers that has an outage, as users know them. */
export const failingServer = ({ code }: ApiError): string =>
  code.includes('upstream') ? 'The subscriber service' : 'Subscriber Desk';
