import { ApiError } from '../../contract/client.ts';
import { reasonOf } from '../ui/failure.tsx';

/**
 * What to say of a change that brought an error.
 *
 * @param done what would be so if it had gone through, such as "the token was replaced"
 * @param look what to do to find out, such as "Close this and look"
 */
export function outcomeOf(error: Error, done: string, look: string): string {
  if (!(error instanceof ApiError)) return reasonOf(error);
  if (isUncertain(error))
    return `No answer came back that says whether ${done}. ${look} before you try again.`;
  if (error.code === 'changed-meanwhile')
    return `Somebody changed this subscriber since you opened it. Nothing was done. ${look} before you try again.`;
  return error.message;
}

/** A change went out and nobody knows yet whether it was done. */
function isUncertain({ status, code }: ApiError): boolean {
  return status === 0 || status >= 500 || code === 'unreadable';
}
