import { ApiError } from '../../contract/http/client.ts';

/** Whether an error says that nothing answers, or that what answers is in trouble: it may pass by itself. */
export function isOutage(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/**
 * Whether a read failed in a way that its own part of the screen has to say. An outage that leaves the earlier answer
 * on the screen is told once for the whole page, by the banner on top.
 */
export function failsHere(read: { isError: boolean; data: unknown; error: unknown }): boolean {
  return read.isError && (read.data === undefined || !isOutage(read.error));
}
