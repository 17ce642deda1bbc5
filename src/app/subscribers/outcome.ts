import { ApiError } from '../../contract/client.ts';
import { reasonOf } from '../ui/failure.tsx';

/** Where a change was sent and no answer came back, nobody knows yet whether it was done. */
const unknownOutcome: readonly string[] = [
  'unreachable',
  'unreadable',
  'upstream-timeout',
  'bad-upstream',
  'internal-error',
];

/**
 * What to say of a change that brought an error.
 *
 * @param done what would be so if it had gone through, such as "the token was replaced"
 */
export function outcomeOf(error: Error, done: string): string {
  if (!(error instanceof ApiError)) return reasonOf(error);
  if (unknownOutcome.includes(error.code))
    return `No answer came back, so it is not certain whether ${done}. Close this and look at the subscriber before you try again.`;
  if (error.code === 'changed-meanwhile')
    return 'Somebody changed this subscriber since you opened it. Nothing was done. Close this, look at it again, and then decide.';
  return error.message;
}
