import * as z from 'zod/mini';
import { changeHeaders, readChangeKey } from '../../contract/http/change-headers.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { Answer, toResponse, answerError } from '../../contract/http/answer.ts';
import { Problem } from '../../contract/http/problem.ts';
import {
  createRouter,
  readInput,
  wrongMethod,
  type PathValues,
  type RouterRow,
} from '../../contract/http/router.ts';
import { api, isChange, type ServiceEndpoint } from '../../contract/service/api.ts';
import { describeApi } from '../../contract/service/openapi.ts';
import type { HandlerContext, FormHandler, Handlers, ServiceDeps } from '../deps.ts';
import { createOnce, type Result, type Once } from '../idempotency.ts';
import { createBearer, type Bearer } from '../oauth/bearer.ts';
import { createSigningKeys } from '../oauth/signing-keys.ts';
import { createTokenEndpoint } from '../oauth/token-endpoint.ts';
import { subscriberHandlers } from '../subscribers/handlers.ts';
import type { ProblemCode } from '../../contract/http/problem-codes.ts';

/** Creates the Subscriber Management Service: a function from a request to its answer, on a migrated database. */
export function createService(deps: ServiceDeps): { fetch: (request: Request) => Promise<Response> } {
  const { clock, random, log } = deps;
  const bearer = createBearer({ ...deps, keys: createSigningKeys(deps) });
  const handlers = {
    issueToken: createTokenEndpoint({ db: deps.db, bearer }),
    ...subscriberHandlers(deps),
  };
  const authorize: Bearer['authorize'] = (...given) => bearer.authorize(...given);
  const operations = implement(api, handlers, { authorize, once: createOnce(deps) });
  const findRoute = createRouter([...operations, ...createPublicRoutes(deps)]);
  return {
    async fetch(request) {
      const started = clock();
      const requestId = requestIdOf(request, random);
      let path = 'none';
      const answer = async () => {
        const url = new URL(request.url);
        const found = findRoute(request.method, url.pathname);
        path = found.path;
        if (!found.route) throw wrongMethod(found.allowedMethods);
        return found.route.handle(request, found.values, url);
      };
      let code: ProblemCode | null = null;
      const answered = await answer().catch((error: unknown) => {
        code = error instanceof Problem ? error.code : 'internal-error';
        return answerError(error, request.method, log, { requestId });
      });
      const { status } = answered;
      // As the BFF says it: people who type on end their requests, which is no failure.
      const clientGone = status >= 500 && request.signal.aborted;
      log(status < 500 || clientGone ? 'info' : 'warn', 'request', {
        route: path,
        method: request.method,
        status,
        ...(clientGone && { clientGone }),
        ...(code !== null && { code }),
        ms: clock() - started,
        requestId,
      });
      // Answers hold personal data, which no cache may keep.
      const response = toResponse(answered, { 'X-Request-Id': requestId, 'Cache-Control': 'no-store' });
      // HEAD is answered like GET, without the body.
      return request.method === 'HEAD' ? new Response(null, response) : response;
    },
  };
}

/** The caller's own request id if it is well-formed, else a new one. */
function requestIdOf(request: Request, random: ServiceDeps['random']): string {
  const given = request.headers.get('X-Request-Id') ?? '';
  return /^[\w-]{8,64}$/.test(given) ? given : toBase64url(random(12));
}

/** The routes without a token: the probes of a load balancer, and the description of the service. */
function createPublicRoutes(deps: ServiceDeps): Route[] {
  const routes: Record<string, (request: Request) => Promise<Answer>> = {
    '/healthz': async () => new Answer({ status: 'ok' }),
    '/readyz': async (request) => {
      const { database, leaving = false } = await readinessOf(deps);
      const ready = database && !leaving;
      // What does not work helps an attacker as well.
      const reasons = (await deps.isMonitor?.(request.headers)) === true && {
        database,
        ...(leaving && { leaving }),
      };
      return new Answer({ ready, ...reasons }, { status: ready ? 200 : 503 });
    },
    '/openapi.json': async () => new Answer(describeApi(deps.issuer)),
  };
  return Object.entries(routes).map(([path, handle]) => ({ method: 'GET', path, handle }));
}

async function readinessOf({ db, canWrite, isStopping }: ServiceDeps) {
  const reads = await db
    .selectFrom('subscriber_statuses')
    .select('id')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  const database = reads && ((await canWrite?.()) ?? true);
  return { database, ...(isStopping?.() && { leaving: true }) };
}

type Table = Readonly<Record<string, ServiceEndpoint>>;

/** Values that all operations share. */
interface Shared {
  authorize: Bearer['authorize'];
  once: Once;
}

interface Route extends RouterRow {
  handle(request: Request, values: PathValues, url: URL): Promise<Answer>;
}

/** Makes routes from the rows of the table. The token is checked before the input is read. */
export function implement<T extends Table>(table: T, handlers: Handlers<T>, shared: Shared): Route[] {
  return Object.entries(table).map(([name, endpoint]) => {
    const { method, path } = endpoint;
    const handle = createHandle(name, endpoint, handlers[name], shared);
    return { method, path, handle };
  });
}

type JsonHandler = (input: unknown, context: HandlerContext) => Promise<Result>;

/** `handler` is the handler of the row: `Handlers` has checked its type, which a loop over the rows loses. */
function createHandle(
  name: string,
  endpoint: ServiceEndpoint,
  handler: unknown,
  { authorize, once }: Shared,
): Route['handle'] {
  const takesKey = isChange(endpoint);
  return async (request, values, url) => {
    const authorization = request.headers.get('Authorization');
    const client = endpoint.access === 'public' ? '' : await authorize(authorization, endpoint.access);
    if (endpoint.form) {
      // With unknown fields, so that an empty form can be told from one with other fields.
      const anyForm = { ...endpoint, body: z.record(z.string(), z.unknown()) };
      const readFields = async () => (await readInput(anyForm, request, values, url)).body;
      return (handler as FormHandler)(readFields, authorization);
    }
    const input = await readInput(endpoint, request, values, url);
    const ifMatch = request.headers.get('If-Match');
    const key = takesKey ? readChangeKey(request.headers) : null;
    const change = { client, key, request: [name, input, ifMatch] };
    const answer = await once(change, (db) =>
      (handler as JsonHandler)(input, { ifMatch, db, signal: () => request.signal }),
    );
    return new Answer(answer.body, { headers: headersOf(answer) });
  };
}

function headersOf({ etag, replayed }: Result): Record<string, string> {
  return { ...(etag !== undefined && { ETag: etag }), ...(replayed && { [changeHeaders.replayed]: 'true' }) };
}
