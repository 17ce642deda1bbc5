import * as z from 'zod/mini';
import type { StaffOperation } from '../../../contract/bff/permission.ts';
import { api } from '../../../contract/service/api.ts';
import type { Endpoint } from '../../../contract/http/endpoint.ts';
import { makeProblem, problems } from '../../../contract/http/problem-answer.ts';
import type { FieldErrors, ProblemCode } from '../../../contract/http/problem.ts';
import { Refusal } from '../../../contract/http/refusal.ts';
import { pageSizes, SubscriberPage, type ListQuery } from '../../../contract/service/list-query.ts';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { readJson } from '../answer.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import { badUpstream } from '../failures.ts';
import { valueAt, type Dialect } from './shape.ts';

/**
 * The answer of an operation that was done, in the contract's shape: out of its envelope, without fields that are not
 * in the contract.
 *
 * @throws {Refusal} `bad-upstream`, naming the field that does not fit and never its value
 */
export function translateAnswer(
  operation: StaffOperation,
  input: unknown,
  answer: UpstreamAnswer,
  dialect: Dialect,
): UpstreamAnswer {
  const json = readJson(answer);
  if (!json.ok) throw badUpstream();
  if (operation === 'listStatuses') return writeAnswer(answer, statusesIn(json.value, dialect));
  if (operation === 'listSubscribers') return writeAnswer(answer, pageIn(json.value, input, dialect));
  const record = valueAt(json.value, dialect.record);
  if (record === undefined) throw mismatch([`${dialect.record} (the record)`]);
  return writeAnswer(answer, parseAs(api[operation].answer, record));
}

function pageIn(body: unknown, input: unknown, { list }: Dialect): SubscriberPage {
  const { Page: page = 1, PageSize: pageSize = pageSizes.usual } = pagingOf(input);
  const [items, totalCount] = [valueAt(body, list.items), valueAt(body, list.total)];
  if (typeof totalCount !== 'number') throw mismatch([`${list.total} (the total)`]);
  const totalPages = Math.ceil(totalCount / pageSize);
  return parseAs(SubscriberPage, { items, page, pageSize, totalCount, totalPages });
}

// The input of a list: the operation's name says so, which TypeScript does not follow.
const pagingOf = (input: unknown) => (input as { query: ListQuery }).query;

function statusesIn(body: unknown, { statuses }: Dialect): unknown {
  const items = valueAt(body, statuses.items);
  if (!Array.isArray(items)) throw mismatch([`${statuses.items} (the statuses)`]);
  const list = items.map((item) => ({ id: valueAt(item, statuses.id), name: valueAt(item, statuses.name) }));
  return parseAs(api.listStatuses.answer, list);
}

function parseAs<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const read = z.safeParse(schema, value);
  if (read.success) return read.data;
  throw mismatch(read.error.issues.map(({ path }) => path.map(String).join('.') || 'the whole'));
}

/** @param paths in our own names, so that nothing of the answer's text gets out */
function mismatch(paths: readonly string[]): Refusal {
  const some = paths.slice(0, 3).join(', ');
  return new Refusal(
    'bad-upstream',
    `Its answer does not fit at ${some}. ${badUpstream().message} They may have to correct UPSTREAM_DIALECT.`,
  );
}

/** A refusal that the caller can correct, as the contract's problem; every other answer as it is. */
export function translateRefusal(
  operation: StaffOperation,
  answer: UpstreamAnswer,
  dialect: Dialect,
): UpstreamAnswer {
  const row: Endpoint = api[operation];
  if (answer.status === 412)
    return refusal('changed-meanwhile', 'Load it again and make your change once more.');
  // A request without a body has nothing else that could be wrong: the BFF itself has checked the id.
  const missing = answer.status === 404 || (answer.status === 422 && dialect.missingIs422 && !row.body);
  if (missing && row.params)
    return refusal('no-such-subscriber', 'It may have been deleted. Search for it again.');
  if (answer.status !== 422) return answer;
  const errors = fieldErrorsIn(answer, dialect);
  const fields = Object.keys(errors);
  if (fields.length === 0)
    return refusal('invalid-input', 'The service refuses this input. Check it and send it again.');
  return refusal('invalid-input', `Correct ${fields.join(', ')} and send it again.`, errors);
}

/** The answer to the browser gets its request id later. */
function refusal(code: ProblemCode, detail: string, errors?: FieldErrors): UpstreamAnswer {
  return writeAnswer({ headers: new Headers() }, makeProblem(code, detail, '', errors), problems[code][0]);
}

/** The sentences of a 422 by our own field names; those on other fields come under `body`. */
function fieldErrorsIn(answer: UpstreamAnswer, { errors }: Dialect): FieldErrors {
  const json = readJson(answer);
  const given = valueAt(json.ok ? json.value : null, errors.fields);
  const ours = Object.create(null) as FieldErrors;
  if (typeof given !== 'object' || given === null) return ours;
  for (const [name, value] of Object.entries(given)) {
    const sentences = [value].flat().filter((text) => typeof text === 'string' && text.trim() !== '');
    const field = ourName(name, errors.names) ?? 'body';
    if (sentences.length > 0) ours[field] = [...(ours[field] ?? []), ...sentences];
  }
  return ours;
}

/** `Bundles[2]` → `bundles.2`; null for a name that is not one of our fields. */
function ourName(name: string, names: Dialect['errors']['names']): string | null {
  const [, word = '', index] = /^(\w+)(?:[[.](\d+)\]?)?$/.exec(name) ?? [];
  const field =
    names === 'PascalCase' ? word.slice(0, 1).toLowerCase() + word.slice(1) : (names[word] ?? word);
  if (!Object.hasOwn(SubscriberInput.shape, field)) return null;
  return index === undefined ? field : `${field}.${index}`;
}

/** Our own answer in place of the service's. */
function writeAnswer(answer: Pick<UpstreamAnswer, 'headers'>, value: unknown, status = 200): UpstreamAnswer {
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  const etag = answer.headers.get('ETag');
  const headers = new Headers({ 'Content-Type': type, ...(etag !== null && { ETag: etag }) });
  return { status, headers, bytes: new TextEncoder().encode(JSON.stringify(value)) };
}
