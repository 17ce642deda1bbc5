import * as z from 'zod/mini';
import { pageSizes, SubscriberPage, type ListQuery } from '../../../contract/service/list-query.ts';
import type { StaffOperation } from '../../../contract/bff/permission.ts';
import { staffApi } from '../../../contract/bff/staff-api.ts';
import { Refusal } from '../../../contract/http/refusal.ts';
import { badUpstream } from '../failures.ts';
import { readJson } from '../read-json.ts';
import type { UpstreamAnswer } from '../exchange.ts';
import { valueAt } from './pointer.ts';
import type { Dialect } from './shape.ts';

/**
 * The answer of an operation that was done, in the contract's shape: taken out of its envelope, without fields that
 * the contract does not know.
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
  if (operation === 'listStatuses') return asAnswer(answer, statusesIn(json.value, dialect));
  if (operation === 'listSubscribers') return asAnswer(answer, pageIn(json.value, input, dialect));
  const record = valueAt(json.value, dialect.record);
  if (record === undefined) throw misfit([`${dialect.record} (the record)`]);
  return asAnswer(answer, fitting(staffApi[operation].answer, record));
}

/** An answer of ours in the place of the service's. */
export function asAnswer(
  answer: Pick<UpstreamAnswer, 'headers'>,
  value: unknown,
  status = 200,
): UpstreamAnswer {
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  const etag = answer.headers.get('ETag');
  const headers = new Headers({ 'Content-Type': type, ...(etag !== null && { ETag: etag }) });
  return { status, headers, bytes: new TextEncoder().encode(JSON.stringify(value)) };
}

function pageIn(body: unknown, input: unknown, { list }: Dialect): SubscriberPage {
  const { Page: page = 1, PageSize: pageSize = pageSizes.usual } = pagingOf(input);
  const [items, totalCount] = [valueAt(body, list.items), valueAt(body, list.total)];
  if (typeof totalCount !== 'number') throw misfit([`${list.total} (the total)`]);
  const totalPages = Math.ceil(totalCount / pageSize);
  return fitting(SubscriberPage, { items, page, pageSize, totalCount, totalPages });
}

// The input of a list, parsed long ago; the operation's name says so, which TypeScript does not follow.
const pagingOf = (input: unknown) => (input as { query: ListQuery }).query;

function statusesIn(body: unknown, { statuses }: Dialect): unknown {
  const items = valueAt(body, statuses.items);
  if (!Array.isArray(items)) throw misfit([`${statuses.items} (the statuses)`]);
  const list = items.map((item) => ({ id: valueAt(item, statuses.id), name: valueAt(item, statuses.name) }));
  return fitting(staffApi.listStatuses.answer, list);
}

function fitting<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const read = z.safeParse(schema, value);
  if (read.success) return read.data;
  throw misfit(read.error.issues.map(({ path }) => path.map(String).join('.') || 'the whole'));
}

/** @param places in our own names, so that nothing of the answer's text gets out */
function misfit(places: readonly string[]): Refusal {
  const some = places.slice(0, 3).join(', ');
  return new Refusal(
    'bad-upstream',
    `Its answer does not fit at ${some}. ${badUpstream().message} They may have to correct UPSTREAM_DIALECT.`,
  );
}
