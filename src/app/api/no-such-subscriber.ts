import { ApiError } from '../../contract/http/client.ts';

/** Whether an error of a read says that the subscriber is not there; some services answer 422 where ours says 404. */
export function isNoSuchSubscriber(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 422);
}
