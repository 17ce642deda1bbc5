import type { Kysely } from 'kysely';
import type { Endpoint, InputOf, OutputOf } from '../contract/http/endpoint.ts';
import type { Log } from '../contract/http/log.ts';
import type { ServiceEndpoint } from '../contract/service/read-api.ts';
import type { ServiceTables } from './schema.ts';

/** What the service needs of its surroundings. */
export interface ServiceDeps {
  db: Kysely<ServiceTables>;
  /** Runs a read that can take long where it delays no other; without it, it does. */
  runSlowRead?: <T>(read: (db: Kysely<ServiceTables>) => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Milliseconds since 1970. */
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  /** The URL that the service's paths hang off; `iss` and `aud` of its tokens. */
  issuer: string;
  log: Log;
  /** Whether the process is about to end: readiness says so. */
  isStopping?: () => boolean;
}

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
  /** Aborts when the client has gone. */
  signal: () => AbortSignal;
}

/** One handler for each row: a missing one does not compile. */
export type Handlers<T extends Readonly<Record<string, ServiceEndpoint>>> = {
  readonly [N in keyof T]: Handler<T[N]>;
};
