import { ApiError } from '../../contract/http/client.ts';
import { reasonOf } from '../components/failure.tsx';
import { tooManyAttempts } from './too-many-attempts.ts';

/**
 * Why signing in came to nothing.
 *
 * @param wrong what to say of a wrong password, and no more than the screen already tells about the account
 */
export function signInTrouble(error: Error, wrong: string): string {
  if (!(error instanceof ApiError)) return reasonOf(error);
  if (error.code === 'wrong-password') return wrong;
  return tooManyAttempts(error) ?? error.message;
}
