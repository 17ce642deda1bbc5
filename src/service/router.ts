import type { Kysely } from 'kysely';
import { changeHeaders, readChangeKey } from '../contract/http/change-headers.ts';
import type { Endpoint, InputOf, OutputOf } from '../contract/http/endpoint.ts';
import { readInput } from '../contract/http/read-input.ts';
import type { PathValues, RouterRow } from '../contract/http/router.ts';
import { isChange } from '../contract/service/api.ts';
import type { ServiceEndpoint } from '../contract/service/read-api.ts';
import type { Scope } from '../contract/service/token.ts';
import type { Answer, Once } from './idempotency.ts';
import type { ServiceTables } from './schema.ts';

/** What a handler answers: a body, and for a versioned record its ETag. */
export type Outcome<E extends Endpoint> = E extends { versioned: true }
  ? { body: OutputOf<E>; etag: string }
  : { body: OutputOf<E> };

/** Does a row's operation: parsed input in, an outcome out. A row that takes a form answers for itself. */
export type Handler<E extends Endpoint> = E extends { form: true }
  ? (request: Request) => Promise<Response>
  : (input: InputOf<E>, asked: Asked) => Promise<Outcome<E>>;

/** What an operation is asked with beside its input. */
export interface Asked {
  ifMatch: string | null;
  /** Where it reads and writes: a transaction, where something else is to be written with the change. */
  db: Kysely<ServiceTables>;
}

type Table = Readonly<Record<string, ServiceEndpoint>>;

/** One handler for each row: a missing one does not compile. */
export type Handlers<T extends Table> = { readonly [N in keyof T]: Handler<T[N]> };

/** What all operations go through. */
interface Shared {
  /** Names the client. @throws {Refusal} for a request without a token of this scope */
  authorize: (request: Request, scope: Scope) => Promise<string>;
  once: Once;
}

export interface Route extends RouterRow {
  handle(request: Request, values: PathValues): Promise<Response>;
}

/** The table's rows as routes. The token is checked before the input is read. */
export function implement<T extends Table>(table: T, handlers: Handlers<T>, shared: Shared): Route[] {
  return Object.entries(table).map(([name, endpoint]) => {
    const { method, path } = endpoint;
    const handle = createHandle(name, endpoint, handlers[name], shared);
    return { method, path, handle };
  });
}

type FormHandler = (request: Request) => Promise<Response>;
type JsonHandler = (input: unknown, asked: Asked) => Promise<Answer>;

/** `handler` is the row's own, as `Handlers` has checked; a loop over the rows forgets which is whose. */
function createHandle(
  name: string,
  endpoint: ServiceEndpoint,
  handler: unknown,
  { authorize, once }: Shared,
): Route['handle'] {
  return async (request, values) => {
    const client = endpoint.access === 'public' ? '' : await authorize(request, endpoint.access);
    if (endpoint.form) return (handler as FormHandler)(request);
    const input = await readInput(endpoint, request, values);
    const ifMatch = request.headers.get('If-Match');
    const key = isChange(endpoint) ? readChangeKey(request.headers) : null;
    const change = { client, key, request: [name, input, ifMatch] };
    const answer = await once(change, (db) => (handler as JsonHandler)(input, { ifMatch, db }));
    return Response.json(answer.body, { headers: headersOf(answer) });
  };
}

function headersOf({ etag, replayed }: Answer): Record<string, string> {
  return { ...(etag !== undefined && { ETag: etag }), ...(replayed && { [changeHeaders.replayed]: 'true' }) };
}
