import * as z from 'zod/mini';
import { readParameters, type Endpoint, type InputOf } from './endpoint.ts';
import type { FieldErrors } from './problem.ts';
import { fieldErrors, invalidInput, Refusal } from './refusal.ts';

export type PathValues = Readonly<Record<string, string>>;

/** A method and a path template of an endpoint table. */
export interface RouterRow {
  readonly method: string;
  readonly path: string;
}

export interface Match<R> {
  /** The path template. */
  readonly path: string;
  /** Null where the path takes other methods. */
  readonly route: R | null;
  /** What the names in the template stand for, decoded. */
  readonly values: PathValues;
  readonly allowedMethods: readonly string[];
}

/**
 * Finds routes by method and path.
 *
 * @throws {Refusal} on each search: `no-such-address`
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
    const wanted = method === 'HEAD' ? 'GET' : method;
    const match = matches.find(({ route }) => route.method === wanted) ?? matches[0];
    if (!match) throw new Refusal('no-such-address', 'Check the address.');
    return {
      path: match.route.path,
      route: match.route.method === wanted ? match.route : null,
      values: valuesOf(match.parts, segments),
      allowedMethods: matches.flatMap(({ route }) =>
        route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
      ),
    };
  };
}

export function wrongMethod(allowed: readonly string[]): Refusal {
  const list = allowed.join(', ');
  return new Refusal('method-not-allowed', `Use ${list}.`, { headers: { Allow: list } });
}

/** A segment of a template: a text, or a name in braces. */
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

/** What is not percent-encoded well stays as it came, for the row's schema to refuse. */
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
 * A request, read as its row of the endpoint table says: the other half of the client.
 *
 * @param pathValues the values of the path template's names, decoded
 * @throws {Refusal} 400, 413, 415 or 422, naming the fields at fault at once
 */
export async function readInput<E extends Omit<Endpoint, 'answer'>>(
  endpoint: E,
  request: Request,
  pathValues: Readonly<Record<string, string>>,
): Promise<InputOf<E>> {
  const raw = {
    params: pathValues,
    query: readParameters(new URL(request.url).searchParams),
    body: endpoint.body ? await readBody(request, endpoint.form ?? false) : await refuseBody(request),
  };
  // Without a prototype: a field of the name `__proto__` is a name like any other here.
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

/** A body that nothing reads was meant for another address: it is refused, and not ignored. */
async function refuseBody(request: Request): Promise<void> {
  // A web `Request` has no body for these methods.
  if (['GET', 'HEAD'].includes(request.method)) return;
  if ((await readBytes(request)).byteLength > 0) throw unreadable('Send this without a body.');
}

async function readBody(request: Request, form: boolean): Promise<unknown> {
  const wanted = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const type = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (form && type !== wanted) return {};
  if (type !== wanted) throw new Refusal('not-json', `Send the body as ${wanted}.`);
  const text = decodeText(await readBytes(request));
  return form ? readParameters(new URLSearchParams(text)) : parseJson(text);
}

/** The body's bytes, given up as soon as they pass the limit. */
async function readBytes(request: Request): Promise<Uint8Array> {
  // In a tab the browser may know no body stream of a request (Firefox); there the whole is in memory anyway.
  const stream = request.body ?? new Response(await request.arrayBuffer()).body;
  const reader = stream?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  // The sender went away, took too long or sent malformed chunks: nothing failed here.
  const next = () =>
    reader?.read().catch(() => {
      throw new Refusal('bad-request', 'The body broke off. Send it again.');
    });
  for (let read = await next(); read?.value; read = await next()) {
    size += read.value.byteLength;
    if (size > bodyLimit) {
      // What is behind the stream may let go of it; whether it does so well changes nothing for the sender.
      reader?.cancel().catch(() => undefined);
      throw new Refusal('too-large', `Send at most ${bodyLimit} bytes.`);
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

/** A byte order mark stays in the text, which JSON does not allow (RFC 8259 §8.1). */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unreadable('The body is not UTF-8.');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable('The body is not JSON that can be read.');
  }
}

function unreadable(sentence: string): Refusal {
  return new Refusal('invalid-input', sentence, { errors: { body: [sentence] } });
}
