import type * as z from 'zod/mini';

/**
 * One row of an endpoint table. Each table narrows `access` to its own words: `ServiceEndpoint` and `BffEndpoint`.
 *
 * `params` and `query` are schemas of codecs: strings on the wire (`z.input`), typed values in the program
 * (`z.output`), so that the same row reads a request and builds one.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A template such as `/subscribers/{id}`; each name in braces is a field of `params`. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Who may call it: `'public'`, or what the caller must have. There is no default. */
  readonly access: string;
  readonly params?: ParameterSchema;
  readonly query?: ParameterSchema;
  readonly body?: z.ZodMiniType;
  /** How `body` is written: JSON unless this says otherwise. */
  readonly form?: true;
  /** The body of a 200; `z.undefined()` means a 204 without one. */
  readonly answer: z.ZodMiniType;
  /** Whether an answer carries an `ETag` and a write honours `If-Match`. */
  readonly versioned?: true;
}

type ParameterSchema = z.ZodMiniType<Record<string, unknown>, Record<string, unknown>>;

export type EndpointTable = Readonly<Record<string, Endpoint>>;

type Part<E, K extends string, S> =
  E extends Record<K, infer T extends z.ZodMiniType> ? (S extends 'in' ? z.input<T> : z.output<T>) : never;

type Parts<T> = { [K in keyof T as [T[K]] extends [never] ? never : K]: T[K] };

/** What a handler is given: every part parsed. */
export type InputOf<E> = Parts<{
  params: Part<E, 'params', 'out'>;
  query: Part<E, 'query', 'out'>;
  body: Part<E, 'body', 'out'>;
}>;

/** What a caller gives: typed parameters, and the body as it is before defaults are filled in. */
export type CallOf<E> = Parts<{
  params: Part<E, 'params', 'out'>;
  query: Part<E, 'query', 'out'>;
  body: Part<E, 'body', 'in'>;
}>;

export type OutputOf<E extends Endpoint> = z.output<E['answer']>;

/** `/subscribers/{id}` and `{id: "7"}` → `/subscribers/7`, each value percent-encoded as one segment. */
export function fillPath(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

/**
 * Query parameters as the codecs of a row take them: a name that comes once is a string, one that is repeated
 * an array, and an empty value is as if absent.
 */
export function readParameters(search: URLSearchParams): Record<string, string | string[]> {
  const names = new Set(search.keys());
  const read = Object.create(null) as Record<string, string | string[]>;
  for (const name of names) {
    const values = search.getAll(name).filter((value) => value !== '');
    if (values.length > 0) read[name] = values.length === 1 ? String(values[0]) : values;
  }
  return read;
}
