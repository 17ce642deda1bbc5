import './zod-config.ts';
import * as z from 'zod/mini';
import { characters } from '../service/characters.ts';

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

/** A call as it goes out, by its row of the endpoint table: the other half of `readInput`. */
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
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** Codecs for what travels as text in a path or a query. A repeated single-valued parameter is an array: refused. */
export const wireOnce = z.string({
  error: (issue) => (Array.isArray(issue.input) ? 'Give this parameter once.' : undefined),
});

export const wireText = (most: number) =>
  wireOnce.check(characters(most), z.refine(isPlainText, 'Remove the control characters.'));

export const wireBoolean = z.codec(z.enum(['true', 'false'], 'Use true or false.'), z.boolean(), {
  decode: (word) => word === 'true',
  encode: (value) => (value ? 'true' : 'false'),
});

export const wireInteger = (least: number, most: number) => {
  const tooSmall = `Use a whole number of at least ${least}.`;
  const tooBig = `Use a whole number of at most ${most}.`;
  return z.codec(
    wireOnce.check(z.regex(/^(0|-?[1-9]\d{0,15})$/, 'Use a whole number.')),
    z
      .int({
        // zod has bounds of its own here: those within which a number is exact.
        error: ({ code }) =>
          code === 'too_big' ? tooBig : code === 'too_small' ? tooSmall : 'Use a whole number.',
      })
      .check(z.minimum(least, tooSmall), z.maximum(most, tooBig)),
    { decode: Number, encode: String },
  );
};

/** A comma-separated, repeatable list of known names. */
export const wireNames = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.codec(
    z.union([z.string(), z.array(z.string())]),
    z.array(z.enum(names, `Choose from: ${names.join(', ')}.`)),
    {
      decode: (value) =>
        [value]
          .flat()
          .flatMap((part) => part.split(','))
          .filter((name) => name !== '') as Names[number][],
      encode: (list) => list.join(','),
    },
  );

/** Well-formed text without control characters (C0, DEL, C1), which no name, address or token holds. */
export function isPlainText(value: string): boolean {
  return value.isWellFormed() && !/\p{Cc}/u.test(value);
}
