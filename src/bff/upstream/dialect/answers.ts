import { toPage } from '../../../contract/http/shapes.ts';
import type { FieldErrors } from '../../../contract/http/problem.ts';
import type { OperationName } from '../../../contract/service/api.ts';
import { pageSizes } from '../../../contract/service/list-rules.ts';
import type { ListQuery } from '../../../contract/service/list-query.ts';
import { statusOfActive, type ListName } from '../../../contract/service/limits.ts';
import { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { mismatch } from '../failures.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import { headerIn, valueAt, type Dialect } from './shape.ts';

/** A body that was parsed, and the headers that came with it. */
interface JsonAnswer extends Pick<UpstreamAnswer, 'headers'> {
  body: unknown;
}

/**
 * Takes what the contract names out of the envelope of an answer.
 *
 * @throws {Problem} `bad-upstream`, with the pointer that leads nowhere
 */
export function translateBody(
  operation: OperationName,
  input: unknown,
  { body, headers }: JsonAnswer,
  dialect: Dialect,
): unknown {
  if (operation === 'issueToken') return body;
  if (operation === 'listStatuses') return statusesIn(body, dialect);
  if (operation === 'listSubscribers') return pageIn({ body, headers }, input, dialect);
  const record = valueAt(body, dialect.record);
  // What a deletion is answered with need not be a record.
  if (record === undefined && operation !== 'deleteSubscriber')
    throw mismatch([`${dialect.record} (the record)`]);
  // What was not asked for may be missing, so this is about the lists that were.
  return dialect.include ? { ...emptyLists(input), ...Object(record) } : record;
}

/** `157`, or `items 0-24/157` as in a `Content-Range`. */
const totalIn = (given: unknown) => {
  const digits = /(?:^|\/)(\d{1,15})$/.exec(String(given).trim())?.[1];
  return digits === undefined ? undefined : Number(digits);
};

/** The lists that a read of one subscriber asks for. */
function emptyLists(input: unknown): Record<string, []> {
  const { include = [] } = Object(Object(input).query) as { include?: readonly ListName[] };
  return Object.fromEntries(include.map((name) => [name, []]));
}

function pageIn({ body, headers }: JsonAnswer, input: unknown, { list }: Dialect): unknown {
  const { Page: page = 1, PageSize: pageSize = pageSizes.usual } = pagingOf(input);
  const header = headerIn(list.total);
  const totalCount = totalIn(header === null ? valueAt(body, list.total) : headers.get(header));
  if (totalCount === undefined) throw mismatch([`${list.total} (the total)`]);
  const items = valueAt(body, list.items);
  // Whether the items are a list, the row's schema says.
  return toPage(items as unknown[], { page, pageSize, totalCount });
}

// The operation's name says that this is the input of a list, which TypeScript does not follow.
const pagingOf = (input: unknown) => (input as { query: ListQuery }).query;

/** The statuses, of which the one that stops nobody is called Active: the dashboard knows it by its name. */
function statusesIn(body: unknown, { statuses }: Dialect): unknown {
  const { id, ids = {}, active = statusOfActive } = statuses;
  const items = valueAt(body, statuses.items);
  if (!Array.isArray(items)) throw mismatch([`${statuses.items} (the statuses)`]);
  return items.map((item) => {
    const name = valueAt(item, statuses.name);
    const isActive = String(name).toLowerCase() === active.toLowerCase();
    return { id: ids[String(name)] ?? valueAt(item, id), name: isActive ? statusOfActive : name };
  });
}

/** The sentences of a 422 by our own field names; under `body` for fields that we do not have. */
export function fieldErrorsIn(body: unknown, { errors }: Dialect): FieldErrors {
  const given = valueAt(body, errors.fields);
  const ours = Object.create(null) as FieldErrors;
  if (typeof given !== 'object' || given === null) return ours;
  for (const [name, value] of Array.isArray(given) ? given.map(errorIn) : Object.entries(given)) {
    const sentences = [value].flat().filter((text) => typeof text === 'string' && text.trim() !== '');
    const field = ourName(name, errors.names) ?? 'body';
    if (sentences.length > 0) (ours[field] ??= []).push(...sentences);
  }
  return ours;
}

/** An error in a list of errors: the name of its field, and its sentence. */
function errorIn(error: unknown): [string, unknown] {
  const {
    field,
    name,
    property,
    path,
    message,
    detail,
    error: text,
  } = Object(error) as Record<string, unknown>;
  const named = [field, name, property, path].find((word) => typeof word === 'string');
  return [named ?? '', message ?? detail ?? text ?? error];
}

/** `Bundles[2]` → `bundles.2`; null for a name that is not one of our fields. */
function ourName(name: string, names: Dialect['errors']['names']): string | null {
  const [, word = '', index] = /^(\w+)(?:[[.](\d+)\]?)?$/.exec(name) ?? [];
  const field =
    names === 'PascalCase' ? word.slice(0, 1).toLowerCase() + word.slice(1) : (names[word] ?? word);
  if (!Object.hasOwn(SubscriberInput.shape, field)) return null;
  return index === undefined ? field : `${field}.${index}`;
}
