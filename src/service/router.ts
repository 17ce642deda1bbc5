import { Hono, type Context } from 'hono';
import type { Kysely } from 'kysely';
import { changeHeaders, readChangeKey } from '../contract/http/change-headers.ts';
import {
  isChange,
  routePattern,
  type Endpoint,
  type EndpointTable,
  type InputOf,
  type OutputOf,
  type Scope,
} from '../contract/http/endpoint.ts';
import { Refusal } from '../contract/http/refusal.ts';
import { readInput } from '../contract/http/read-input.ts';
import type { Answer, Once } from './idempotency.ts';
import type { ServiceTables } from './schema.ts';

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
  : (input: InputOf<E>, asked: Asked) => Promise<Outcome<E>>;

/** What an operation is asked with beside its input. */
export interface Asked {
  ifMatch: string | null;
  /** Where it reads and writes: a transaction, where something else is to be written with the change. */
  db: Kysely<ServiceTables>;
}

/** One handler for each row: a missing one does not compile. */
export type Handlers<T extends EndpointTable> = { readonly [N in keyof T]: Handler<T[N]> };

/** What all operations go through. */
export interface Doors {
  /** Names the client. @throws {Refusal} for a request without a token of this scope */
  authorize: (request: Request, scope: Scope) => Promise<string>;
  once: Once;
}

/** The table's rows as routes. Who may is asked before what they sent is read. */
export function implement<T extends EndpointTable>(
  table: T,
  handlers: Handlers<T>,
  { authorize, once }: Doors,
): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>();
  for (const [name, endpoint] of Object.entries(table)) {
    const handler = boundHandler(name, endpoint, handlers[name], once);
    routes.on(endpoint.method, routePattern(endpoint.path), async (context) => {
      const client = endpoint.scope ? await authorize(context.req.raw, endpoint.scope) : '';
      return handler(context, client);
    });
  }
  refuseOtherMethods(routes, Object.values(table));
  return routes;
}

type FormHandler = (request: Request) => Promise<Response>;
type JsonHandler = (input: unknown, asked: Asked) => Promise<Answer>;

/** `handler` is the row's own, as `Handlers` has checked; a loop over the rows forgets which is whose. */
function boundHandler(name: string, endpoint: Endpoint, handler: unknown, once: Once) {
  return async (context: Context, client: string): Promise<Response> => {
    if (endpoint.form) return (handler as FormHandler)(context.req.raw);
    const input = await readInput(endpoint, context.req.raw, context.req.param());
    const ifMatch = context.req.header('If-Match') ?? null;
    const key = isChange(endpoint) ? readChangeKey(context.req.raw.headers) : null;
    const change = { client, key, request: [name, input, ifMatch] };
    const answer = await once(change, (db) => (handler as JsonHandler)(input, { ifMatch, db }));
    return Response.json(answer.body, { headers: headersOf(answer) });
  };
}

function headersOf({ etag, replayed }: Answer): Record<string, string> {
  return { ...(etag !== undefined && { ETag: etag }), ...(replayed && { [changeHeaders.replayed]: 'true' }) };
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
