import * as z from 'zod/mini';
import { readParameters, type Endpoint, type InputOf } from './endpoint.ts';
import { type FieldErrors, fieldErrors, invalidField, invalidInput, Problem } from './problem.ts';

export type PathValues = Readonly<Record<string, string>>;

/** A method and a path template of an endpoint table. */
export interface RouterRow {
  readonly method: string;
  readonly path: string;
}

interface Match<R> {
  /** The path template. */
  readonly path: string;
  /** Null if the path takes only other methods. */
  readonly route: R | null;
  /** The values of the names in the template, decoded. */
  readonly values: PathValues;
  readonly allowedMethods: readonly string[];
}

/**
 * Creates a function that finds a route by method and path.
 *
 * @throws {Problem} from each search without a result: `no-such-address`
 */
export function createRouter<R extends RouterRow>(
  routes: readonly R[],
): (method: string, pathname: string) => Match<R> {
  const templates = routes.map((route) => ({ route, parts: readTemplate(route.path) }));
  const byLength = Map.groupBy(templates, ({ parts }) => parts.length);
  return (method, pathname) => {
    const segments = pathname.split('/');
    const candidates = byLength.get(segments.length) ?? [];
    const matches = candidates.filter(({ parts }) => fits(parts, segments));
    // HEAD is GET without the answer's body (RFC 9110 section 9.3.2).
    const accepted = method === 'HEAD' ? 'GET' : method;
    const match = matches.find(({ route }) => route.method === accepted) ?? matches[0];
    if (!match) throw noSuchAddress();
    return {
      path: match.route.path,
      route: match.route.method === accepted ? match.route : null,
      values: valuesOf(match.parts, segments),
      allowedMethods: matches.flatMap(({ route }) =>
        route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
      ),
    };
  };
}

export const noSuchAddress = () =>
  new Problem('no-such-address', 'There is nothing at this address. Check it for typing mistakes.');

export function wrongMethod(allowed: readonly string[]): Problem {
  const list = allowed.join(', ');
  const detail = `This address does not support the method. Nothing was changed. Use ${list}.`;
  return new Problem('method-not-allowed', detail, { headers: { Allow: list } });
}

export const notJson = () =>
  new Problem('not-json', 'The body is not JSON. Nothing was changed. Send it as application/json.');

/** A segment of a template: fixed text, or a name in braces. */
interface Part {
  readonly text: string;
  readonly name: string | undefined;
}

function readTemplate(path: string): Part[] {
  return path.split('/').map((text) => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] }));
}

function fits(parts: readonly Part[], segments: readonly string[]): boolean {
  return parts.every(({ text, name }, index) =>
    name === undefined ? text === segments[index] : segments[index] !== '',
  );
}

function valuesOf(parts: readonly Part[], segments: readonly string[]): PathValues {
  const values: Record<string, string> = {};
  for (const [index, { name }] of parts.entries())
    if (name !== undefined) values[name] = decode(segments[index] ?? '');
  return values;
}

/** A segment that cannot be decoded stays as it is; the row's schema refuses it. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The largest body that is read, in bytes. */
export const bodyLimit = 64 * 1024;

/**
 * The largest body of strangers: the longest sign-in has 19,200 bytes, the longest logout token 16,384. While 120 connections sent
 * 64 KiB of unknown fields again and again, a list took seconds, and beside forms of plus signs, of which Node reads 30,000 in a
 * ms, 1.4 s; of 20 KiB it takes no longer than beside as many bytes of any kind.
 */
const publicBodyLimit = 20 * 1024;

/**
 * Reads a request by its row of the endpoint table. The counterpart of the client.
 *
 * @param pathValues the values of the names in the path template, decoded
 * @param url the request's address; its query is read only by a row that has one: 15 KB of plus signs or names take Node 1 ms
 * @throws {Problem} `bad-request`, `too-large`, `not-json`, or `invalid-input` with all wrong fields
 */
export async function readInput<E extends Omit<Endpoint, 'answer'>>(
  endpoint: E,
  request: Request,
  pathValues: PathValues,
  url = new URL(request.url),
): Promise<InputOf<E>> {
  const raw = {
    params: pathValues,
    query: endpoint.query && readParameters(url.searchParams),
    body: endpoint.body ? await readBody(request, endpoint) : await refuseBody(request),
  };
  // Without a prototype, so that `__proto__` is a field name like any other.
  const errors = Object.create(null) as FieldErrors;
  const input: Record<string, unknown> = {};
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = endpoint[part];
    if (!schema) continue;
    const read = z.safeDecode(schema, raw[part]);
    if (read.success) input[part] = read.data;
    else
      for (const [field, sentences] of Object.entries(fieldErrors(read.error.issues)))
        errors[field] = [...(errors[field] ?? []), ...sentences];
  }
  if (Object.keys(errors).length === 0) return input as InputOf<E>;
  throw invalidInput(errors);
}

/** Refuses a body that nothing would read: it was meant for another address. */
async function refuseBody(request: Request): Promise<void> {
  // A web `Request` has no body for these methods.
  if (['GET', 'HEAD'].includes(request.method)) return;
  if ((await readSent(request)).byteLength > 0)
    throw invalidField('body', 'This request takes no body. Send it without one.');
}

async function readBody(
  request: Request,
  { access, form }: Pick<Endpoint, 'access' | 'form'>,
): Promise<unknown> {
  const expected = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (form && type !== expected) return {};
  if (type !== expected) throw notJson();
  const text = decodeText(await readSent(request, access === 'public' ? publicBodyLimit : bodyLimit));
  if (form) return readForm(text);
  const body = parseJson(text);
  if (hasTooMany(body)) throw invalidField('body', tooManyValues);
  return body;
}

/**
 * Most fields of a form. 30,000 without a value took Node 10 ms, which a stranger who sends many of them takes from everybody.
 */
const fieldsAtMost = 100;

/** The fields of a form; none where it has too many to be one of ours. */
function readForm(text: string): Record<string, string | string[]> {
  const hasTooManyFields = text.split('&', fieldsAtMost + 1).length > fieldsAtMost;
  return hasTooManyFields ? {} : readParameters(new URLSearchParams(text));
}

/** Most values in a body. The longest list of the contract has 5,000; to say of 30,000 what is wrong with each takes 150 ms. */
const valuesAtMost = 10_000;
const tooManyValues = `The body has more than ${valuesAtMost} values. Nothing was changed. Send fewer.`;

function hasTooMany(body: unknown): boolean {
  const remaining = [body];
  for (let seen = 0; remaining.length > 0; seen += 1) {
    if (seen > valuesAtMost) return true;
    const value = remaining.pop();
    if (typeof value === 'object' && value !== null) remaining.push(...Object.values(value));
  }
  return false;
}

/** Reads the body of a request. @throws {Problem} `bad-request` or `too-large` */
const readSent = (request: Request, most = bodyLimit) =>
  readBytes(request, most, (fault) =>
    fault === 'too large'
      ? new Problem('too-large', tooLarge(most))
      : // The sender went away, was too slow or sent malformed chunks: not an error of the server.
        new Problem('bad-request', 'The body was cut off. Nothing was changed. Send the request again.'),
  );

/**
 * Reads a body, and gives up as soon as it passes the limit. By a reader: Safari cannot iterate over a stream.
 *
 * @param most in bytes
 * @param errorFor makes what is thrown
 */
export async function readBytes(
  from: Request | Response,
  most: number,
  errorFor: (fault: 'cut off' | 'too large', cause?: unknown) => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  // In a tab, Firefox has no stream of a request's body; there the whole body is in memory anyway.
  const stream = from.body ?? new Response(await from.arrayBuffer()).body;
  const reader = stream?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  const next = () =>
    reader?.read().catch((cause: unknown) => {
      throw errorFor('cut off', cause);
    });
  for (let read = await next(); read?.value; read = await next()) {
    size += read.value.byteLength;
    if (size > most) {
      // Whether the source of the stream can be cancelled makes no difference to the sender.
      reader?.cancel().catch(() => undefined);
      throw errorFor('too large');
    }
    parts.push(read.value);
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

const tooLarge = (most: number) =>
  `The body is larger than ${most / 1024} KiB. Nothing was changed. Send a smaller one.`;

/** Keeps a byte order mark in the text, because JSON does not allow one (RFC 8259 section 8.1). */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalidField('body', 'The body is not valid UTF-8. Send it in UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('body', 'The body is not valid JSON. Check its commas, quotes and brackets.');
  }
}
