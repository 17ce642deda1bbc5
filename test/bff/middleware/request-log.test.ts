import { beforeEach, describe, expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask } from '../../support/bff/browser.ts';
import { tokenAnswer } from '../../support/bff/canned.ts';
import { closedRoutes, everyRoute } from '../../support/bff/routes.ts';

let bff: TestDesk;
let headers: { Cookie: string };
let staffId: string | undefined;

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  headers = { Cookie: (await bff.signIn('manager')).cookie() };
  const staff = await bff.db.selectFrom('staff').select('id').where('name', '=', 'manager').execute();
  staffId = staff[0]?.id;
  bff.logs.length = 0;
});

const anyCode: unknown = expect.stringMatching(/^[a-z-]+$/);
const lines = () =>
  bff.logs.filter((line) => line !== null && typeof line === 'object' && 'event' in line).filter(isRequest);
const isRequest = (line: object) => 'event' in line && line.event === 'request';

/** Changes of an existing subscriber: the record is read before. */
const readFirst = ['updateSubscriber', 'deleteSubscriber', 'regenerateToken', 'undoChange'];

/** The export takes no parameters but its own, so the one below is refused. The overview begins with the statuses. */
const exceptions: Readonly<Record<string, boolean>> = { exportSubscribers: false, getOverview: true };
const samples = everyRoute.map((route) => ({
  ...route,
  goesUpstream: exceptions[route.name] ?? route.goesUpstream,
}));

describe.each(samples)('a request for $name', ({ name, method, template, path, body, goesUpstream }) => {
  test('is one line, by its pattern and name and never by its address', async () => {
    bff.upstream.token = (count) => {
      bff.time.now += 30;
      return tokenAnswer(count);
    };
    bff.upstream.operation = () => {
      bff.time.now += 12;
      return Response.json({});
    };
    const response = await bff.fetch(ask(method, `${path}?include=bundles&x=canary`, { body, headers }));
    expect(lines()).toEqual([
      {
        level: response.status < 500 ? 'info' : 'warn',
        event: 'request',
        method,
        route: template,
        operation: name,
        staffId: closedRoutes.some((route) => route.name === name) ? staffId : null,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        status: response.status,
        ...(!response.ok && { code: anyCode }),
        ms: goesUpstream ? 42 : 0,
        ...(goesUpstream && { upstreamCalls: readFirst.includes(name) ? 2 : 1, upstreamMs: 12 }),
        requestId: response.headers.get('X-Request-Id'),
      },
    ]);
    expect(JSON.stringify(bff.logs)).not.toContain('canary');
  });
});

test('the line of a request counts all calls of the service, retries too', async () => {
  bff.upstream.operation = () => {
    bff.time.now += 10;
    return new Response(null, { status: 503 });
  };
  await bff.fetch(ask('GET', '/api/subscribers', { headers }));
  expect(bff.upstream.calls).toHaveLength(3);
  const line = { level: 'warn', code: 'upstream-unreachable', status: 503 };
  expect(lines()).toMatchObject([{ ...line, upstreamCalls: 3, upstreamMs: 30 }]);
});

test('the line of a request that never reached the service has no figures of it', async () => {
  await bff.fetch(ask('GET', '/api/subscribers?Page=0', { headers }));
  const line = { level: 'info', code: 'invalid-input', status: 422 };
  expect(lines()).toMatchObject([{ ...line, operation: 'listSubscribers' }]);
  expect(lines()[0]).not.toHaveProperty('upstreamCalls');
});

test('a health check is logged by its name', async () => {
  await bff.fetch(ask('GET', '/healthz'));
  expect(lines()).toMatchObject([{ route: '/healthz', operation: 'getLiveness', staffId: null }]);
});

test('a wrong method is logged with the path that takes others', async () => {
  await bff.fetch(ask('PATCH', '/api/subscribers/7', { headers }));
  expect(lines()).toMatchObject([{ route: '/api/subscribers/{id}', operation: null, status: 405 }]);
});

test('an unknown address is logged as none, and a page as *', async () => {
  for (const path of ['/canary', '/api/canary', '/bff/canary']) await bff.fetch(ask('GET', path));
  expect(lines()).toMatchObject(
    ['*', 'none', 'none'].map((route) => ({ route, operation: null, staffId: null })),
  );
});
