import { ApiError } from '../../contract/http/client.ts';
import type { Person } from '../../contract/http/shapes.ts';
import { nameOfPerson } from '../components/badge.tsx';
import { clockTime } from '../components/format.ts';
import { describeError } from './errors.ts';

// Apart from `errors.ts`, because the first view reads and changes nothing.

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

interface FailedAction {
  /** The result of a success, such as "the token was replaced". */
  done: string;
  /** The way to find out whether it succeeded, such as "Check the list". */
  check: string;
  /** The signed-in user, to whom their own changes are "you". */
  user?: Person | undefined;
}

/** The sentences about an action that failed: what is known of it, and what to do before trying again. */
export function describeFailure(error: unknown, { done, check, user }: FailedAction): string {
  if (!(error instanceof ApiError)) return describeError(error);
  const advice = `${check} before you try again.`;
  if (error.code === 'outcome-unknown') return `We don’t know whether ${done}. Wait half a minute. ${advice}`;
  if (isUncertain(error)) return `We don’t know whether ${done}. ${advice}`;
  if (error.code === 'changed-meanwhile')
    return `${notDone(done)}: ${describeConflict(error, user)}. ${advice}`;
  return error.message;
}

/** "The token wasn’t replaced" of "the token was replaced": of several changes it says which one was refused. */
const notDone = (done: string): string =>
  done.replace(/^./, (first) => first.toUpperCase()).replace(/ (was|were) /, ' $1n’t ');

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
