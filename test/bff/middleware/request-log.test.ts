import { beforeEach, describe, expect, test } from 'vitest';
import { ask, signIn } from '../../support/bff/browser.ts';
import { openStaffedDesk, type Desk } from '../../support/bff/desk.ts';
import { tokenAnswer } from '../../support/bff/fake-upstream.ts';
import { closedRoutes, everyRoute } from '../../support/bff/routes.ts';

let desk: Desk;
let headers: { Cookie: string };
let staffId: string | undefined;

beforeEach(async () => {
  desk = await openStaffedDesk();
  headers = { Cookie: await signIn(desk, 'manager') };
  const staff = await desk.db.selectFrom('staff').select('id').where('name', '=', 'manager').execute();
  staffId = staff[0]?.id;
  desk.logs.length = 0;
});

const lines = () =>
  desk.logs.filter((line) => line !== null && typeof line === 'object' && 'event' in line).filter(isRequest);
const isRequest = (line: object) => 'event' in line && line.event === 'request';

/** Changes of somebody who is there: what they were is read before. */
const readFirst = ['updateSubscriber', 'deleteSubscriber', 'regenerateToken', 'undoChange'];

describe.each(everyRoute)('a request for $name', ({ name, method, template, path, body, goesUpstream }) => {
  test('is one line, by its pattern and name and never by its address', async () => {
    desk.upstream.token = (count) => {
      desk.time.now += 30;
      return tokenAnswer(count);
    };
    desk.upstream.operation = () => {
      desk.time.now += 12;
      return Response.json({});
    };
    const response = await desk.fetch(ask(method, `${path}?include=bundles&x=canary`, { body, headers }));
    expect(lines()).toEqual([
      {
        level: 'info',
        event: 'request',
        method,
        route: template,
        operation: name,
        staffId: closedRoutes.some((route) => route.name === name) ? staffId : null,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        status: response.status,
        ms: goesUpstream ? 42 : 0,
        ...(goesUpstream && { upstreamCalls: readFirst.includes(name) ? 2 : 1, upstreamMs: 12 }),
        requestId: response.headers.get('X-Request-Id'),
      },
    ]);
    expect(JSON.stringify(desk.logs)).not.toContain('canary');
  });
});

test('all that went out for a request counts, further attempts too', async () => {
  desk.upstream.operation = () => {
    desk.time.now += 10;
    return new Response(null, { status: 503 });
  };
  await desk.fetch(ask('GET', '/api/subscribers', { headers }));
  expect(desk.upstream.calls).toHaveLength(3);
  expect(lines()).toMatchObject([{ status: 503, upstreamCalls: 3, upstreamMs: 30 }]);
});

test('what never got to the service says nothing of it', async () => {
  await desk.fetch(ask('GET', '/api/subscribers?Page=0', { headers }));
  expect(lines()).toMatchObject([{ operation: 'listSubscribers', status: 422 }]);
  expect(lines()[0]).not.toHaveProperty('upstreamCalls');
});

test('a health check is logged by its name', async () => {
  await desk.fetch(ask('GET', '/healthz'));
  expect(lines()).toMatchObject([{ route: '/healthz', operation: 'getLiveness', staffId: null }]);
});

test('a wrong method is logged with the path that takes others', async () => {
  await desk.fetch(ask('PATCH', '/api/subscribers/7', { headers }));
  expect(lines()).toMatchObject([{ route: '/api/subscribers/{id}', operation: null, status: 405 }]);
});

test('an unknown address is logged as none, and a page as *', async () => {
  for (const path of ['/canary', '/api/canary', '/bff/canary']) await desk.fetch(ask('GET', path));
  expect(lines()).toMatchObject(
    ['*', 'none', 'none'].map((route) => ({ route, operation: null, staffId: null })),
  );
});
