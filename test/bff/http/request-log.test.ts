import { beforeEach, describe, expect, it } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { readTraceparent } from '../../../src/lib/trace-context.ts';
import { ask, publicUrl } from '../../support/bff/browser.ts';
import { cannedAnswers, tokenAnswer } from '../../support/bff/canned.ts';
import { createPerson, type Person } from '../../support/bff/person.ts';
import { closedRoutes, everyRoute } from '../../support/bff/routes.ts';

let bff: TestDesk;
let manager: Person;
beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  const { cookie } = await bff.signIn('manager');
  // As the listener does for a proxy.
  const fetch = (request: Request) =>
    bff.fetch(request, { address: 'unknown', traceContext: readTraceparent(request.headers) });
  manager = createPerson(fetch, publicUrl, cookie());
  bff.logs.length = 0;
});

const anyCode: unknown = expect.stringMatching(/^[a-z-]+$/);
const lines = () => bff.logs.filter(({ event }) => event === 'request');

/** Changes of an existing subscriber: the record is read before. */
const readFirst = ['updateSubscriber', 'deleteSubscriber', 'regenerateToken', 'undoChange'];
/**
 * The export and scans take no parameters but their own, so the ones below are refused. The overview begins with the
 * statuses, and a draft is kept of a subscriber that there is.
 */
const exceptions: Readonly<Record<string, boolean>> = {
  exportSubscribers: false,
  getScan: false,
  startScan: false,
  getOverview: true,
  keepDraft: true,
};

describe('the line of a request', () => {
  it('has the pattern and the name of the route, and never the address', async () => {
    // Nobody works on the jobs that are made.
    await bff.stop();
    bff.upstream.token = (count) => {
      bff.time.now += 30;
      return tokenAnswer(count);
    };
    bff.upstream.operation = (seen, next) => {
      bff.time.now += 12;
      // Without a status there is nothing that the overview could count.
      if (seen.url.endsWith('/subscriber-statuses')) return Response.json([]);
      return cannedAnswers.operation(seen, next);
    };
    const accounts = new Map((await bff.rows('staff')).map(({ name, id }) => [name, id]));
    for (const { name, line, method, path, body, ...route } of everyRoute) {
      // By then, the service's token is old.
      bff.time.now += 60 * 60_000;
      // A changed password would let nobody sign in for the routes after it.
      const account = name === 'changePassword' ? 'support' : 'manager';
      const person = await bff.signIn(account);
      bff.logs.length = 0;
      const response = await person.ask(method, `${path}?include=bundles&x=canary`, body);
      const isClosed = closedRoutes.some((closed) => closed.name === name);
      const goesUpstream = exceptions[name] ?? route.goesUpstream;
      expect(lines(), line).toEqual([
        {
          level: response.status < 500 ? 'info' : 'warn',
          event: 'request',
          method,
          route: line.split(' ')[1],
          operation: name,
          staffId: isClosed ? accounts.get(account) : null,
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
          status: response.status,
          ...(!response.ok && { code: anyCode }),
          ms: goesUpstream ? 42 : 0,
          ...(goesUpstream && { upstreamCalls: readFirst.includes(name) ? 2 : 1, upstreamMs: 12 }),
          requestId: response.headers.get('X-Request-Id'),
        },
      ]);
      expect(JSON.stringify(bff.logs), line).not.toContain('canary');
    }
  });

  it('counts all calls of the service, retries too', async () => {
    bff.upstream.operation = () => {
      bff.time.now += 10;
      return new Response(null, { status: 503 });
    };
    await manager.ask('GET', '/api/subscribers');
    expect(bff.upstream.calls).toHaveLength(3);
    const line = { level: 'warn', code: 'upstream-unreachable', status: 503 };
    expect(lines()).toMatchObject([{ ...line, upstreamCalls: 3, upstreamMs: 30 }]);
  });

  it('has no figures of the service where the request never reached it', async () => {
    await manager.ask('GET', '/api/subscribers?Page=0');
    const line = { level: 'info', code: 'invalid-input', status: 422 };
    expect(lines()).toMatchObject([{ ...line, operation: 'listSubscribers' }]);
    expect(lines()[0]).not.toHaveProperty('upstreamCalls');
  });

  it.each([
    ['a health check', 'GET', '/healthz', '/healthz', 'getLiveness'],
    ['a wrong method', 'PATCH', '/api/subscribers/7', '/api/subscribers/{id}', null],
    ['a page', 'GET', '/canary', '*', null],
    ['an unknown address of data', 'GET', '/api/canary', 'none', null],
    ['another unknown address', 'GET', '/bff/canary', 'none', null],
  ])('names the route of %s', async (_, method, path, route, operation) => {
    await bff.fetch(ask(method, path));
    expect(lines()).toMatchObject([{ route, operation, staffId: null }]);
  });
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const own = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/;
const read = (headers: Record<string, string> = {}) =>
  manager.ask('GET', '/api/subscribers', undefined, headers);
const sent = () => bff.upstream.calls.map(({ headers }) => headers['traceparent'] ?? '');

describe('a trace', () => {
  it('goes on upstream if the caller began it, with a step of its own for each request', async () => {
    await read({ traceparent: `00-${traceId}-${parent}-01` });
    await read({ traceparent: `00-${traceId}-${parent}-01` });
    const steps = sent().map((text) => new RegExp(`^00-${traceId}-([0-9a-f]{16})-01$`).exec(text)?.[1]);
    expect(steps).toEqual([expect.any(String), expect.any(String)]);
    expect(new Set([...steps, parent]).size).toBe(3);
  });

  it.each([
    ['00', '00'],
    ['01', '01'],
    ['02', '00'],
    ['ff', '01'],
  ])('passes of its flags %s on the one that is known: %s', async (flags, passed) => {
    await read({ traceparent: `00-${traceId}-${parent}-${flags}` });
    expect(sent()[0]).toMatch(new RegExp(`-${passed}$`));
  });

  it('begins with each request that has none', async () => {
    await read();
    await read();
    const ids = sent().map((text) => own.exec(text)?.[1]);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(undefined);
  });

  it('begins anew where what came is none', async () => {
    const odd = [
      `00-${'0'.repeat(32)}-${parent}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `01-${traceId}-${parent}-01`,
      `ff-${traceId}-${parent}-01`,
      `00-${traceId.toUpperCase()}-${parent}-01`,
      `00-${traceId}-${parent}-01-more`,
      `00-${traceId}-${parent}`,
      `00-${traceId.slice(1)}-${parent}-01`,
      `00-${traceId}0-${parent}-01`,
      `00-${traceId}-${parent}-1`,
      `00-${traceId}-${parent}-01, 00-${traceId}-${parent}-01`,
      traceId,
      'canary',
      '',
    ];
    for (const traceparent of odd) {
      await read({ traceparent, tracestate: 'vendor=canary' });
      const call = bff.upstream.calls.at(-1);
      const begun = own.exec(call?.headers['traceparent'] ?? '')?.[1];
      expect(begun, traceparent).toMatch(/[1-9a-f]/);
      expect(traceparent.toLowerCase()).not.toContain(begun);
      expect(call?.headers).not.toHaveProperty('tracestate');
    }
    expect(JSON.stringify(bff.logs)).not.toMatch(new RegExp(`canary|${traceId}`, 'i'));
  });

  it('has a change and the readings around it as its steps', async () => {
    const traceparent = `00-${traceId}-${parent}-01`;
    await manager.ask('PUT', '/api/subscribers/7', { note: 'x' }, { traceparent });
    const all = [...bff.upstream.lookups, ...bff.upstream.calls].map(({ headers }) => headers['traceparent']);
    expect(all.length).toBeGreaterThan(1);
    for (const text of all) expect(text).toContain(`00-${traceId}-`);
    expect(new Set(all).size).toBe(all.length);
  });

  it('is named by the line in the log', async () => {
    await read({ traceparent: `00-${traceId}-${parent}-01` });
    await read();
    expect(lines()).toMatchObject([{ traceId }, { traceId: own.exec(sent()[1] ?? '')?.[1] }]);
  });
});
