import { ApiError } from '../http/client.ts';
import { invalidField, Problem } from '../http/problem.ts';
import { resolveTimes } from './times.ts';
import { pageSizes, scannedFilters, type ExtensionName } from './list-rules.ts';
import type { ListQuery } from './list-query.ts';
import { areNested, readIpRange } from './ip-range.ts';
import { foldText, lowerAscii, wordsRefusal } from './search-text.ts';
import type { ListName } from './limits.ts';
import type { SubscriberWithLists } from './subscriber.ts';

interface ScannedPage<Row> {
  items: readonly Row[];
  totalCount: number;
}
type ReadPage<Row> = (page: number, pageSize: number) => Promise<ScannedPage<Row>>;

/** The filters for the service, and a test for the rest; null if nothing is left. */
export interface SplitFilter {
  query: ListQuery;
  belongs: ((subscriber: SubscriberWithLists) => boolean) | null;
}

/**
 * Splits the filters of a list into those that a service has and those that have to be tested row by row.
 *
 * @param now in ms since 1970, for relative times
 * @throws {Problem} as `checkFilters` does, and if the service cannot answer the lists that they are about
 */
export function splitFilter(
  filters: ListQuery,
  extensions: readonly ExtensionName[],
  now: number,
): SplitFilter {
  checkFilters(filters);
  const query = resolveTimes(filters, now);
  const { IsTrial, StatusIds, ExpiresFrom = '', ExpiresTo = '', Bundle = 0, Country } = query;
  const [from, to] = [Date.parse(ExpiresFrom), Date.parse(ExpiresTo)];
  const statuses = new Set(statusIdsOf({ StatusIds }));
  const country = Country?.toUpperCase() ?? '';
  const range = readIpRange(query.IpAddress ?? '');
  const agent = lowerAscii(query.UserAgent ?? '');
  const tests = {
    IsTrial: ({ isTrial }) => isTrial === IsTrial,
    StatusIds: ({ status }) => statuses.has(status),
    ExpiresFrom: ({ expiresAt }) => Date.parse(expiresAt) >= from,
    ExpiresTo: ({ expiresAt }) => Date.parse(expiresAt) < to,
    Bundle: ({ bundles }) => bundles?.includes(Bundle) ?? false,
    Country: ({ countries }) => countries?.includes(country) ?? false,
    IpAddress: ({ ipAddresses }) =>
      ipAddresses?.map(readIpRange).some((one) => one && range && areNested(one, range)) ?? false,
    UserAgent: ({ userAgents }) => userAgents?.some((one) => lowerAscii(one).includes(agent)) ?? false,
  } as const satisfies Partial<Record<ExtensionName, SplitFilter['belongs']>>;
  const remaining = scannedFilters.filter((name) => query[name] !== undefined && !extensions.includes(name));
  for (const name of remaining) delete query[name];
  const lists = Object.entries(filteredLists).flatMap(([name, list]) =>
    remaining.some((one) => one === name) ? [list] : [],
  );
  if (lists.length > 0 && !extensions.includes('include'))
    throw new Problem(
      'bad-upstream',
      'The subscriber service lists nobody’s bundles, countries, addresses or user agents, so the list can’t be filtered by them.',
    );
  return {
    query: lists.length > 0 ? { ...query, include: lists } : query,
    belongs: remaining.length > 0 ? (subscriber) => remaining.every((name) => tests[name](subscriber)) : null,
  };
}

/** Refuses too many words or none, too few letters, and what is no country or no address. @throws {Problem} `invalid-input` */
export function checkFilters({ Username = '', Email = '', Note, Country, IpAddress }: ListQuery): void {
  for (const [name, text] of Object.entries({ Username, Email })) {
    const refused = wordsRefusal(text);
    if (refused !== undefined) throw invalidField(name, refused);
  }
  // Accents alone are in nobody's note for one engine, and in everybody's for another.
  if (Note !== undefined && [...foldText(Note)].length < 3)
    throw invalidField('Note', 'Use at least 3 letters, digits or signs.');
  if (Country !== undefined && !/^[a-z]{2}$/i.test(Country))
    throw invalidField('Country', 'Use a two-letter country code, such as NO.');
  if (IpAddress !== undefined && readIpRange(IpAddress) === null)
    throw invalidField('IpAddress', 'Use an IPv4 or IPv6 address, or a range such as 192.0.2.0/24.');
}

/** The list that each of these filters is about. */
const filteredLists = {
  Bundle: 'bundles',
  Country: 'countries',
  IpAddress: 'ipAddresses',
  UserAgent: 'userAgents',
} as const satisfies Partial<Record<ExtensionName, ListName>>;

/** The statuses of a list that is filtered by some; undefined for all. */
export const statusIdsOf = ({
  StatusId,
  StatusIds,
}: Pick<ListQuery, 'StatusId' | 'StatusIds'>): number[] | undefined =>
  StatusIds?.split(',').map(Number) ?? (StatusId === undefined ? undefined : [StatusId]);

/** Pages that are requested at once, so that the next ones arrive while one is processed. */
const atOnce = 3;

/**
 * Yields every row of a list that is sorted by id, page by page and each once, while rows are added and deleted. Every
 * row that exists during the whole scan is among them.
 *
 * Pages are counted from the start of the list, so deleted rows move later ones into pages that were read already, and
 * the total does not always show it. But each page holds all rows between its first id and its last. So each page
 * begins before the end of the previous one: if its first id was seen already, no row was missed, else the scan goes
 * back.
 *
 * @throws {ApiError} if the service does not sort by id, or the list changes too fast
 */
export async function* scanById<Row extends { id: number }>(
  read: ReadPage<Row>,
): AsyncGenerator<{ rows: readonly Row[]; totalCount: number }> {
  const ahead = createReadAhead(read);
  let most: number = pageSizes.most;
  let window = nextWindow(0, most);
  let lastId = Number.NEGATIVE_INFINITY;
  let back = 0;
  for (let reads = 1; ; reads += 1) {
    const { items, totalCount } = await ahead.take(window, most);
    refuseOtherOrder(items);
    if (reads > patience(totalCount, most)) throw changesTooFast();
    const end = window.start + items.length;
    const connects = window.start === 0 || (items[0]?.id ?? Number.POSITIVE_INFINITY) <= lastId;
    if (!connects) {
      // Twice as far each time: after many deletions, row by row would take too long.
      back = Math.max(16, back * 2);
      window = nextWindow(window.start - back, most);
      continue;
    }
    back = 0;
    const rows = items.filter(({ id }) => id > lastId);
    lastId = rows.at(-1)?.id ?? lastId;
    if (rows.length > 0) yield { rows, totalCount };
    if (items.length < window.size && end >= totalCount) return;
    // Some services give out no pages as large as the contract's.
    if (items.length < window.size) most = Math.max(smallestPage, items.length);
    window = nextWindow(end, most);
  }
}

/** Smaller pages are due to rows that were just deleted, not to a limit of the service. */
const smallestPage = 10;

/** Most reads of a list of this length: enough to read each row three times. */
const patience = (rows: number, pageSize: number) => 50 + 3 * Math.ceil(rows / (pageSize / 2));

/** Reads the following pages ahead. If another page is wanted, they are dropped. */
function createReadAhead<Row>(read: ReadPage<Row>) {
  let underWay: { window: Window; page: Promise<ScannedPage<Row>> }[] = [];
  let total = 0;
  return {
    async take(window: Window, most: number): Promise<ScannedPage<Row>> {
      const first = underWay[0]?.window;
      if (first?.page !== window.page || first.size !== window.size) underWay = [];
      for (let next = window; underWay.length < atOnce;) {
        const latest = underWay.at(-1)?.window;
        if (latest) next = nextWindow(latest.start + latest.size, most);
        if (latest && next.start >= total) break;
        const page = read(next.page, next.size);
        // The failure of a dropped page does not matter; that of another one is thrown below.
        page.catch(() => undefined);
        underWay.push({ window: next, page });
      }
      const page = await underWay.shift()?.page;
      if (!page) throw changesTooFast();
      total = page.totalCount;
      return page;
    },
  };
}

function refuseOtherOrder(rows: readonly { id: number }[]): void {
  if (rows.some(({ id }, index) => id <= (rows[index - 1]?.id ?? Number.NEGATIVE_INFINITY)))
    throw new ApiError(
      'unreadable',
      'The subscriber service doesn’t sort by ID, so some subscribers could be missed. Tell an administrator.',
    );
}

const changesTooFast = () => new ApiError('busy', 'The list is changing too fast to scan. Try again later.');

/** A page of a list by its number, and the rows that it covers: `start` counts from 0. */
interface Window {
  page: number;
  size: number;
  start: number;
}

/**
 * The page that begins before the row at `end` and goes furthest beyond it. Pages of one size never overlap, so their
 * sizes differ a little.
 *
 * @param end how many rows are known; the page includes at least the last of them
 * @param most rows of the largest page
 */
export function nextWindow(end: number, most: number): Window {
  let best: Window = { page: 1, size: most, start: 0 };
  if (end <= 0) return best;
  for (let size = most; size > most / 2; size -= 1) {
    const start = Math.floor((end - 1) / size) * size;
    if (start + size > best.start + best.size) best = { page: start / size + 1, size, start };
  }
  return best;
}
