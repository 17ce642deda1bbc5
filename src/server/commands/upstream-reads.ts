import type { OperationInput } from '../../contract/service/api.ts';
import type { OutputOf } from '../../contract/http/endpoint.ts';
import type { ListQuery } from '../../contract/service/list-query.ts';
import { pageSizes, type ExtensionName, type SortOrder } from '../../contract/service/list-rules.ts';
import type { Role, UpstreamOperation } from '../../contract/bff/permission.ts';
import type { api } from '../../contract/service/api.ts';
import { Problem } from '../../contract/http/problem.ts';
import { listNames, statusOfActive } from '../../contract/service/limits.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';

/** Makes a read of the service, in the contract's shape. @throws {Problem} with a sentence for the operator */
export type Ask = <N extends UpstreamOperation>(
  operation: N,
  input: OperationInput<N>,
  role?: Role,
) => Promise<OutputOf<(typeof api)[N]>>;

/**
 * Checks something, and prints a row: what was tried, what came, what it means for staff.
 *
 * @param can what they can do if it works, after "Staff can"
 * @returns whether it works
 */
export type Try = (what: string, can: string, work: () => Promise<unknown>) => Promise<boolean>;

/** Checks every read. The later checks use a subscriber that an earlier one found. @param now in ms since 1970 */
export async function tryReads(
  { ask, askVersion }: { ask: Ask; askVersion: (id: number) => Promise<string | null> },
  tryOne: Try,
  extensions: readonly ExtensionName[],
  now: number,
): Promise<void> {
  const found: { one: Subscriber | null } = { one: null };
  await tryOne('the statuses', 'see whom a status stops', async () => {
    const statuses = await ask('listStatuses', {});
    if (statuses.length === 0) throw odd('It has no statuses.');
    if (!statuses.some(({ name }) => name === statusOfActive))
      throw odd(
        `None is called ${statusOfActive}, so everybody seems to be stopped. Set statuses.active in UPSTREAM_DIALECT to the name of the one that stops nobody.`,
      );
  });
  const hasPages = await tryOne(
    'the list of subscribers, in pages',
    'go through all subscribers',
    async () => {
      const page = await ask('listSubscribers', { query: { Page: 1, PageSize: 2 } });
      found.one = page.items[0] ?? null;
      if (page.items.length > 2) throw odd('A page has more subscribers than requested.');
      if (page.totalCount < page.items.length)
        throw odd('The total is smaller than the number of subscribers on one page.');
      const next = await ask('listSubscribers', { query: { Page: 2, PageSize: 1 } });
      if (next.items[0]?.id !== page.items[1]?.id)
        throw odd('The second page of one is not the second subscriber. It must count Page from 1.');
    },
  );
  const { one } = found;
  if (one) {
    if (hasPages) await pagesOf(ask, tryOne);
    await readsOf(one, ask, tryOne);
    await tryOne('the version of a subscriber', 'save what they change', async () => {
      const versions = [await askVersion(one.id), await askVersion(one.id), await askVersion(one.id)];
      if (new Set(versions).size === versions.length)
        throw odd('Each answer has another ETag. Set versions in UPSTREAM_DIALECT to false.');
    });
    await filtersOf(one, ask, tryOne, now);
  }
  await tryOne(
    'a 404 for a subscriber that does not exist',
    'be told that a subscriber is gone',
    async () => {
      await expectNotFound(ask('getSubscriber', { params: { id: unlikelyId }, query: {} }));
    },
  );
  await tryOne('a 404 for an unknown access token', 'be told that a token is unknown', async () => {
    await expectNotFound(ask('getSubscriberByToken', { params: { accessToken: unlikelyToken }, query: {} }));
  });
  if (extensions.includes('IsTrial'))
    await tryOne('the filter for trials', 'list trials', async () => {
      const { items } = await ask('listSubscribers', { query: { IsTrial: true, PageSize: 25 } });
      if (items.some(({ isTrial }) => !isTrial))
        throw odd('It also lists subscribers that are not trials. Remove IsTrial from the extensions.');
    });
  if (one && extensions.includes('StatusIds'))
    await tryOne('the filter by several statuses', 'filter by several statuses', async () => {
      const query = { StatusIds: String(one.status), PageSize: pageSizes.most };
      const { items } = await ask('listSubscribers', { query });
      if (items.some(({ status }) => status !== one.status))
        throw odd('It also lists subscribers with other statuses. Remove StatusIds from the extensions.');
    });
  if (one && rangeNames.every((name) => extensions.includes(name)))
    await tryOne('the filter by expiry', 'list who expires when', async () => {
      const [latest = one] = (
        await ask('listSubscribers', { query: { SortBy: 'expiresAt_desc', PageSize: 1 } })
      ).items;
      const limit = Date.parse(latest.expiresAt);
      for (const name of rangeNames) {
        // The last ones first, because a service that ignores the filter has them all.
        const SortBy = name === 'ExpiresFrom' ? 'expiresAt' : 'expiresAt_desc';
        const query = { [name]: latest.expiresAt, SortBy, PageSize: 25 } as const;
        const { items } = await ask('listSubscribers', { query });
        if (items.some(({ expiresAt }) => Date.parse(expiresAt) < limit === (name === 'ExpiresFrom')))
          throw odd(`It lists others, too. Remove ${name} from the extensions.`);
      }
    });
  if (extensions.includes('getStatistics'))
    await tryOne('the statistics', 'see the numbers of the overview', async () => {
      const { totalCount } = await ask('listSubscribers', { query: { PageSize: 1 } });
      const { groups } = await ask('getStatistics', { query: {} });
      if (groups.reduce((sum, { count }) => sum + count, 0) !== totalCount)
        throw odd('They do not count every subscriber once. Remove getStatistics from the extensions.');
    });
  if (one && extensions.includes('include'))
    await tryOne(
      'the lists of the subscribers on a page',
      'export subscribers with their lists',
      async () => {
        const { items } = await ask('listSubscribers', { query: { include: [...listNames], PageSize: 25 } });
        if (!items.some((item) => listNames.some((name) => item[name])))
          throw odd('It answers the list without them. Remove include from the extensions.');
      },
    );
  if (one && extensions.includes('Near'))
    await tryOne('the nearest to a name', 'be offered similar names', async () => {
      const { items } = await ask('listSubscribers', { query: { Near: one.username, PageSize: 3 } });
      if (items.length > 3 || !items.some(({ id }) => id === one.id))
        throw odd('It does not find a subscriber by the username. Remove Near from the extensions.');
    });
  if (one && extensions.includes('AfterId'))
    await tryOne('the list after an ID', 'export all subscribers', async () => {
      const { items } = await ask('listSubscribers', { query: { AfterId: one.id, PageSize: 25 } });
      if (items.some(({ id }, index) => id <= (items[index - 1]?.id ?? one.id)))
        throw odd('It lists other subscribers, or in another order. Remove AfterId from the extensions.');
    });
}

async function readsOf(one: Subscriber, ask: Ask, tryOne: Try): Promise<void> {
  const query = { include: [...listNames] };
  await tryOne('the expiries on a page', 'see who expires when', async () => {
    const { items } = await ask('listSubscribers', { query: { Page: 1, PageSize: pageSizes.usual } });
    const count = items.filter(({ expiresAt }) => expiresAt === '').length;
    if (count > 0)
      throw odd(`${count} of ${items.length} can't be read as a time. Staff see “unknown” there.`);
  });
  await tryOne('a subscriber by its ID, with its lists', 'open a subscriber', async () => {
    const subscriber = await ask('getSubscriber', { params: { id: one.id }, query });
    if (subscriber.id !== one.id) throw odd('It answered another subscriber.');
    const missing = listNames.filter((name) => subscriber[name] === undefined);
    if (missing.length > 0) throw odd(`The answer lacks ${missing.join(', ')}.`);
  });
  await tryOne('a subscriber by its access token', 'find a subscriber by its token', async () => {
    const { accessToken } = one;
    const subscriber = await ask('getSubscriberByToken', { params: { accessToken }, query });
    if (subscriber.id !== one.id) throw odd('It answered another subscriber.');
  });
  await tryOne('the name of the status of a subscriber', 'see the status of a subscriber', async () => {
    if (!(await ask('listStatuses', {})).some(({ id }) => id === one.status))
      throw odd('A subscriber has a status that is not among the statuses.');
  });
}

/** Checks what a walk through everybody needs. */
async function pagesOf(ask: Ask, tryOne: Try): Promise<void> {
  const { most } = pageSizes;
  await tryOne('the largest page', 'see everybody on large pages', async () => {
    const query = { Page: 1, PageSize: most };
    const { items, totalCount } = await ask('listSubscribers', { query }).catch((error: unknown) => {
      const isRefused = error instanceof Problem && error.code === 'invalid-input';
      throw isRefused ? odd(`It refuses a page of ${most}. Set maxPageSize in UPSTREAM_DIALECT.`) : error;
    });
    if (items.length < Math.min(most, totalCount))
      throw odd(
        `A page of ${most} has ${items.length} of ${totalCount}. Set maxPageSize in UPSTREAM_DIALECT to ${items.length}.`,
      );
  });
  await tryOne('the order by ID', 'export subscribers, and change many at once', async () => {
    const { items } = await ask('listSubscribers', { query: { Page: 1, PageSize: pageSizes.usual } });
    if (!isOrdered(items.map(({ id }) => id)))
      throw odd(`A list without SortBy is in another order. ${noRemedy}`);
  });
}

/** Checks the filters and orders of the seed. Staff act on whom a filter lists, so one that is ignored does harm. */
async function filtersOf(one: Subscriber, ask: Ask, tryOne: Try, now: number): Promise<void> {
  const list = async (query: ListQuery) =>
    (await ask('listSubscribers', { query: { PageSize: pageSizes.usual, ...query } })).items;
  const texts = [
    ['Username', 'username', 'name'],
    ['Email', 'email', 'email'],
  ] as const;
  for (const [filter, field, word] of texts)
    await tryOne(`the filter by ${field}`, `find subscribers by ${word}`, async () => {
      const value = one[field];
      // Very many may have a short one in theirs.
      const found = value === '' ? [one] : await list({ [filter]: value, PageSize: 100 });
      if (!found.some(({ id }) => id === one.id))
        throw odd(`It does not find a subscriber by the full ${field}.`);
      if ((await list({ [filter]: unlikelyToken })).length > 0) throw listsOthers();
    });
  await tryOne('the filter by status', 'list subscribers by status', async () => {
    for (const { id: StatusId } of (await ask('listStatuses', {})).slice(0, mostStatuses))
      if ((await list({ StatusId })).some(({ status }) => status !== StatusId)) throw listsOthers();
  });
  await tryOne('the filter by expired', 'list who has expired', async () => {
    const found = await list({ Expired: true, SortBy: 'expiresAt_desc' });
    if (found.some(({ expiresAt }) => Date.parse(expiresAt) > now + day)) throw listsOthers();
  });
  await tryOne('the orders by username and by expiry', 'sort subscribers', async () => {
    const expiries = async (SortBy: SortOrder) =>
      (await list({ SortBy }))
        .map(({ expiresAt }) => Date.parse(expiresAt))
        .filter((at) => !Number.isNaN(at));
    const isByExpiry =
      isOrdered(await expiries('expiresAt')) && isOrdered((await expiries('expiresAt_desc')).toReversed());
    // How letters are sorted is the service's own business.
    const [[first], [last]] = [await list({ SortBy: 'username' }), await list({ SortBy: 'username_desc' })];
    const hasOne = (await list({ PageSize: 2 })).length < 2;
    if (!isByExpiry || (first?.id === last?.id && !hasOne))
      throw odd(`It ignores SortBy, or one of its values. ${noRemedy}`);
  });
}

/** Most statuses whose filter is tried. */
const mostStatuses = 5;

/** In ms: more than the clocks of two servers differ. */
const day = 24 * 60 * 60_000;

const isOrdered = (numbers: readonly number[]) =>
  numbers.every((number, index) => number >= (numbers[index - 1] ?? Number.NEGATIVE_INFINITY));

const noRemedy = 'Tell the people who run the service: no key of UPSTREAM_DIALECT helps.';
const listsOthers = () => odd(`It also lists others, so staff would act on the wrong ones. ${noRemedy}`);

const rangeNames = ['ExpiresFrom', 'ExpiresTo'] as const satisfies readonly ExtensionName[];

/** The largest 32-bit id: every service can hold it, and none has reached it. */
export const unlikelyId = 2 ** 31 - 1;
const unlikelyToken = 'nobody-has-this-token';

export async function expectNotFound(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (error instanceof Problem && error.code === 'no-such-subscriber') return;
    if (!(error instanceof Problem) || error.code !== 'invalid-input') throw error;
    throw odd('It answered 422 instead of 404. Set missingIs422 in UPSTREAM_DIALECT.');
  }
  throw odd('It answered a subscriber.');
}

export const odd = (sentence: string) => new Problem('bad-upstream', sentence);
