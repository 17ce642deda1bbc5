import type { ViewQuery } from '../../../contract/bff/view.ts';
import { expiryWords } from './expiry-range.ts';

/**
 * The filters of a list in words, such as "username “anna”" and "expired".
 *
 * @param status the name of the status that it filters by
 */
export function filterWords(query: ViewQuery, status: string | undefined): string[] {
  const { Username, Email, StatusId, Expired, IsTrial } = query;
  return [
    Username && `username “${Username}”`,
    Email && `email “${Email}”`,
    StatusId !== undefined && `status ${status ?? StatusId}`,
    Expired && 'expired',
    expiryWords(query),
    IsTrial !== undefined && (IsTrial ? 'trial' : 'paid'),
  ].filter((filter) => typeof filter === 'string');
}
