import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import type { Api } from '../../src/contract/service/api.ts';
import { createRouter } from '../../src/contract/http/router.ts';
import type { ServiceEndpoint } from '../../src/contract/service/read-api.ts';
import { createOnce } from '../../src/service/idempotency.ts';
import type { Handler, Handlers } from '../../src/service/deps.ts';
import { implement } from '../../src/service/http/service.ts';
import { openStore } from '../support/service/harness.ts';

test('a row without its access or its handler, and a versioned answer without its ETag, do not compile', () => {
  expectTypeOf<Omit<Api['deleteSubscriber'], 'access'>>().not.toExtend<ServiceEndpoint>();
  type Complete = Handlers<Api>;
  expectTypeOf<Complete>().toExtend<Handlers<Api>>();
  expectTypeOf<Omit<Complete, 'regenerateToken'>>().not.toExtend<Handlers<Api>>();
  type Answer = Awaited<ReturnType<Handler<Api['deleteSubscriber']>>>;
  expectTypeOf<Omit<Answer, 'etag'>>().not.toExtend<Answer>();
  expectTypeOf<Answer['etag']>().toBeString();
});

test('a handler is given what the row describes, parsed, and If-Match as it came', async () => {
  const table = {
    move: {
      method: 'PUT',
      path: '/shelves/{name}',
      summary: 'Move a shelf',
      access: 'public',
      params: z.object({ name: z.string() }),
      query: z.object({ to: z.optional(z.string()) }),
      body: z.object({ by: z.int() }),
      answer: z.unknown(),
      versioned: true,
    },
  } as const satisfies Record<string, ServiceEndpoint>;
  const db = await openStore();
  const routes = implement(
    table,
    { move: async (input, { ifMatch }) => ({ body: { ...input, ifMatch }, etag: '"7"' }) },
    {
      authorize: async () => 'anybody',
      once: createOnce({ db, clock: () => 0, random: (bytes) => new Uint8Array(bytes) }),
    },
  );
  const request = new Request('https://service.example/shelves/a%2Fb%20%C3%A9?to=x&to=', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'If-Match': '"6"' },
    body: '{"by":3}',
  });
  const { pathname, searchParams } = new URL(request.url);
  const { route, values } = createRouter(routes)('PUT', pathname);
  const answer = await route?.handle(request, values, searchParams);
  expect(answer?.headers).toEqual({ ETag: '"7"' });
  expect(answer?.value).toEqual({
    params: { name: 'a/b é' },
    query: { to: 'x' },
    body: { by: 3 },
    ifMatch: '"6"',
  });
});
