import { codeOf } from '../../contract/http/answer.ts';
import { problems, type ProblemCode } from '../../contract/http/problem-codes.ts';
import {
  ProblemBody,
  type FieldErrors,
  invalidInput,
  type Problem,
  changedMeanwhile,
  filterNotReady,
  noSubscriberWithToken,
  noSuchSubscriber,
} from '../../contract/http/problem.ts';
import type { Reply } from '../../contract/http/client.ts';
import type { Endpoint, OutputOf } from '../../contract/http/endpoint.ts';
import { storable } from '../../lib/text.ts';
import { api, isChange, type Api, type OperationName } from '../../contract/service/api.ts';
import { SubscriberDetail, SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { Bundle, bundleLimits } from '../../contract/bff/bundle.ts';
import { foldText } from '../../contract/service/search-text.ts';
import { isExcessive, longestList } from './body-limits.ts';
import type { ReplyTo } from './call.ts';
import { fieldErrorsIn, translateBody } from './dialect/answers.ts';
import { hasRecords, readLoosely, withInstants } from './dialect/records.ts';
import { valueAt, type Dialect } from './dialect/shape.ts';
import { createReader, readUpToFault } from './exact.ts';
import { upstreamLimits, type UpstreamAnswer } from './exchange.ts';
import { badUpstream, failureOf, inputRefused, mismatch, RefusedByService } from './failures.ts';

/**
 * Reads an answer of the service, once. What it returns has only the fields of the operation's row, because no permission
 * covers others.
 *
 * @param input of the call, which the answer of another service may not repeat
 * @throws {RefusedByService} if the service did not do it, or its answer does not match the contract; in our own words
 *   but for the sentences about fields
 */
export function readReply<N extends OperationName>(
  operation: N,
  input: unknown,
  answer: UpstreamAnswer,
  dialect?: Dialect,
): Reply<OutputOf<Api[N]>> & Pick<ReplyTo<'deleteSubscriber'>, 'isUnclear'> {
  const { status, headers } = answer;
  if (!doneStatuses.includes(status))
    throw new RefusedByService(status, refusalFor(api[operation], answer, dialect));
  const json = readJson(answer);
  // Another service may answer anything to a deletion: the record of before says what was deleted.
  const needsNothing = dialect !== undefined && operation === 'deleteSubscriber';
  if ((status !== 200 || needsNothing) && answer.bytes.length === 0 && isChange(api[operation]))
    return replyWithout(headers.get('Location'));
  if (!json) throw new RefusedByService(status, badUpstream());
  const body = dialect ? translateBody(operation, input, { body: json.value, headers }, dialect) : json.value;
  const reader = readers[operation];
  const exact = reader.exact(body);
  const read = exact.success ? exact : reader.loose(readLoosely(body, dialect?.statuses.ids));
  const wrong = read.success ? otherThanRequested(input, read.data) : undefined;
  if ((!read.success || wrong !== undefined) && needsNothing)
    return { ...replyWithout(null), isUnclear: true };
  if (!read.success) {
    const paths = read.error.issues.map(({ path }) => path.map(String).join('.') || 'the whole answer');
    throw new RefusedByService(status, mismatch(paths));
  }
  if (wrong !== undefined) throw new RefusedByService(status, mismatch([wrong]));
  if (hasLargeRow(answer, read.data)) throw new RefusedByService(status, badUpstream());
  const data = hasRecords(operation) ? withInstants(read.data, dialect?.timeZone) : read.data;
  // The row is the operation's own, so the answer is too; `completeAnswers` adds the lists that it may lack.
  return { data: data as OutputOf<Api[N]>, etag: dialect?.versions === false ? null : headers.get('ETag') };
}

/**
 * The field by which the record is seen to be of somebody else, such as from a cache in front of the service: a change would be
 * of the wrong person. Undefined if it is the right one. A service may find a token without regard to case,
 * and mask it in its answer.
 */
function otherThanRequested(input: unknown, data: unknown): 'id' | 'accessToken' | undefined {
  const { id, accessToken } = Object(Object(input).params) as { id?: number; accessToken?: string };
  const found = Object(data) as { id?: number; accessToken?: string };
  if (id !== undefined && id !== found.id) return 'id';
  if (accessToken === undefined || /[*•…]/.test(found.accessToken ?? '')) return undefined;
  return accessToken.toLowerCase() === found.accessToken?.toLowerCase() ? undefined : 'accessToken';
}

/** True for a list with a row that would be too large as an answer of its own: what is kept of a list is kept by rows. */
function hasLargeRow({ bytes }: UpstreamAnswer, data: unknown): boolean {
  if (bytes.length <= upstreamLimits.recordBytes) return false;
  const { items = [] } = Object(data) as { items?: readonly unknown[] };
  return items.some((row) => JSON.stringify(row).length > upstreamLimits.recordBytes);
}

/** 200 is the contract's. Others answer a creation with 201, and a change without a record with 204. */
export const doneStatuses = [200, 201, 204];

/** The reply to a change that says at most where its record is. `completeAnswers` adds the rest. */
function replyWithout<T>(location: string | null): Reply<T> {
  const id = Number(/\/([1-9]\d{0,15})\/?$/.exec(location ?? '')?.[1] ?? Number.NaN);
  return { data: (Number.isNaN(id) ? {} : { id }) as T, etag: null };
}

/** The contract's answer, and what else is understood: a changed record without its lists. */
function readersOf({ answer }: Endpoint) {
  const loose = answer === SubscriberDetail ? SubscriberWithLists : answer;
  return { exact: createReader(answer), loose: (body: unknown) => readUpToFault(loose, body) };
}

const readers = Object.fromEntries(
  Object.entries(api).map(([operation, row]) => [operation, readersOf(row)]),
) as Record<OperationName, ReturnType<typeof readersOf>>;

/**
 * The bundles of a service that names them. Those without a usable name of their own stay numbers.
 *
 * @throws {RefusedByService}
 */
export function readBundles(answer: UpstreamAnswer, place: NonNullable<Dialect['bundles']>): Bundle[] {
  const { status } = answer;
  if (!doneStatuses.includes(status)) throw new RefusedByService(status, failureOf(status));
  const items = valueAt(readJson(answer)?.value, place.items);
  if (!Array.isArray(items)) throw new RefusedByService(status, mismatch([`${place.items} (the bundles)`]));
  const named = new Map<string, Bundle>();
  for (const item of items.slice(0, longestList)) {
    const [number, name] = [valueAt(item, place.number), valueAt(item, place.name)];
    // It is refused anyway, and its letters would hold everybody up: half a second for 5 MB of them.
    if (typeof name === 'string' && name.length > longestBundleName) continue;
    const bundle = Bundle.safeParse({ number: Number(number), name, isSold: true }).data;
    if (bundle && !named.has(foldText(bundle.name))) named.set(foldText(bundle.name), bundle);
  }
  return [...named.values()];
}

/** In UTF-16 units: of a letter there may be two, and a column of fixed length is filled up with blanks. */
const longestBundleName = 8 * bundleLimits.name;

/** The body of an answer, if its type is JSON and it is valid JSON, and no more than an honest one may be. */
function readJson(answer: UpstreamAnswer): { value: unknown } | null {
  const { bytes } = answer;
  if (!isJson(answer) || isExcessive(bytes)) return null;
  try {
    const text = utf8.decode(bytes);
    return { value: JSON.parse(text, mayBeUnstorable(text) ? restore : undefined) };
  } catch {
    return null;
  }
}

const isJson = ({ headers }: UpstreamAnswer) =>
  /^application\/([\w.-]+\+)?json$/i.test(headers.get('Content-Type')?.split(';')[0]?.trim() ?? '');

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The only way by which UTF-8 can hold NUL or half of a surrogate pair within a text. A whole pair is one character. */
const unstorable = /\\u(?:0000|d[89a-f])/i;

/** Most answers have no such escape at all, which is found out 20 times as fast. */
const mayBeUnstorable = (text: string) => text.includes('\\u') && unstorable.test(text);

/** Here, because what the journal signs is what it stores. */
const restore = (_: string, value: unknown) => (typeof value === 'string' ? storable(value) : value);

/** The largest refusal that is read, in bytes: with a sentence for each of 500 addresses. */
const largestRefusal = 64 * 1024;

const readRefusal = (answer: UpstreamAnswer): unknown =>
  answer.bytes.length > largestRefusal ? undefined : readJson(answer)?.value;

/** The code of the problem in an answer; null for a code that is not ours, which may hold anything. */
export function readProblemCode(answer: UpstreamAnswer): ProblemCode | null {
  const problem = readUpToFault(ProblemBody, readRefusal(answer)).data;
  return problem ? codeOf(problem) : null;
}

/** The refusal for an answer other than 200: what the caller can correct, else a failure of the service. */
function refusalFor(row: Endpoint, answer: UpstreamAnswer, dialect: Dialect | undefined): Problem {
  const { status, headers } = answer;
  const body = readRefusal(answer);
  const problem = dialect ? null : (readUpToFault(ProblemBody, body).data ?? null);
  const code = problem && codeOf(problem);
  // Another service may use these statuses without our problem codes. A 404 is about a subscriber only if the row names
  // it.
  const means = (target: ProblemCode) => status === problems[target][0] && (code === null || code === target);
  // A gateway that finds no service says 404 as well, in a text or a page of its own.
  const isOfService = isJson(answer) || answer.bytes.length === 0;
  // Nothing else can be wrong with a request without a body, because the BFF has checked the id.
  const isMissing =
    (isOfService && (means('no-such-subscriber') || status === 410)) ||
    (status === 422 && dialect?.missingIs422 && !row.body);
  if (isMissing && row.params)
    return row === api.getSubscriberByToken ? noSubscriberWithToken() : noSuchSubscriber();
  if (code === 'filter-not-ready') return filterNotReady(Number(headers.get('Retry-After')) || 60);
  if (means('changed-meanwhile')) return changedMeanwhile();
  if (means('invalid-input') || (dialect && [400, 409].includes(status) && row.body)) {
    const errors = cleanErrors(dialect ? fieldErrorsIn(body, dialect) : (problem?.errors ?? {}));
    return Object.keys(errors).length > 0 ? invalidInput(errors) : inputRefused();
  }
  return failureOf(status);
}

/** Most that is passed on of the service's sentences about fields, its only words that people see. */
export const sentenceLimits = { characters: 200, perField: 5 } as const;

/** The service's sentences about fields, each on one line. Under `body` if their name cannot be that of a field. */
function cleanErrors(given: FieldErrors): FieldErrors {
  const read = Object.create(null) as FieldErrors;
  for (const [name, sentences] of Object.entries(given)) {
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
