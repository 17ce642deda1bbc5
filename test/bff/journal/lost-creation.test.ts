import { describe, expect, it, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { abandonedAfter } from '../../../src/bff/journal/reconcile.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import { createTestDesk, journalKey, patientLimits, runningTime } from '../../support/desk.ts';
import { ask, codeIn, outcomeOf } from '../../support/bff/browser.ts';
import { sendOn, type Answer, type Seen } from '../../support/bff/upstream.ts';
import { entered, person } from '../../support/people.ts';

const isList = ({ method, url }: Seen) => method === 'GET' && /\/subscribers\?/.test(url);
const queryOf = ({ url }: Seen) => Object.fromEntries(new URL(url).searchParams);

/**
 * A service that makes a creation, breaks the line, and then answers the search for it.
 *
 * @param onPage answers a page of the list; `totalPages` is what it says of itself
 */
async function arrange(
  onPage: (page: number, next: () => Promise<Response>) => Promise<Response>,
  limits = patientLimits,
) {
  const desk = await createTestDesk({ staff: {}, time: runningTime() });
  const ann = desk.as('manager', 'Ann', { limits });
  // The service starts and gives its token here, so that the deadline is for the creation alone.
  await ann.api.listStatuses({});
  const searches: Record<string, string>[] = [];
  const answer: Answer = async (seen, next) => {
    if (isList(seen)) {
      searches.push(queryOf(seen));
      return onPage(Number(queryOf(seen)['Page']), next);
    }
    if (seen.method !== 'POST') return next();
    await next();
    throw new Error('socket hang up');
  };
  desk.upstream.operation = answer;
  const create = () => ann.fetch(ask('POST', '/api/subscribers', { body: entered }));
  const outcomes = async () =>
    (await desk.db.selectFrom('journal').select('outcome').execute()).map((row) => row.outcome);
  const pages = () => searches.map((query) => Number(query['Page']));
  return { ...desk, ann, limits, searches, create, outcomes, pages };
}

const pageOf = (items: unknown[], page: number, totalPages: number) =>
  Response.json({ items, page, pageSize: 200, totalCount: totalPages * 200, totalPages });
/** Time for some pages. */
const short = { ...patientLimits, total: 1500 };
/** Longer than a fifteenth of it, in ms. */
const pageTime = 105;
const never = () => new Promise<Response>(() => undefined);

describe('a creation that got no answer', () => {
  it('is found by a part of a username of more words than a search takes', async () => {
    const username = 'mr and mrs van der berg of no 5';
    const { ann, outcomes } = await arrange((_, next) => next());
    const { data } = await ann.api.createSubscriber({ body: { ...entered, username } });
    expect([data.username, await outcomes()]).toEqual([username, ['done']]);
  });

  it('is looked for by username and email address, from the newest, until it is found', async () => {
    const { create, searches, pages, service } = await arrange(async (page) => {
      const { items } = (await service.listSubscribers({ query: {} })).data;
      return pageOf(page === 4999 ? items : [], page, 5000);
    });
    expect((await create()).status).toBe(200);
    expect(pages()).toEqual([1, 5000, 4999]);
    expect(searches[0]).toMatchObject({ Username: 'ann', Email: 'ann@example.com', PageSize: '200' });
  });

  it('is found beside an older subscriber with the same username and email address', async () => {
    const { ann, create, outcomes, upstream, service } = await arrange((_, next) => next());
    const { operation } = upstream;
    upstream.operation = sendOn;
    await ann.api.createSubscriber({ body: { ...entered, username: 'older' } });
    upstream.operation = async (seen, next) => {
      if (!isList(seen)) return operation(seen, next);
      const { items } = (await service.listSubscribers({ query: {} })).data;
      return pageOf(
        items.map((item) => ({ ...item, username: entered.username })),
        1,
        1,
      );
    };
    expect((await create()).status).toBe(200);
    expect(await outcomes()).toEqual(['done', 'done']);
  });

  it('is of unknown outcome after one deadline for all where there are pages without end', async () => {
    const { create, outcomes, pages } = await arrange(async (page) => {
      await new Promise((resolve) => setTimeout(resolve, pageTime));
      return pageOf([], page, 1e12);
    }, short);
    expect(await outcomeOf(create())).toBe('503 outcome-unknown');
    expect(await outcomes()).toEqual([null]);
    expect(pages().length).toBeLessThan(100);
  });

  it('is of unknown outcome as soon where one page never comes', async () => {
    const { create, outcomes, logs } = await arrange(
      (page) => (page === 1 ? Promise.resolve(pageOf([], 1, 3)) : never()),
      short,
    );
    expect(await codeIn(await create())).toBe('outcome-unknown');
    expect(await outcomes()).toEqual([null]);
    expect(logs).toContainEqual(
      expect.objectContaining({ event: 'upstream-failed', operation: 'listSubscribers' }),
    );
  });

  it.each([
    ['no JSON', () => new Response('<p>', { headers: { 'Content-Type': 'text/html' } })],
    ['no list', () => Response.json({ items: 'none', totalPages: -1 })],
    ['an error', () => new Response(null, { status: 500 })],
  ])('is of unknown outcome where the search is answered with %s', async (_, answer) => {
    const { create, outcomes } = await arrange(async () => answer());
    expect(await codeIn(await create())).toBe('outcome-unknown');
    expect(await outcomes()).toEqual([null]);
  });

  it('is of unknown outcome, and not failed, where the subscriber that was found cannot be read', async () => {
    const { create, outcomes, upstream } = await arrange((_, next) => next());
    upstream.lookup = () => new Response(null, { status: 500 });
    expect(await codeIn(await create())).toBe('outcome-unknown');
    expect(await outcomes()).toEqual([null]);
  });

  it('is of unknown outcome for good where the subscriber that was found is deleted since', async () => {
    const { create, outcomes, upstream } = await arrange((_, next) => next());
    upstream.lookup = () => new Response(null, { status: 404 });
    expect(await codeIn(await create())).toBe('outcome-unknown');
    expect(await outcomes()).toEqual(['unknown']);
  });

  it('has failed where no page has it', async () => {
    const { create, outcomes, pages, searches, service } = await arrange(async (page) =>
      pageOf([other], page, 3),
    );
    const { data: other } = await service.createSubscriber({
      body: person('anna', { email: 'ann@example.com.test' }),
    });
    expect((await create()).status).toBe(503);
    expect(await outcomes()).toEqual(['failed']);
    expect(pages().slice(0, 3)).toEqual([1, 3, 2]);
    expect(searches.some((query) => query['Email'] === undefined)).toBe(true);
  });
});

test('the maintenance of two servers closes a lost creation once, when the service answers again', async () => {
  const { create, outcomes, upstream, time, as, db, limits, logs, searches } = await arrange(never, short);
  expect(await codeIn(await create())).toBe('outcome-unknown');
  const servers = [as('manager', 'Ann', { limits }), as('manager', 'Bob', { limits })];
  time.now += abandonedAfter + 1000;
  for (const server of servers) await server.runMaintenance();
  expect(await outcomes()).toEqual([null]);
  upstream.operation = sendOn;
  await Promise.all(servers.map((server) => server.runMaintenance()));
  expect(await outcomes()).toEqual(['done']);
  expect(await verifyJournal(db, createMac(journalKey))).toMatchObject({ entries: 1, head: { seq: 2 } });
  const reconciled = logs.filter(({ event }) => event === 'change-reconciled').map(({ outcome }) => outcome);
  expect(new Set(reconciled)).toEqual(new Set(['unknown', 'done']));
  expect(searches.length).toBeGreaterThan(0);
});

test('maintenance that takes long is not begun again meanwhile', async () => {
  const { create, time, as, limits, searches } = await arrange(never, short);
  await create();
  time.now += abandonedAfter + 1000;
  searches.length = 0;
  const server = as('manager', 'Ann', { limits });
  const first = server.runMaintenance();
  await expect.poll(() => searches).toHaveLength(1);
  await Promise.all([first, server.runMaintenance(), server.runMaintenance()]);
  expect(searches).toHaveLength(1);
});
