import './zod-config.ts';
import * as z from 'zod/mini';
import { characters, plainText } from './text.ts';

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

/** Writes a call as a request, by its row of the endpoint table. The counterpart of `readInput`. */
export function writeCall(
  endpoint: Endpoint,
  input: AnyCall,
  base: string,
  headers: Readonly<Record<string, string>>,
): WrittenCall {
  const params = endpoint.params ? z.encode(endpoint.params, input.params ?? {}) : {};
  const query = endpoint.query ? z.encode(endpoint.query, input.query ?? {}) : {};
  const search = asForm(query);
  const url = `${base}${fillPath(endpoint.path, params)}${search && `?${search}`}`;
  const body = endpoint.body ? writeBody(input.body, endpoint.form ?? false) : null;
  const type = endpoint.body ? { 'Content-Type': endpoint.form ? formType : 'application/json' } : {};
  const { method } = endpoint;
  return { method, url, headers: { Accept: 'application/json', ...type, ...headers }, body };
}

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

/**
 * Codecs for values that travel as text in a path or a query. A repeated parameter arrives as an array and is refused.
 */
export const wireOnce = z.string({
  error: (issue) => (Array.isArray(issue.input) ? 'This parameter is repeated. Use it once.' : undefined),
});

export const wireText = (most: number) => wireOnce.check(characters(most), plainText);

export const wireBoolean = z.codec(z.enum(['true', 'false'], 'Use true or false.'), z.boolean(), {
  decode: (word) => word === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

export const wireInteger = (least: number, most: number) => {
  const accepted = `Use a whole number from ${least} to ${most}.`;
  return z.codec(
    wireOnce.check(z.regex(/^(0|-?[1-9]\d{0,15})$/, accepted)),
    z.int(accepted).check(z.minimum(least, accepted), z.maximum(most, accepted)),
    { decode: Number, encode: String },
  );
};

/** A comma-separated list of known names, which may also be repeated. Of unknown ones, only the first are looked at. */
export const wireNames = <const Names extends readonly string[]>(names: Names) =>
  z.codec(
    z.union([z.string(), z.array(z.string())]),
    z.array(z.enum(names, `Choose from: ${names.join(', ')}.`)),
    {
      // One more than there are names has an unknown one. With 8,000 of them, the sentences about each took 38 ms.
      decode: (value) =>
        [...new Set([value].flat().join(',').split(',').filter(Boolean))].slice(
          0,
          names.length + 1,
        ) as Names[number][],
      encode: (list) => list.join(','),
    },
  );
