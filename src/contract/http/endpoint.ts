import type * as z from 'zod/mini';

/** The header of an answer with the id of a change's entry in the journal. */
export const entryHeader = 'X-Journal-Entry';

/** The beginning of every `type` of ours; the code follows. */
export const typePrefix = 'urn:subscriber-desk:problem:';

/**
 * One row of an endpoint table. Each table narrows `access`: see `ServiceEndpoint` and `BffEndpoint`.
 *
 * `params` and `query` are codecs between strings on the wire (`z.input`) and typed values in the program
 * (`z.output`), so the same row reads a request and builds one.
 */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A template such as `/subscribers/{id}`; each name in braces is a field of `params`. */
  readonly path: `/${string}`;
  /** The permission or scope that the caller needs, or `'public'`. There is no default. */
  readonly access: string;
  readonly params?: ParameterSchema;
  readonly query?: ParameterSchema;
  readonly body?: z.ZodMiniType;
  /** True if the names in a list of the query are a parameter each, instead of one with commas. */
  readonly repeatsNames?: boolean;
  /** True for a `body` that is written as a form, not as JSON. */
  readonly form?: true;
  /** The body of a 200; `z.undefined()` means a 204 without one. */
  readonly answer: z.ZodMiniType;
  /** The body of a 200 is a file of any length, not JSON: `answer` is the response itself. */
  readonly streamed?: true;
  /** True if an answer has an `ETag` and a write respects `If-Match`. */
  readonly versioned?: true;
}

type ParameterSchema = z.ZodMiniType<Record<string, unknown>, Record<string, unknown>>;

export type EndpointTable = Readonly<Record<string, Endpoint>>;

type Part<E, K extends string, S> =
  E extends Record<K, infer T extends z.ZodMiniType> ? (S extends 'in' ? z.input<T> : z.output<T>) : never;

type Parts<T> = { [K in keyof T as [T[K]] extends [never] ? never : K]: T[K] };

/** The input of a handler: every part parsed. */
export type InputOf<E> = Parts<{
  params: Part<E, 'params', 'out'>;
  query: Part<E, 'query', 'out'>;
  body: Part<E, 'body', 'out'>;
}>;

/** The input of a client call: typed parameters, and the body before defaults are filled in. */
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
 * Reads query parameters for the codecs of a row: a string for a name that occurs once, an array for a repeated one.
 * Empty values are left out.
 */
export function readParameters(search: URLSearchParams): Record<string, string | string[]> {
  const read = Object.create(null) as Record<string, string | string[]>;
  // In one pass: `getAll` for each of 17,000 names took 2 s.
  for (const [name, value] of search) {
    const before = read[name];
    if (value === '') continue;
    if (before === undefined) read[name] = value;
    else if (typeof before === 'string') read[name] = [before, value];
    else before.push(value);
  }
  return read;
}

export interface AnyCall {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A request in plain values. */
export interface WrittenCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A row as a client needs it: without schemas it sends and takes what its own server checks. */
export type ClientRow = Pick<Endpoint, 'method' | 'path'> & Partial<Endpoint>;

/**
 * Writes a call as a request, by its row of the endpoint table. The counterpart of `readInput`.
 *
 * @throws {z.core.$ZodError} for values of the path that the row would not read again: with `..` it would be another path
 */
export function writeCall(
  endpoint: ClientRow,
  input: AnyCall,
  base: string,
  headers: Readonly<Record<string, string>>,
): WrittenCall {
  const params = writeValues(input.params);
  const query = writeValues(input.query, endpoint.repeatsNames);
  endpoint.params?.parse(params);
  const search = asForm(query);
  const url = `${base}${fillPath(endpoint.path, params)}${search && `?${search}`}`;
  const hasBody = input.body !== undefined;
  const body = hasBody ? writeBody(input.body, endpoint.form ?? false) : null;
  const type = hasBody ? { 'Content-Type': endpoint.form ? formType : 'application/json' } : {};
  const { method } = endpoint;
  return { method, url, headers: { Accept: 'application/json', ...type, ...headers }, body };
}

/** As each codec of `shapes.ts` writes its value. */
const writeValues = (values: Readonly<Record<string, unknown>> = {}, repeatsNames = false) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [
        name,
        repeatsNames && Array.isArray(value) ? value : [value].flat().join(','),
      ]),
  );

const formType = 'application/x-www-form-urlencoded';

const writeBody = (body: unknown, form: boolean) =>
  form ? asForm(Object(body) as Record<string, unknown>) : JSON.stringify(body);

function asForm(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as const),
  );
  const written = given.filter(([, one]) => one !== undefined).map(([name, one]) => [name, String(one)]);
  return new URLSearchParams(written).toString();
}
