import { ApiError } from '../../contract/http/client.ts';
import { nameOfPerson } from '../components/person-name.tsx';
import { clockTime } from '../components/time.ts';

/** True if what was asked for does not exist; some services answer 422 where ours answers 404. */
export function isNotFound(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
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

/** How often to read again what could not be read, in ms. */
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

/** A refusal of the user, not of the change, after an answer was lost: it does not say whether the change was done. */
export class RefusedAfterLostAnswer extends ApiError {
  constructor(refusal: ApiError) {
    super(refusal.code, refusal.message, { cause: refusal });
    Object.assign(this, refusal);
  }
}

/** True if it is unknown after this error whether the change was done. */
export function isUncertain(error: Error): boolean {
  if (error instanceof RefusedAfterLostAnswer) return true;
  if (!(error instanceof ApiError)) return false;
  const { code, status } = error;
  return (
    ['unreachable', 'unreadable', 'internal-error', 'outcome-unknown'].includes(code) ||
    // Not from the BFF: a proxy between it and the page gave up waiting.
    (code === 'other' && status >= 500)
  );
}

export type Person = Parameters<typeof nameOfPerson>[0];

/** The action that failed. */
interface FailedAction {
  /** What would be true if it had gone through, such as "the token was replaced". */
  done: string;
  /** How to find out whether it did, such as "Check the list". */
  check: string;
  /** The signed-in user, to whom their own changes are "you". */
  user?: Person | undefined;
}

/**
 * The sentences about an error for users.
 *
 * @param during what failed: an action, or a read, which the page itself tries again, so that nobody has to
 */
export function describeError(error: unknown, during?: 'read' | FailedAction): string {
  // A fault of the page itself.
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.';
  if (during === 'read' && isOutage(error)) return describeOutage(error);
  if (!during || during === 'read') return error.message;
  const { done, check, user } = during;
  const advice = `${check} before you try again.`;
  if (error.code === 'outcome-unknown') return `We don’t know whether ${done}. Wait half a minute. ${advice}`;
  if (isUncertain(error)) return `We don’t know whether ${done}. ${advice}`;
  if (error.code === 'changed-meanwhile')
    return `Nothing was done: ${describeConflict(error, user)}. ${advice}`;
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

/**
 * "Kari changed this subscriber after you opened it (14:00)", without a full stop; "someone" if nobody knows who.
 *
 * @param user the signed-in user, who may have changed it in another tab
 */
export function describeConflict(error: ApiError, user?: Person): string {
  const { changedBy } = error.obstacles;
  const who = changedBy ? nameOfPerson(changedBy) : 'someone';
  const sentence = `${isOwnChange(error, user) ? 'you' : who} changed this subscriber after you opened it`;
  return changedBy ? `${sentence} (${clockTime(Date.parse(changedBy.at))})` : sentence;
}

/** True if the other change, for which this one was refused, is the user's own. */
export const isOwnChange = ({ obstacles: { changedBy } }: ApiError, user: Person | undefined): boolean =>
  changedBy ? isSamePerson(changedBy, user) : false;

/** The names that single sign-on chooses may be those of others. */
export const isSamePerson = (one: Person, other: Person | undefined): boolean =>
  one.name === other?.name && !one.singleSignOn && !other.singleSignOn;
