import type { Upstream } from '../../../src/bff/http/bff.ts';
import { createCaller } from '../../../src/bff/upstream/caller.ts';
import type { UpstreamOperation } from '../../../src/contract/bff/permission.ts';
import { Answer, answerError, toResponse } from '../../../src/contract/http/answer.ts';
import { createRouter, wrongMethod } from '../../../src/contract/http/router.ts';
import { api, isChange, type OperationInput } from '../../../src/contract/service/api.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import type { HandlerContext, Handlers } from '../../../src/service/deps.ts';
import { implement } from '../../../src/service/http/service.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import type { Subject } from '../service/calls.ts';

const token = { access_token: 'of-the-suite', token_type: 'Bearer', expires_in: 3600, scope: '' } as const;

/** A service elsewhere as the BFF's callers see it: over the contract's paths, with its own answers translated. */
export function serveContract(upstream: Upstream): Subject {
  const log = () => undefined;
  const { bytes: random } = createSeededRandom(9);
  const caller = createCaller({ upstream, random, log, clock: Date.now, journalKey: 'A'.repeat(43) });
  const context = { role: 'manager', requestId: 'of-the-suite' } as const;
  /** The record before a change, which the journal has read. */
  const recordBefore = async ({ params }: { params?: { id?: number } }) => {
    if (params?.id === undefined) return undefined;
    const input = { params: { id: params.id }, query: { include: [...listNames] } };
    return SubscriberDetail.parse((await caller.call('getSubscriber', input, context)).data);
  };
  const handlerOf =
    (operation: UpstreamOperation) =>
    async (input: OperationInput<typeof operation>, { ifMatch }: HandlerContext) => {
      const before = isChange(api[operation]) ? await recordBefore(input as object) : undefined;
      const { data, etag } = await caller.call(operation, input, { ...context, ifMatch, before });
      // In the order of the contract, of which the other service knows nothing.
      return { body: api[operation].answer.parse(data), ...(etag !== null && { etag }) };
    };
  const { issueToken: _, ...rows } = api;
  const names = Object.keys(rows) as UpstreamOperation[];
  const handlers = {
    issueToken: async () => new Answer(token),
    // A loop over the rows loses which handler is whose.
    ...Object.fromEntries(names.map((name) => [name, handlerOf(name)])),
  } as unknown as Handlers<typeof api>;
  const routes = implement(api, handlers, {
    authorize: async () => 'suite',
    once: (_change, work) => work(null as never),
  });
  const findRoute = createRouter(routes);
  const answer = async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const { route, values, allowedMethods } = findRoute(request.method, pathname);
    if (!route) throw wrongMethod(allowedMethods);
    return route.handle(request, values, searchParams);
  };
  const { requestId } = context;
  return {
    base: 'https://contract.example',
    credentials: { id: 'suite', secret: 'of the suite' },
    versions: false,
    fetch: async (request) =>
      toResponse(
        await answer(request).catch((error: unknown) =>
          answerError(error, request.method, log, { requestId }),
        ),
        { 'X-Request-Id': requestId },
      ),
  };
}
