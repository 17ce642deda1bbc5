import type { BffDeps } from '../deps.ts';
import type { Endpoint } from '../../contract/http/endpoint.ts';
import { maskedToken } from '../../contract/bff/masked-token.ts';
import { problems } from '../../contract/http/problem-answer.ts';
import { codeOf, type Problem, type FieldErrors, type ProblemCode } from '../../contract/http/problem.ts';
import { invalidInput, Refusal } from '../../contract/http/refusal.ts';
import { badUpstream, failureOf } from './failures.ts';
import { isJson as isJsonByWeb, readJson, saysJson } from './read-json.ts';
import { readProblem } from './read-problem.ts';
import type { UpstreamAnswer } from './exchange.ts';

/**
 * The service's answer as the browser gets it: a 200 byte by byte once it is known to be JSON, or with its tokens
 * masked for those who may not see them whole.
 *
 * @throws {Refusal} for everything else, in our own words but for the sentences on fields
 */
export function carryBack(
  row: Endpoint,
  answer: UpstreamAnswer,
  { maskTokens, isJson = isJsonByWeb }: { maskTokens: boolean; isJson?: BffDeps['isJson'] },
): Response {
  if (answer.status === 200) {
    const body = maskTokens ? withMaskedTokens(answer) : answer.bytes;
    // Parsed though it is passed on as it came: a body that was cut off must not look like an answer.
    if (!maskTokens && !(saysJson(answer) && isJson(answer.bytes))) throw badUpstream();
    const etag = answer.headers.get('ETag');
    const headers = { 'Content-Type': 'application/json', ...(etag !== null && { ETag: etag }) };
    return new Response(body, { headers });
  }
  throw refusalFor(row, answer);
}

/** The same with every access token masked, however deep it stands. */
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

/** What is the caller's to mend in our own words, whatever the service's were; everything else is its failure. */
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

/** How much of the service's sentences people get to read; the only words of its that they do. */
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
