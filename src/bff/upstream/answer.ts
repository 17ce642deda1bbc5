import type { BffDeps } from '../deps.ts';
import type { Endpoint } from '../../contract/http/endpoint.ts';
import { maskedToken } from '../../contract/bff/access-token.ts';
import { problems } from '../../contract/http/problem-answer.ts';
import { codeOf, Problem, type FieldErrors, type ProblemCode } from '../../contract/http/problem.ts';
import { invalidInput, Refusal } from '../../contract/http/refusal.ts';
import { badUpstream, failureOf } from './failures.ts';
import type { UpstreamAnswer } from './exchange.ts';

/** The body of an answer, where it says that it is JSON and is; `{ ok: false }` otherwise. */
export function readJson(answer: UpstreamAnswer): { ok: true; value: unknown } | { ok: false } {
  return saysJson(answer) ? parseJson(answer.bytes) : { ok: false };
}

/** Whether an answer says that its body is JSON. */
function saysJson({ headers }: Pick<UpstreamAnswer, 'headers'>): boolean {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim() ?? '';
  return /^application\/([\w.-]+\+)?json$/i.test(type);
}

/** Whether bytes are JSON in UTF-8, to the last of them. */
export const isJson = (bytes: Uint8Array): boolean => parseJson(bytes).ok;

function parseJson(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { ok: false };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What an answer says is wrong, where it says so as the contract does. */
export function readProblem(answer: UpstreamAnswer): Problem | null {
  const json = readJson(answer);
  return json.ok ? (Problem.safeParse(json.value).data ?? null) : null;
}

/**
 * The service's answer as the browser gets it: a 200 byte by byte once it is known to be JSON, or with its tokens
 * masked for users who may not see them whole.
 *
 * @throws {Refusal} for every other status, in our own words except for the sentences on fields
 */
export function toBrowserResponse(
  row: Endpoint,
  answer: UpstreamAnswer,
  { maskTokens, checkJson = isJson }: { maskTokens: boolean; checkJson?: BffDeps['isJson'] },
): Response {
  if (answer.status === 200) {
    const body = maskTokens ? withMaskedTokens(answer) : answer.bytes;
    // Parsed though it is passed on as it came: a body that was cut off must not look like an answer.
    if (!maskTokens && !(saysJson(answer) && checkJson(answer.bytes))) throw badUpstream();
    const etag = answer.headers.get('ETag');
    const headers = { 'Content-Type': 'application/json', ...(etag !== null && { ETag: etag }) };
    return new Response(body, { headers });
  }
  throw refusalFor(row, answer);
}

/** The same with every access token masked, at any depth. */
function withMaskedTokens(answer: UpstreamAnswer): string {
  const json = readJson(answer);
  if (!json.ok) throw badUpstream();
  try {
    return JSON.stringify(json.value, maskField);
  } catch {
    // Nested deeper than the stack is: no record of a subscriber.
    throw badUpstream();
  }
}

const maskField = (name: string, value: unknown) =>
  name === 'accessToken' && typeof value === 'string' ? maskedToken(value) : value;

/** What the caller can correct, in our own words; every other status is a failure of the service. */
export function refusalFor(row: Endpoint, answer: UpstreamAnswer): Refusal {
  const problem = readProblem(answer);
  const code = problem && codeOf(problem);
  // Another service may say the same without our problems. A 404 means a subscriber only where the path names one.
  const means = (wanted: ProblemCode) =>
    answer.status === problems[wanted][0] && (code === null || code === wanted);
  if (means('no-such-subscriber') && row.params)
    return new Refusal('no-such-subscriber', 'It may have been deleted. Search for it again.');
  if (means('changed-meanwhile'))
    return new Refusal('changed-meanwhile', 'Load it again and make your change once more.');
  if (means('invalid-input')) {
    const errors = readFieldErrors(problem);
    return Object.keys(errors).length > 0
      ? invalidInput(errors)
      : new Refusal('invalid-input', 'The service refuses this input. Check it and send it again.');
  }
  return failureOf(answer.status);
}

/** How much people read of the service's sentences on fields, which are its only words that they see. */
export const sentenceLimits = { characters: 200, perField: 5 } as const;

/** The sentences beside the fields of a form: one line each, under what can be the name of a field. */
function readFieldErrors(problem: Problem | null): FieldErrors {
  const read = Object.create(null) as FieldErrors;
  for (const [name, sentences] of Object.entries(problem?.errors ?? {})) {
    const field = /^[a-z]\w{0,63}(\.\d{1,4})?$/i.test(name) ? name : 'body';
    const lines = sentences.map(oneLine).filter((sentence) => sentence !== '');
    const all = [...(read[field] ?? []), ...lines].slice(0, sentenceLimits.perField);
    if (all.length > 0) read[field] = all;
  }
  return read;
}

function oneLine(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  const characters = [...plain];
  const { characters: most } = sentenceLimits;
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : plain;
}
