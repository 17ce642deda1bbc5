import { ApiError } from '../../contract/http/client.ts';

/** Whether the subscriber does not exist; some services answer 422 where ours answers 404. */
export function isNoSuchSubscriber(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}

/** Whether nothing answers or a server fails: it may pass by itself. */
export function isOutage(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** Whether the same request may succeed the next time. */
export function isPassing(error: unknown): boolean {
  return isOutage(error) && error.code !== 'unreadable';
}
