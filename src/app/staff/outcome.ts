import { ApiError } from '../../contract/http/client.ts';
import { reasonOf } from '../components/failure.tsx';

/**
 * What to say of a change to an account that brought an error. Where no answer came, nobody knows; the list is loaded
 * anew in any case.
 *
 * @param done what would be so if it had gone through, such as "Kari is disabled"
 */
export function outcomeOf(error: Error, done: string): string {
  const unknown =
    error instanceof ApiError && ['unreachable', 'unreadable', 'internal-error'].includes(error.code);
  return unknown
    ? `No answer came back, so it is not certain whether ${done}. Look at the list first.`
    : reasonOf(error);
}
