import * as z from 'zod/mini';
import type { StaffOperation } from '../../../contract/bff/permission.ts';
import { api } from '../../../contract/service/api.ts';
import type { Endpoint } from '../../../contract/http/endpoint.ts';
import { makeProblem } from '../../../contract/http/problem-answer.ts';
import type { FieldErrors } from '../../../contract/http/problem.ts';
import { invalidInput, Refusal } from '../../../contract/http/refusal.ts';
import { pageSizes, SubscriberPage, type ListQuery } from '../../../contract/service/list-query.ts';
import { changedMeanwhile, noSuchSubscriber } from '../../../contract/service/refusals.ts';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { readJson } from '../answer.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import { badUpstream, inputRefused } from '../failures.ts';
import { valueAt, type Dialect } from './shape.ts';

/**
 * Translates a successful answer into the contract's shape: takes it out of its envelope, and drops fields that are not
 * in the contract.
 *
 * @throws {Refusal} `bad-upstream`, with the name of the field that does not fit, never its value
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

// The operation's name says that this is the input of a list, which TypeScript does not follow.
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
  throw mismatch(read.error.issues.map(({ path }) => path.map(String).join('.') || 'the whole answer'));
}

/** @param paths in our own names, so that no text of the answer is shown */
function mismatch(paths: readonly string[]): Refusal {
  const some = paths.slice(0, 3).join(', ');
  return new Refusal(
    'bad-upstream',
    `The subscriber service gave an unexpected answer, at ${some}. An administrator may have to correct UPSTREAM_DIALECT.`,
  );
}

/** Translates a refusal that the caller can correct into the contract's problem. Returns any other answer as it is. */
export function translateRefusal(
  operation: StaffOperation,
  answer: UpstreamAnswer,
  dialect: Dialect,
): UpstreamAnswer {
  const row: Endpoint = api[operation];
  if (answer.status === 412) return writeRefusal(changedMeanwhile());
  // Nothing else can be wrong with a request without a body, because the BFF has checked the id.
  const missing = answer.status === 404 || (answer.status === 422 && dialect.missingIs422 && !row.body);
  if (missing && row.params) return writeRefusal(noSuchSubscriber());
  if (answer.status !== 422) return answer;
  const errors = fieldErrorsIn(answer, dialect);
  return writeRefusal(Object.keys(errors).length > 0 ? invalidInput(errors) : inputRefused());
}

/** The refusal as an answer of the service. The answer to the browser gets its request id later. */
function writeRefusal({ code, message, particulars }: Refusal): UpstreamAnswer {
  const problem = makeProblem(code, message, '', particulars.errors);
  return writeAnswer({ headers: new Headers() }, problem, problem.status);
}

/** The sentences of a 422 by our own field names; under `body` for fields that we do not have. */
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

/** Writes our own answer in place of the service's. */
function writeAnswer(answer: Pick<UpstreamAnswer, 'headers'>, value: unknown, status = 200): UpstreamAnswer {
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  const etag = answer.headers.get('ETag');
  const headers = new Headers({ 'Content-Type': type, ...(etag !== null && { ETag: etag }) });
  return { status, headers, bytes: new TextEncoder().encode(JSON.stringify(value)) };
}
