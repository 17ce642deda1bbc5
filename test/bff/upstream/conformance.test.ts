import { afterAll, beforeEach, describe, expect } from 'vitest';
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
import { describeConformance } from '../../service/conformance/suite.ts';
import { createOtherService, otherUpstream, strictly } from '../../support/bff/other-service.ts';
import { createRestService, restUpstream } from '../../support/bff/rest-service.ts';
import type { Subject } from '../../support/service/calls.ts';

/** A few subscribers that are not the suite's. */
const filled = { count: 3, now: Date.now };

const services = {
  rest: () => restUpstream(createRestService(filled).fetch),
  strict: () => otherUpstream(createOtherService(filled, { strict: true }).fetch, strictly),
};

/** The tests of what the contract decides where the seed shows nothing, and another service decides otherwise. */
const ownDecisions = {
  'is found by a part of it, and one that is only like it is not': 'its filters regard case and accents',
  'sorts names by their code points without regard to case, up and down': 'its orders regard case',
  'is taken by what differs only in case or composition, and free beside anything else':
    'a username is taken only by the very same',
  'is refused to an update too where it is taken, which then changes nothing':
    'a username is taken only by the very same',
  'answers Active, Suspended and Blocked at least': 'its statuses are its own',
  'a status has id and name, a token access_token, token_type, expires_in and scope':
    'its token goes to the BFF alone',
  'finds by several statuses, by trial and by a value of each list': 'it has no extension',
  'finds the next ones by id after AfterId, and counts no others': 'it has no extension',
  'finds the nearest to a text, the most alike first, by username or email': 'it has no extension',
  'finds a part of the note, without regard to case and accents, and the last characters of the token':
    'it has no extension',
  'adds to each subscriber the lists that include names, in pages by number and after an ID':
    'it has no extension',
  'counts each subscriber once by status, plan and expiry, and in each bundle and country':
    'it has no extension',
};

/** Limits that one of them has by itself. */
const ownLimits = {
  rest: {
    'finds by the parts of an email, without regard to case': 'its filters regard case',
    'gives a token of 32 bytes in base64url, as a creation does': 'its tokens have a form of their own',
    'is stored and answered as it came, up to its limits':
      'it keeps whole seconds, up to the year 9999 in Oslo',
    'is trimmed in a username and an email, and an expiry is answered in UTC': 'it keeps whole seconds',
  },
  strict: {
    'leaves the id of a deleted subscriber to no other': 'it gives the number of one to the next',
  },
};

describe.each(['rest', 'strict'] as const)('the conformance of a service elsewhere: %s', (kind) => {
  const expected = Object.keys({ ...ownDecisions, ...ownLimits[kind] });
  const seen = new Set<string>();
  beforeEach(({ task }) => {
    seen.add(task.name);
    // It runs all the same, so that none is in the table that the service passes.
    Object.assign(task, { fails: expected.includes(task.name) });
  });
  afterAll(() => expect(expected.filter((name) => !seen.has(name))).toEqual([]));
  // Tokens are between the BFF and the service; versions and keys are the journal's.
  const without = ['POST /oauth/token', 'an ETag', 'If-Match', 'Idempotency-Key', 'every answer'];
  describeConformance(async () => serveContract(services[kind]()), { without });
});

const token = { access_token: 'of-the-suite', token_type: 'Bearer', expires_in: 3600, scope: '' } as const;

/** A service elsewhere as the BFF's callers see it: over the contract's paths, with its own answers translated. */
function serveContract(upstream: Upstream): Subject {
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
    const url = new URL(request.url);
    const { route, values, allowedMethods } = findRoute(request.method, url.pathname);
    if (!route) throw wrongMethod(allowedMethods);
    return route.handle(request, values, url);
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
