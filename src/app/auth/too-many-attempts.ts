import { ApiError } from '../../contract/http/client.ts';
import { counted } from '../components/count.ts';

/** How long to wait where passwords were tried too often; null for any other error. */
export function tooManyAttempts(error: Error): string | null {
  if (!(error instanceof ApiError) || error.code !== 'too-many-attempts' || error.retryAfter === null)
    return null;
  return `Too many attempts. Try again in ${counted(Math.ceil(error.retryAfter / 60), 'minute')}.`;
}
