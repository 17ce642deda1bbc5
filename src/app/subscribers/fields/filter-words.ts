import type { ViewQuery } from '../../../contract/bff/view.ts';

/**
 * The filters of a list in words, such as "username “anna”" and "expired".
 *
 * @param status the name of the status that it filters by
 */
export function filterWords(
  { Username, Email, StatusId, Expired, IsTrial }: ViewQuery,
  status: string | undefined,
): string[] {
  return [
    Username && `username “${Username}”`,
    Email && `email “${Email}”`,
    StatusId !== undefined && `status ${status ?? StatusId}`,
    Expired && 'expired',
    IsTrial && 'trial',
  ].filter((filter) => typeof filter === 'string');
}
