import { Hono, type MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import { toBase64url } from '../contract/http/crypto.ts';
import { api } from '../contract/service/api.ts';
import { describeApi } from '../contract/service/openapi.ts';
import { Refusal } from '../contract/http/refusal.ts';
import { createBearer } from './oauth/bearer.ts';
import type { ServiceDeps } from './deps.ts';
import { implement, type ServiceEnv } from './router.ts';
import { createOnce } from './idempotency.ts';
import { answerError } from './problems.ts';
import { createSigningKeys } from './oauth/signing-keys.ts';
import { subscriberHandlers } from './subscribers/handlers.ts';
import { createTokenEndpoint } from './oauth/token-endpoint.ts';

/** The Subscriber Management Service: a function from a request to its answer, on a database that is migrated. */
export function createService(deps: ServiceDeps): { fetch: (request: Request) => Promise<Response> } {
  const bearer = createBearer({ ...deps, keys: createSigningKeys(deps) });
  const operations = implement(
    api,
    {
      issueToken: createTokenEndpoint({ db: deps.db, bearer }),
      ...subscriberHandlers(deps),
    },
    { authorize: bearer.authorize, once: createOnce(deps) },
  );
  const app = new Hono<ServiceEnv>()
    .use(accompany(deps))
    .get('/healthz', (context) => context.json({ status: 'ok' }))
    .get('/readyz', async (context) => {
      const readiness = await readinessOf(deps);
      return context.json(readiness, readiness.database && !readiness.leaving ? 200 : 503);
    })
    .get('/openapi.json', (context) => context.json(describeApi(deps.issuer)))
    .route('/', operations)
    .notFound((context) => {
      const refusal = new Refusal('no-such-address', 'There is nothing at this address. See /openapi.json.');
      return answerError(refusal, context.get('requestId'), deps.log);
    })
    .onError((error, context) => answerError(error, context.get('requestId'), deps.log));
  return { fetch: async (request) => app.fetch(request) };
}

/** What a load balancer asks before it sends somebody here. */
async function readinessOf({ db, isStopping }: ServiceDeps) {
  const database = await db
    .selectFrom('subscriber_statuses')
    .select('id')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  return { database, ...(isStopping?.() && { leaving: true }) };
}

/** What every request gets: an id, its own or a new one, on the answer and in its line of the log. */
function accompany({ clock, random, log }: ServiceDeps): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const started = clock();
    const given = context.req.header('X-Request-Id') ?? '';
    const requestId = /^[\w-]{8,64}$/.test(given) ? given : toBase64url(random(12));
    context.set('requestId', requestId);
    await next();
    context.header('X-Request-Id', requestId);
    // Answers hold personal data: no cache on the way is to keep one.
    context.header('Cache-Control', 'no-store');
    log('info', 'request', {
      route: routePath(context),
      method: context.req.raw.method,
      status: context.res.status,
      ms: clock() - started,
      requestId,
    });
  };
}
