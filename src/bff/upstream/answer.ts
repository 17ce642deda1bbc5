import * as z from 'zod/mini';
import type { Endpoint } from '../../contract/http/endpoint.ts';
import { api, type OperationInput } from '../../contract/service/api.ts';
import type { StaffOperation } from '../../contract/bff/permission.ts';
import {
  changedMeanwhile,
  noSubscriberWithToken,
  noSuchSubscriber,
} from '../../contract/service/refusals.ts';
import { maskedToken } from '../../contract/bff/access-token.ts';
import { codeOf } from '../../contract/http/problem-answer.ts';
import { Problem, type FieldErrors } from '../../contract/http/problem.ts';
import { invalidInput, type Refusal } from '../../contract/http/refusal.ts';
import type { CallContext, Caller } from './call.ts';
import { badUpstream, failureOf, inputRefused } from './failures.ts';
import type { UpstreamAnswer } from './exchange.ts';
import { problems, type ProblemCode } from '../../contract/http/problem-codes.ts';

/** The body of an answer, if its type is JSON and it is valid JSON; else `{ ok: false }`. */
export function readJson(answer: UpstreamAnswer): { ok: true; value: unknown } | { ok: false } {
  return saysJson(answer) ? parseJson(answer.bytes) : { ok: false };
}

/**
 * Makes a read whose answer is in the contract's shape.
 *
 * @throws {Refusal} if the service refuses it, fails, or answers something else
 */
export async function readAs<N extends StaffOperation, T>(
  caller: Caller,
  operation: N,
  input: OperationInput<N>,
  shape: z.ZodMiniType<T>,
  context: CallContext,
): Promise<T> {
  const answer = await caller.call(operation, input, context);
  if (answer.status !== 200) throw refusalFor(api[operation], answer);
  const json = readJson(answer);
  const read = shape.safeParse(json.ok ? json.value : null);
  if (!read.success) throw badUpstream();
  return read.data;
}

/** Whether the type of an answer is JSON. */
function saysJson({ headers }: Pick<UpstreamAnswer, 'headers'>): boolean {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim() ?? '';
  return /^application\/([\w.-]+\+)?json$/i.test(type);
}

function parseJson(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false } {
  try {
    return { ok: true, value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return { ok: false };
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The problem in an answer, if it has one in the contract's shape. */
export function readProblem(answer: UpstreamAnswer): Problem | null {
  const json = readJson(answer);
  return json.ok ? (Problem.safeParse(json.value).data ?? null) : null;
}

/** The code of the problem in an answer; null for a code that is not ours, which may hold anything. */
export function readProblemCode(answer: UpstreamAnswer): ProblemCode | null {
  const problem = readProblem(answer);
  return problem && codeOf(problem);
}

/**
 * Turns the service's answer into the browser's. It has only the fields of the row's answer, because no permission
 * covers others, and masked tokens for users who may not see tokens.
 *
 * @throws {Refusal} for any other status, in our own words except for the sentences about fields
 */
export function toBrowserResponse(
  row: Endpoint,
  answer: UpstreamAnswer,
  { maskTokens }: { maskTokens: boolean },
): Response {
  if (answer.status !== 200) throw refusalFor(row, answer);
  const etag = answer.headers.get('ETag');
  const headers = { 'Content-Type': 'application/json', ...(etag !== null && { ETag: etag }) };
  return new Response(writeKnown(row, answer, maskTokens), { headers });
}

function writeKnown(row: Endpoint, answer: UpstreamAnswer, maskTokens: boolean): string {
  const json = readJson(answer);
  if (!json.ok) throw badUpstream();
  try {
    const value: unknown = maskTokens ? JSON.parse(JSON.stringify(json.value, maskField)) : json.value;
    return JSON.stringify(value, knownNames(row));
  } catch {
    // Nested too deep for the stack, so it is no record of a subscriber.
    throw badUpstream();
  }
}

const maskField = (name: string, value: unknown) =>
  name === 'accessToken' && typeof value === 'string' ? maskedToken(value) : value;

const namesOfRows = new WeakMap<Endpoint, string[]>();

/** The names of all fields in a row's answer, at any depth. */
function knownNames(row: Endpoint): string[] {
  const known = namesOfRows.get(row) ?? namesIn(row.answer);
  namesOfRows.set(row, known);
  return known;
}

function namesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodMiniObject)
    return Object.entries(schema.shape).flatMap(([name, part]) => [name, ...namesIn(part)]);
  if (schema instanceof z.ZodMiniArray) return namesIn(schema.def.element);
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable)
    return namesIn(schema.def.innerType);
  return [];
}

/** The refusal for an answer other than 200: what the caller can correct, else a failure of the service. */
export function refusalFor(row: Endpoint, answer: UpstreamAnswer): Refusal {
  const problem = readProblem(answer);
  const code = problem && codeOf(problem);
  // Another service may use these statuses without our problem codes. A 404 is about a subscriber only if the row names
  // it.
  const means = (wanted: ProblemCode) =>
    answer.status === problems[wanted][0] && (code === null || code === wanted);
  if (means('no-such-subscriber') && row.params)
    return row === api.getSubscriberByToken ? noSubscriberWithToken() : noSuchSubscriber();
  if (means('changed-meanwhile')) return changedMeanwhile();
  if (means('invalid-input')) {
    const errors = readFieldErrors(problem);
    return Object.keys(errors).length > 0 ? invalidInput(errors) : inputRefused();
  }
  return failureOf(answer.status);
}

/** How much is passed on of the service's sentences about fields, its only words that people see. */
export const sentenceLimits = { characters: 200, perField: 5 } as const;

/** The service's sentences about fields, each on one line. Under `body` if their name cannot be that of a field. */
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
