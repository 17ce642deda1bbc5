import { beforeEach, describe, expect, it, test } from 'vitest';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { verifyJournal } from '../../../src/bff/journal/verify.ts';
import type { EventEntry } from '../../../src/contract/bff/journal.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { changeHeaders } from '../../../src/contract/http/change-headers.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { prepare, runToEnd } from '../../support/bff/jobs.ts';
import { createOtherService, otherUpstream } from '../../support/bff/other-service.ts';
import { createTestDesk, journalKey, runningTime, type TestDesk } from '../../support/desk.ts';
import { anna, person } from '../../support/people.ts';
import { whenOver } from '../../support/setup/database.ts';

type Reader = Awaited<ReturnType<TestDesk['signIn']>>;

const get = (reader: Reader, query = '', headers: Record<string, string> = {}) =>
  reader.fetch(ask('GET', `/bff/export${query}`, { headers }));

/** The usernames in an export as JSON lines. */
async function names(answer: Response): Promise<string[]> {
  const text = await answer.text();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line).username);
}

const recorded = async (desk: TestDesk) => {
  const manager = await desk.signIn('manager');
  const { items } = (await manager.bff.listActivity({ query: { operation: 'exportSubscribers' } })).data;
  return (items as EventEntry[]).map(({ staff, details }) => ({ who: staff.name, ...details }));
};

describe('an export', () => {
  let desk: TestDesk;
  let manager: Reader;
  beforeEach(async () => {
    const nina = person('nina', {
      note: '=HYPERLINK("x")',
      isTrial: true,
      expiresAt: '2025-06-01T10:00:00.000Z',
    });
    desk = await createTestDesk({ people: [anna, nina, person('＝bo', { email: 'bo@example.com' })] });
    manager = await desk.signIn('manager');
  });

  it('is a CSV file that spreadsheets read, with all columns, and no formula in it', async () => {
    const answer = await get(manager);
    expect(answer.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('Content-Disposition')).toBe('attachment; filename="subscribers.csv"');
    expect(answer.headers.get('X-Total-Count')).toBe('3');
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await answer.arrayBuffer());
    expect(text.replaceAll(/(?<="v[01]{12}-)[0-9a-z]+/g, '…')).toBe(
      [
        '\uFEFF"ID","Username","Email","Status","Status ID","Expires (UTC)","Trial","Connection limit","HLS","MPEG-TS","Note","Version"',
        '"1","anna","anna@example.com","Active","1","2026-12-31T22:00:00Z","true","3","true","true","Calls on Mondays.","v111111110000-…"',
        `"2","nina","nina@example.com","Active","1","2025-06-01T10:00:00Z","true","1","true","true","'=HYPERLINK(""x"")","v111111110000-…"`,
        `"3","'＝bo","bo@example.com","Active","1","2027-06-01T12:00:00Z","false","1","true","true","","v111111110000-…"`,
        '',
      ].join('\r\n'),
    );
  });

  it('has the columns, the zone, the filters and the order that were asked for', async () => {
    const query = '?columns=username,expiresAt&zone=Europe/Oslo&IsTrial=true&SortBy=username_desc';
    expect(await (await get(manager, query)).text()).toBe(
      [
        '"Username","Expires (Europe/Oslo)"',
        '"nina","2025-06-01T12:00:00+02:00"',
        '"anna","2026-12-31T23:00:00+01:00"',
        '',
      ].join('\r\n'),
    );
  });

  it('is an object on each line as JSON lines, with the lists if they are asked for', async () => {
    const answer = await get(manager, '?format=jsonl&lists=true&columns=username,status&Username=anna');
    expect(answer.headers.get('Content-Type')).toBe('application/jsonl');
    const { bundles, ipAddresses, userAgents, countries } = anna;
    expect(JSON.parse(await answer.text())).toEqual({
      username: 'anna',
      status: 1,
      statusName: 'Active',
      bundles,
      ipAddresses,
      userAgents,
      countries,
    });
  });

  it('has those whom a job has changed, as they are now, instead of a filter', async () => {
    const change = { set: { maxConnections: 7 } };
    const { id } = await prepare(manager, { kind: 'update', targets: { ids: [1, 3] }, change });
    await runToEnd(manager, id);
    await desk.service.updateSubscriber({ params: { id: 1 }, body: { email: 'new@example.com' } });
    await desk.service.deleteSubscriber({ params: { id: 3 } });
    const answer = await get(manager, `?job=${id}&columns=username,email&counted=true`);
    expect(await answer.text()).toBe('"Username","Email"\r\n"anna","new@example.com"\r\n#rows 1\n');
    expect(await outcomeOf(await get(manager, `?job=${id}&IsTrial=true`))).toBe('422 invalid-input');
    expect(await outcomeOf(await get(manager, '?job=unknown'))).toBe('404 no-such-job');
    const subscribers = { filters: ['job'], count: 2, tokens: false };
    expect(await recorded(desk)).toEqual([{ who: 'manager', subscribers }]);
  });

  it('has access tokens only for a reason, which the journal has', async () => {
    const [one] = desk.people;
    expect(await (await get(manager, '?format=jsonl')).text()).not.toContain('accessToken');
    const refused = await get(manager, '?tokens=true');
    expect([refused.status, (await refused.json()).errors]).toEqual([
      422,
      { [changeHeaders.reason]: ['Say why you need the access tokens.'] },
    ]);
    const headers = { [changeHeaders.reason]: encodeURIComponent('Moving to another provider') };
    const answer = await get(manager, '?tokens=true&columns=id&Username=anna', headers);
    expect(await answer.text()).toBe(`"ID","Access token"\r\n"1","${one?.accessToken}"\r\n`);
    expect(await recorded(desk)).toEqual([
      {
        who: 'manager',
        subscribers: { filters: ['Username'], count: 1, tokens: true },
        reason: 'Moving to another provider',
      },
      { who: 'manager', subscribers: { filters: [], count: 3, tokens: false } },
    ]);
    expect(await verifyJournal(desk.db, createMac(journalKey))).not.toHaveProperty('fault');
  });

  it('ends with the number of its rows, for a client that asks for it', async () => {
    const answer = await get(manager, '?columns=id&SortBy=username&Expired=true&counted=true');
    expect(await answer.text()).toBe('"ID"\r\n"2"\r\n#rows 1\n');
  });

  it('is recorded before anything goes out: without an entry there is no file', async () => {
    await desk.db.schema.alterTable('journal').renameTo('elsewhere').execute();
    expect((await get(manager)).status).toBe(500);
  });

  it.each([
    ['?Usrname=anna', 'Usrname'],
    ['?Page=2', 'Page'],
    ['?AccessToken=abc', 'AccessToken'],
    ['?columns=username,accessToken', 'columns.1'],
    ['?columns=bundles', 'columns.0'],
    ['?format=xlsx', 'format'],
    ['?zone=Mars', 'zone'],
  ])('refuses %s, so that a mistake does not export everybody', async (query, field) => {
    const answer = await get(manager, query);
    expect([answer.status, Object.keys((await answer.json()).errors)]).toEqual([422, [field]]);
    expect(desk.upstream.calls).toEqual([]);
  });

  it('is a heading without rows if nobody matches', async () => {
    const answer = await get(manager, '?Username=zoe&columns=id');
    expect([answer.headers.get('X-Total-Count'), await answer.text()]).toEqual(['0', '"ID"\r\n']);
  });

  it('runs once at a time for an account', async () => {
    const held = Promise.withResolvers<void>();
    desk.upstream.operation = async (_, next) => {
      await held.promise;
      return next();
    };
    const first = get(manager);
    await expect.poll(() => desk.upstream.calls.length).toBe(1);
    expect(await outcomeOf(get(manager))).toBe('429 too-many-requests');
    held.resolve();
    await (await first).text();
    expect((await get(manager)).status).toBe(200);
  });

  it('does not count as a read of the account', async () => {
    const limits = { reads: { atOnce: 1, mostWaiting: 0, patience: 1 }, lists: 1, perSecond: 1, burst: 1 };
    const strict = await createTestDesk({ people: [anna], accountLimits: limits });
    const reader = await strict.signIn('manager');
    for (const _ of [1, 2, 3]) expect(await names(await get(reader, '?format=jsonl'))).toEqual(['anna']);
  });
});

describe('an export of many', () => {
  let desk: TestDesk;
  let manager: Reader;
  beforeEach(async () => {
    desk = await createTestDesk({ samples: 2000 });
    manager = await desk.signIn('manager');
  });

  /** Answers of the list, between two of which something happens. */
  const betweenPages = (happen: (page: number) => Promise<unknown>) => {
    let pages = 0;
    desk.upstream.operation = async ({ url }, next) => {
      if (url.includes('PageSize')) await happen((pages += 1));
      return next();
    };
  };

  it.each(['', '&SortBy=username', '&SortBy=expiresAt_desc'])(
    'has everybody who was there throughout exactly once, while others come, go and change (%s)',
    async (order) => {
      const all = await names(await get(manager, '?format=jsonl'));
      expect(new Set(all).size).toBe(2000);
      const deleted = new Set<string>();
      betweenPages(async (page) => {
        for (const id of [page * 3, page * 3 + 1, page * 90, 2001 - page]) {
          const { data } = await desk.service
            .deleteSubscriber({ params: { id } })
            .catch(() => ({ data: null }));
          if (data) deleted.add(data.username);
        }
        await desk.service.createSubscriber({ body: person(`0-new-${page}`) });
        // These two trade places in every order but that of the ids.
        const id = 1500 + page;
        const moved = { expiresAt: page % 2 ? '2001-01-01T00:00:00Z' : '2099-01-01T00:00:00Z' };
        await desk.service.updateSubscriber({ params: { id }, body: moved }).catch(() => undefined);
      });
      const found = await names(await get(manager, `?format=jsonl${order}`));
      expect(found.length).toBe(new Set(found).size);
      expect(deleted.size).toBeGreaterThan(10);
      const throughout = all.filter((name) => !deleted.has(name));
      expect(throughout.filter((name) => !found.includes(name))).toEqual([]);
    },
  );

  it('keeps the order of the list', async () => {
    const found = await names(await get(manager, '?format=jsonl&SortBy=username&columns=username'));
    for (const Page of [1, 2, 10]) {
      const query = { SortBy: 'username', PageSize: 200, Page } as const;
      const { items } = (await desk.service.listSubscribers({ query })).data;
      expect(found.slice((Page - 1) * 200, Page * 200)).toEqual(items.map(({ username }) => username));
    }
    expect(found).toHaveLength(2000);
  });

  it('reads the lists with their pages where the service can', async () => {
    const query = '?format=jsonl&lists=true&columns=id&SortBy=expiresAt';
    const lines = (await (await get(manager, query)).text()).trimEnd().split('\n');
    expect([lines.length, desk.upstream.lookups]).toEqual([2000, []]);
    const [one, other] = [lines[0], lines.at(-1)].map((line = '') => JSON.parse(line));
    for (const { id, ...lists } of [one, other]) expect(await desk.saved(id)).toMatchObject(lists);
    expect(Object.keys(one)).toEqual(['id', ...listNames]);
  });

  it('leaves out a subscriber who is deleted before the lists are read', async () => {
    desk = await createTestDesk({ samples: 2000, upstream: { extensions: ['AfterId'] } });
    manager = await desk.signIn('manager');
    betweenPages(async (page) =>
      page === 1 ? desk.service.deleteSubscriber({ params: { id: 2000 } }) : undefined,
    );
    desk.upstream.lookup = async ({ url }, next) =>
      url.includes('/5?') ? Response.json({}, { status: 404 }) : next();
    const query = '?format=jsonl&lists=true&columns=id,username&Username=a';
    const found = await names(await get(manager, query));
    expect(found.length).toBeGreaterThan(200);
    expect(new Set(found).size).toBe(found.length);
  });

  it('goes on after a failure that passes, and after pages with fewer rows than it asked for', async () => {
    let count = 0;
    desk.upstream.operation = async ({ url }, next) => {
      if ((count += 1) % 4 === 3) return new Response(null, { status: 503 });
      const page = await (await next()).json();
      return Response.json(url.includes('AfterId=') ? { ...page, items: page.items.slice(0, 150) } : page);
    };
    expect(await names(await get(manager, '?format=jsonl'))).toHaveLength(2000);
  });

  it('is cut off if the service fails, so that nobody takes a part for the whole', async () => {
    desk.upstream.operation = async ({ url }, next) =>
      /AfterId=1[0-9]{3}/.test(url) ? new Response(null, { status: 500 }) : next();
    const answer = await get(manager);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toMatchObject({ code: 'bad-upstream' });
    expect(desk.logs).toContainEqual(
      expect.objectContaining({ event: 'export-cut-off', code: 'bad-upstream' }),
    );
    desk.upstream.operation = (_, next) => next();
    expect(await names(await get(manager, '?format=jsonl'))).toHaveLength(2000);
  });

  it('is a problem and no file, and no entry, if the service fails at once', async () => {
    desk.upstream.operation = () => new Response(null, { status: 500 });
    expect(await outcomeOf(get(manager))).toBe('502 bad-upstream');
    expect(await recorded(desk)).toEqual([]);
  });

  it('waits for none whose client takes nothing', async () => {
    for (const name of ['mona', 'mark', 'mila']) {
      await desk.hire('manager', name);
      const slow = await get(await desk.signIn(name));
      expect(slow.status).toBe(200);
      whenOver(async () => slow.body?.cancel());
    }
    expect(await names(await get(manager, '?format=jsonl&columns=username'))).toHaveLength(2000);
  });

  it('goes on beside two that read pages of which nothing is new in their files', async () => {
    const [scanning, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let scanned = 0;
    desk.upstream.operation = async ({ url }, next) => {
      // What is sorted has been read in its order before.
      if (!url.includes('AfterId=') || url.includes('Username')) return next();
      if ((scanned += 1) === 2) scanning.resolve();
      await goesOn.promise;
      return next();
    };
    const reader = (await get(manager, '?format=jsonl&Username=a')).body?.getReader();
    await reader?.read();
    const others = ['mona', 'mark'].map(async (name) => {
      await desk.hire('manager', name);
      return names(await get(await desk.signIn(name), '?format=jsonl&SortBy=username'));
    });
    await scanning.promise;
    // This part is there already.
    await reader?.read();
    const part = reader?.read();
    goesOn.resolve();
    expect((await part)?.value).toBeDefined();
    expect(scanned).toBeLessThan(10);
    expect((await Promise.all(others)).map(({ length }) => length)).toEqual([2000, 2000]);
    expect(scanned).toBeGreaterThan(19);
    await reader?.cancel();
  });

  it.each(['', '&SortBy=username', '&lists=true'])(
    'gives others a turn between a few of the rows that take longest to write (%s)',
    async (more) => {
      const busy = await createTestDesk({ samples: 400, time: runningTime() });
      const note = '\u0301\t'.repeat(1000);
      await (await busy.serviceDb()).updateTable('subscribers').set({ note }).execute();
      const reader = await busy.signIn('manager');
      let [isOver, turns] = [false, 0];
      const next = () => void (isOver || setImmediate(() => (next(), (turns += 1))));
      next();
      const answer = await get(reader, `?columns=note${more}`);
      const inTurns = new Map<number, number>();
      for await (const { length } of answer.body ?? [])
        inTurns.set(turns, (inTurns.get(turns) ?? 0) + length);
      isOver = true;
      expect(inTurns.size).toBeGreaterThan(400 / 50);
      // Bytes of UTF-8, of which a mark has two.
      expect(Math.max(...inTurns.values())).toBeLessThan(4 * 65_536);
    },
  );

  it('reads nothing more once its client has gone', async () => {
    const deleted = new AbortController();
    const request = new Request(ask('GET', '/bff/export'), { signal: deleted.signal });
    const answer = await manager.fetch(request);
    const reader = answer.body?.getReader();
    await reader?.read();
    deleted.abort();
    await reader?.cancel();
    const calls = desk.upstream.calls.length;
    expect(calls).toBeLessThan(8);
    expect(await names(await get(manager, '?format=jsonl&Username=a&columns=username'))).not.toEqual([]);
    const pages = desk.upstream.calls
      .slice(calls)
      .filter(({ url }) => /PageSize/.test(url) && !/Username=a/.test(url));
    expect(pages).toEqual([]);
  });

  it('is no fault in the log if its client leaves in the middle', async () => {
    const deleted = new AbortController();
    const requested = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    betweenPages(async (page) => {
      if (page !== 4) return;
      requested.resolve();
      await held.promise;
    });
    const answer = await manager.fetch(new Request(ask('GET', '/bff/export'), { signal: deleted.signal }));
    const rest = answer.text().catch(() => 'cut off');
    await requested.promise;
    deleted.abort();
    held.resolve();
    expect(await rest).toBe('cut off');
    await (await get(manager, '?columns=id')).text();
    expect(desk.logs.filter(({ event }) => event === 'export-cut-off')).toEqual([]);
  });
});

test('an export works from another service, which lacks a filter and calls everything by other names', async () => {
  const other = createOtherService({
    count: 450,
    now: () => Date.parse('2026-01-01T00:00:00Z'),
  });
  const desk = await createTestDesk({ upstream: otherUpstream(other.fetch) });
  const manager = await desk.signIn('manager');
  expect(await names(await get(manager, '?format=jsonl'))).toHaveLength(450);
  const trials = await get(manager, '?format=jsonl&IsTrial=true&lists=true');
  expect(trials.headers.get('X-Total-Count')).toBeNull();
  const found = await names(trials);
  expect(found).toHaveLength([...other.customers.values()].filter((one) => one.isTrial).length);
  expect((await recorded(desk))[0]).toMatchObject({ subscribers: { filters: ['IsTrial'], count: null } });
  const expiring = await names(await get(manager, '?format=jsonl&ExpiresFrom=now&ExpiresTo=30d'));
  const [now, end] = [desk.time.now + 1, desk.time.now + 1 + 30 * 24 * 60 * 60_000];
  const within = [...other.customers.values()].map(({ expiresAt }) => Date.parse(expiresAt));
  expect(expiring).toHaveLength(within.filter((at) => at >= now && at < end).length);
  expect(expiring.length).toBeGreaterThan(0);
});
