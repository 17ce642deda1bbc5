import { BlockList, isIPv6 } from 'node:net';
import { expect } from 'vitest';
import type { Api } from '../../../src/contract/service/api.ts';
import { lowerAscii } from '../../../src/contract/service/search-text.ts';
import type { Client } from '../../../src/contract/http/client.ts';
import type { ListQuery } from '../../../src/contract/service/list-query.ts';
import type { ListName } from '../../../src/contract/service/limits.ts';
import type { SubscriberWithLists } from '../../../src/contract/service/subscriber.ts';
import type { TestService } from './harness.ts';

const lower = (value: string) => value.toLowerCase();
/** Without accents, too. */
const bare = (value: string) => lower(value).normalize('NFD').replaceAll(/\p{M}/gu, '');

/**
 * The contract's rules of a list over a plain array, for names without accents that `toLowerCase` folds.
 *
 * @param now ms since 1970
 */
export function listOf<One extends SubscriberWithLists>(all: readonly One[], query: ListQuery, now: number) {
  const { Page: page = 1, PageSize: pageSize = 25 } = query;
  const matching = all
    .filter((one) => hasWords(one.username, query.Username))
    .filter((one) => hasWords(one.email, query.Email))
    .filter((one) => query.AccessToken === undefined || one.accessToken === query.AccessToken)
    .filter((one) => query.StatusId === undefined || one.status === query.StatusId)
    .filter((one) => query.StatusIds?.split(',').includes(String(one.status)) ?? true)
    .filter((one) => query.IsTrial === undefined || one.isTrial === query.IsTrial)
    .filter(({ bundles = [] }) => query.Bundle === undefined || bundles.includes(query.Bundle))
    .filter(({ countries = [] }) => query.Country === undefined || countries.includes(query.Country))
    .filter(
      ({ ipAddresses = [] }) =>
        ipAddresses.some((one) => areNested(one, query.IpAddress ?? one)) || query.IpAddress === undefined,
    )
    .filter(
      ({ userAgents = [] }) =>
        userAgents.some((one) => lowerAscii(one).includes(lowerAscii(query.UserAgent ?? ''))) ||
        query.UserAgent === undefined,
    )
    .filter(({ note }) => bare(note).includes(bare(query.Note ?? '')))
    .filter(
      ({ accessToken }) => query.TokenEnd === undefined || lower(accessToken).endsWith(lower(query.TokenEnd)),
    )
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

/** Ranges overlap only if one contains the other. */
const areNested = (one: string, other: string) => contains(one, other) || contains(other, one);

/** True if a range has the address of another text, by Node's own list of addresses. */
function contains(range: string, other: string): boolean {
  const kindOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');
  const [address = '', prefix = isIPv6(address) ? '128' : '32'] = range.split('/');
  const [requested = ''] = other.split('/');
  const list = new BlockList();
  list.addSubnet(address, Number(prefix), kindOf(address));
  return list.check(requested, kindOf(requested));
}

const atOf = (moment: string | undefined, now: number, open: number) =>
  moment === undefined ? open : moment === 'now' ? now + 1 : Date.parse(moment);

function compare(a: SubscriberWithLists, b: SubscriberWithLists, sortBy: ListQuery['SortBy']): number {
  const sign = sortBy?.endsWith('_desc') ? -1 : 1;
  // UTF-8 sorts by code points.
  if (sortBy?.startsWith('username'))
    return sign * Buffer.compare(Buffer.from(lower(a.username)), Buffer.from(lower(b.username)));
  if (sortBy?.startsWith('expiresAt')) return sign * (Date.parse(a.expiresAt) - Date.parse(b.expiresAt));
  return 0;
}

/** All subscribers, read without a filter. */
export async function readAll(client: Client<Api>, include: ListName[] = []): Promise<SubscriberWithLists[]> {
  const all: SubscriberWithLists[] = [];
  for (let Page = 1; ; Page += 1) {
    const query = { Page, PageSize: 200, include };
    const { items, totalPages } = (await client.listSubscribers({ query })).data;
    all.push(...items);
    if (Page >= totalPages) return all;
  }
}

/** Compares the counts of the list with those of a plain array, for each combination of filters. */
export async function checkCounts({ client, time }: TestService): Promise<void> {
  const all = await readAll(client);
  for (const status of [undefined, 1, 2, 3, '3,1'])
    for (const IsTrial of [undefined, true, false])
      for (const Expired of [undefined, true] as const) {
        const query = typeof status === 'string' ? { StatusIds: status } : { StatusId: status };
        const filtered = { ...query, IsTrial, Expired };
        const { totalCount } = (await client.listSubscribers({ query: filtered })).data;
        expect(totalCount, JSON.stringify(filtered)).toBe(listOf(all, filtered, time.now).totalCount);
      }
}
