import { Hono, type Context } from 'hono';
import {
  routePattern,
  type Endpoint,
  type EndpointTable,
  type InputOf,
  type OutputOf,
  type Scope,
} from '../contract/endpoint.ts';
import { Refusal } from '../contract/problem.ts';
import { readInput } from '../contract/read-input.ts';

/** What a request carries through the service. */
export interface ServiceEnv {
  Variables: { requestId: string };
}

/** What a handler answers: a body, and for a versioned record its ETag. */
export type Outcome<E extends Endpoint> = E extends { versioned: true }
  ? { body: OutputOf<E>; etag: string }
  : { body: OutputOf<E> };

/** A row of the table, done: parsed input in, an outcome out. A row that takes a form answers for itself. */
export type Handler<E extends Endpoint> = E extends { form: true }
  ? (request: Request) => Promise<Response>
  : (input: InputOf<E>, ifMatch: string | null) => Promise<Outcome<E>>;

/** One handler for each row: a missing one does not compile. */
export type Handlers<T extends EndpointTable> = { readonly [N in keyof T]: Handler<T[N]> };

/**
 * The table's rows as routes. Who may is asked before what they sent is read.
 *
 * @param authorize throws a refusal for a request without a token of this scope
 */
export function implement<T extends EndpointTable>(
  table: T,
  handlers: Handlers<T>,
  authorize: (request: Request, scope: Scope) => Promise<void>,
): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>();
  for (const [name, endpoint] of Object.entries(table)) {
    const handler = boundHandler(endpoint, handlers[name]);
    routes.on(endpoint.method, routePattern(endpoint.path), async (context) => {
      if (endpoint.scope) await authorize(context.req.raw, endpoint.scope);
      return handler(context);
    });
  }
  refuseOtherMethods(routes, Object.values(table));
  return routes;
}

type FormHandler = (request: Request) => Promise<Response>;
type JsonHandler = (input: unknown, ifMatch: string | null) => Promise<{ body: unknown; etag?: string }>;

/** `handler` is the row's own, as `Handlers` has checked; a loop over the rows forgets which is whose. */
function boundHandler(endpoint: Endpoint, handler: unknown): (context: Context) => Promise<Response> {
  if (endpoint.form) return (context) => (handler as FormHandler)(context.req.raw);
  return async (context) => {
    const input = await readInput(endpoint, context.req.raw, context.req.param());
    const ifMatch = context.req.header('If-Match') ?? null;
    const { body, etag } = await (handler as JsonHandler)(input, ifMatch);
    return Response.json(body, { headers: etag === undefined ? {} : { ETag: etag } });
  };
}

function refuseOtherMethods(routes: Hono<ServiceEnv>, rows: readonly Endpoint[]): void {
  for (const path of new Set(rows.map((row) => row.path))) {
    const methods = rows.filter((row) => row.path === path).map((row) => row.method);
    const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    routes.all(routePattern(path), () => {
      throw new Refusal('method-not-allowed', `Use one of: ${allow}.`, { headers: { Allow: allow } });
    });
  }
}
