import type { ListQuery, SubscriberPage } from '../../../src/contract/service/list-query.ts';
import type { Subscriber } from '../../../src/contract/service/subscriber.ts';

const lower = (value: string) => value.toLowerCase();

/**
 * The contract's rules of a list over a plain array, for names without accents that `toLowerCase` folds.
 *
 * @param now ms since 1970
 */
export function listOf(all: readonly Subscriber[], query: ListQuery, now: number): SubscriberPage {
  const { Page: page = 1, PageSize: pageSize = 25 } = query;
  const matching = all
    .filter((one) => hasWords(one.username, query.Username))
    .filter((one) => hasWords(one.email, query.Email))
    .filter((one) => query.StatusId === undefined || one.status === query.StatusId)
    .filter((one) => query.IsTrial === undefined || one.isTrial === query.IsTrial)
    .filter((one) => query.Expired !== true || Date.parse(one.expiresAt) <= now)
    .filter((one) => Date.parse(one.expiresAt) >= atOf(query.ExpiresFrom, now, -Infinity))
    .filter((one) => Date.parse(one.expiresAt) < atOf(query.ExpiresTo, now, Infinity))
    .toSorted((a, b) => compare(a, b, query.SortBy) || a.id - b.id);
  return {
    items: matching.slice((page - 1) * pageSize, page * pageSize),
    page,
    pageSize,
    totalCount: matching.length,
    totalPages: Math.ceil(matching.length / pageSize),
  };
}

const hasWords = (value: string, words = '') =>
  words.split(' ').every((word) => lower(value).includes(lower(word)));

const atOf = (moment: string | undefined, now: number, open: number) =>
  moment === undefined ? open : moment === 'now' ? now + 1 : Date.parse(moment);

function compare(a: Subscriber, b: Subscriber, sortBy: ListQuery['SortBy']): number {
  const sign = sortBy?.endsWith('_desc') ? -1 : 1;
  if (sortBy?.startsWith('username')) return sign * byCodePoint(lower(a.username), lower(b.username));
  if (sortBy?.startsWith('expiresAt')) return sign * (Date.parse(a.expiresAt) - Date.parse(b.expiresAt));
  return 0;
}

function byCodePoint(a: string, b: string): number {
  const [left, right] = [a, b].map((value) =>
    Array.from(value, (character) => character.codePointAt(0) ?? 0),
  );
  for (const [index, point] of (left ?? []).entries()) {
    const other = right?.[index] ?? -1;
    if (point !== other) return point - other;
  }
  return (left?.length ?? 0) - (right?.length ?? 0);
}
