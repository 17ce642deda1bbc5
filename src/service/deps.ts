import type { Answer } from '../contract/http/answer.ts';
import type { Endpoint, InputOf, OutputOf } from '../contract/http/endpoint.ts';
import type { Log } from '../lib/log.ts';
import type { ServiceEndpoint } from '../contract/service/api.ts';
import type { ServiceDb } from './schema.ts';

/** Dependencies of the service on where it runs. */
export interface ServiceDeps {
  db: ServiceDb;
  /** Runs a read that may be slow so that it delays no other read. Without it, such a read delays all others. */
  runSlowRead?: <T>(read: (db: ServiceDb) => Promise<T>, signal: AbortSignal) => Promise<T>;
  /** Milliseconds since 1970. */
  clock: () => number;
  random: (bytes: number) => Uint8Array;
  /** The URL that the service's paths are appended to; also `iss` and `aud` of its tokens. */
  issuer: string;
  log: Log;
  /** True if the database can be written to; readiness otherwise answers 503. */
  canWrite?: () => Promise<boolean>;
  /** True if the process is about to stop; readiness then answers 503. */
  isStopping?: () => boolean;
  /** Says who may read why the service is not ready; nobody unless given. */
  isMonitor?: (headers: Pick<Headers, 'get'>) => Promise<boolean>;
}

/** The answer of a handler: a body, and the ETag if the row is versioned. */
type HandlerResult<E extends Endpoint> = E extends { versioned: true }
  ? { body: OutputOf<E>; etag: string }
  : { body: OutputOf<E> };

/**
 * Answers a form.
 *
 * @param readFields reads the form with its unknown fields. @throws {Problem} if there is none that can be read
 * @param authorization the header of the request
 */
export type FormHandler = (
  readFields: () => Promise<Readonly<Record<string, unknown>>>,
  authorization: string | null,
) => Promise<Answer>;

/** Carries out the operation of a row. The handler of a row with a form decides what it answers to a bad one. */
export type Handler<E extends Endpoint> = E extends { form: true }
  ? FormHandler
  : (input: InputOf<E>, context: HandlerContext) => Promise<HandlerResult<E>>;

/** Arguments of a handler besides its input. */
export interface HandlerContext {
  ifMatch: string | null;
  /** The database; a transaction if something else is written together with the change. */
  db: ServiceDb;
  /** Aborts when the client has disconnected. */
  signal: () => AbortSignal;
}

/** One handler for each row: a missing one does not compile. */
export type Handlers<T extends Readonly<Record<string, ServiceEndpoint>>> = {
  readonly [N in keyof T]: Handler<T[N]>;
};
