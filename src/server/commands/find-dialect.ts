import type { BffDeps } from '../../bff/deps.ts';
import { createCaller } from '../../bff/upstream/caller.ts';
import { Dialect, headerIn, valueAt } from '../../bff/upstream/dialect/shape.ts';
import type { RequestName, UpstreamAnswer } from '../../bff/upstream/exchange.ts';
import type { UpstreamOperation } from '../../contract/bff/permission.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { OperationInput } from '../../contract/service/api.ts';
import { pageSizes } from '../../contract/service/list-rules.ts';
import { listNames } from '../../contract/service/limits.ts';
import { unlikelyId } from './upstream-reads.ts';

type Deps = Pick<BffDeps, 'upstream' | 'clock' | 'random'>;

/** An answer as it came, with its body parsed. */
interface Seen extends Pick<UpstreamAnswer, 'headers' | 'status'> {
  body: unknown;
}

/**
 * Finds how the answers of a running service differ from the contract: where things are in them, how lists are asked for,
 * the largest page, and where the client's credentials go. Paths and methods cannot be found. What the given dialect reads
 * stays as it is, such as the numbers of statuses, which no answer shows. Only reads.
 *
 * @returns null if no answer shows anything, such as without a token
 */
export async function findDialect(deps: Deps): Promise<Dialect | null> {
  const given = deps.upstream.dialect ?? Dialect.parse({});
  let dialect = given;
  const learn = (found: Partial<Dialect>) => (dialect = { ...dialect, ...found });
  /** Makes a read, and returns every answer to it, and whether it was usable. */
  const look = <N extends UpstreamOperation>(operation: N, input: OperationInput<N>, changed = dialect) =>
    seenOf({ ...deps, upstream: { ...deps.upstream, dialect: changed } }, operation, input);

  const getsToken = async (token: Dialect['token']) =>
    (await look('listStatuses', {}, { ...dialect, token })).answers.has('listStatuses');
  const basic = { ...dialect.token, credentials: 'basic' } as const;
  if (!(await getsToken(dialect.token)) && (await getsToken(basic))) learn({ token: basic });

  const known = await look('listStatuses', {});
  const statuses = statusesShape(known.answers.get('listStatuses')?.at(-1)?.body);
  const { active } = given.statuses;
  if (statuses && !known.isUsable)
    learn({ statuses: { ...statuses, ...(active !== undefined && { active }) } });

  const lookAtPage = async (PageSize: number) => {
    const input = { query: { Page: 1, PageSize } };
    const { answers } = await look('listSubscribers', input, { ...dialect, maxPageSize: undefined });
    const list = answers.get('listSubscribers')?.at(-1);
    return list?.status === 200 ? listShape(list, given.list) : null;
  };
  // A service may answer fewer than it is asked for, or refuse.
  let size: number = pageSizes.most;
  let shape = await lookAtPage(size);
  while (!shape && size > pageSizes.usual) shape = await lookAtPage((size /= 2));
  if (!shape) return dialect === given ? null : dialect;
  learn({ list: { items: shape.items, total: shape.total } });
  const most =
    shape.rows.length > 0 && shape.rows.length < Math.min(shape.count, size) ? shape.rows.length : size;
  if (most < pageSizes.most) learn({ maxPageSize: most });

  const id = Number(Object(shape.rows[0]).id);
  if (!Number.isSafeInteger(id)) return dialect;
  const params = { id };
  const one = await look('getSubscriber', { params, query: {} });
  const { body } = one.answers.get('getSubscriber')?.at(-1) ?? {};
  const record = one.isUsable ? dialect.record : pointerTo(body, (value) => Object(value).id !== undefined);
  if (record === null) return dialect;
  learn({ record });
  const nobody = { params: { id: unlikelyId }, query: {} };
  const missing = (await look('getSubscriber', nobody)).answers.get('getSubscriber')?.at(-1)?.status ?? 0;
  // A service that fails says nothing about it.
  if ([404, 422].includes(missing)) learn({ missingIs422: missing === 422 });

  /** Number of lists that come, in one answer or several. */
  const listsBy = async (include: Dialect['include']) => {
    const input = { params, query: { include: [...listNames] } };
    const { answers } = await look('getSubscriber', input, { ...dialect, include });
    const bodies = (answers.get('getSubscriber') ?? []).map(
      ({ body }) => Object(valueAt(body, record)) as object,
    );
    return listNames.filter((name) => bodies.some((body) => name in body)).length;
  };
  const [comma, repeat, single] = [await listsBy('comma'), await listsBy('repeat'), await listsBy('single')];
  // A service may leave out empty lists, so one that answers two understands several names.
  if (comma > 1) return comma === listNames.length ? dialect : learn({ include: 'comma' });
  if (repeat > 1) return learn({ include: 'repeat' });
  return single > 1 ? learn({ include: 'single' }) : dialect;
}

/** Nobody compares the versions that a check computes. */
export const keyOfNobody = ({ random }: Pick<Deps, 'random'>) => toBase64url(random(32));

async function seenOf<N extends UpstreamOperation>(deps: Deps, operation: N, input: OperationInput<N>) {
  const seen = new Map<RequestName, Seen[]>();
  const { exchange } = deps.upstream;
  const watched: typeof exchange = async (request) => {
    const { status, headers, bytes } = await exchange(request);
    const before = seen.get(request.operation) ?? [];
    seen.set(request.operation, [...before, { status, headers, body: parse(bytes) }]);
    return { status, headers, bytes };
  };
  const caller = createCaller({
    ...deps,
    upstream: { ...deps.upstream, exchange: watched },
    journalKey: keyOfNobody(deps),
    log: () => undefined,
  });
  try {
    await caller.call(operation, input, { role: 'viewer', requestId: 'check-upstream' });
    return { answers: seen, isUsable: true };
  } catch (error) {
    // What the answer looks like is the question, so it need not be usable.
    if (!(error instanceof Problem)) throw error;
    return { answers: seen, isUsable: false };
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/** The pointer to the first value of which something holds: the whole, in it, or one level deeper. */
function pointerTo(body: unknown, holds: (value: unknown) => boolean): string | null {
  return placesIn(body).find((pointer) => holds(valueAt(body, pointer))) ?? null;
}

function placesIn(body: unknown, depth = 2): string[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || depth === 0) return [''];
  const within = Object.entries(body).map(([name, value]) =>
    placesIn(value, depth - 1).map((rest) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${rest}`),
  );
  return ['', ...within.flat()].toSorted((a, b) => a.split('/').length - b.split('/').length);
}

const totalHeaders = ['X-Total-Count', 'Content-Range'];

/** @param given where the list was until now, which stays where it can be read there */
function listShape({ body, headers }: Seen, given: Dialect['list']) {
  const isThere = Array.isArray(valueAt(body, given.items));
  const items = isThere ? given.items : pointerTo(body, Array.isArray);
  if (items === null) return null;
  const countAt = (total: string) => {
    const header = headerIn(total);
    const written = header === null ? valueAt(body, total) : headers.get(header)?.split('/').at(-1);
    return isCount(written) ? Number(written) : null;
  };
  const inBody = placesIn(body).filter((pointer) => /total|count/i.test(pointer.split('/').at(-1) ?? ''));
  const inHeaders = totalHeaders.map((name) => `header:${name}`);
  const total = [given.total, ...inBody, ...inHeaders].find((place) => countAt(place) !== null);
  if (total === undefined) return null;
  return { items, total, count: countAt(total) ?? 0, rows: valueAt(body, items) as readonly unknown[] };
}

const isCount = (value: unknown) => /^\d+$/.test(String(value));

function statusesShape(body: unknown): Dialect['statuses'] | null {
  const items = pointerTo(body, Array.isArray);
  const all = items === null ? [] : (valueAt(body, items) as readonly unknown[]);
  const [first] = all;
  if (items !== null && typeof first === 'string') {
    // Their numbers nobody but the operator knows, so these are a beginning.
    const ids = Object.fromEntries(all.map((word, index) => [String(word), index + 1]));
    return { items, id: '/id', name: '', ids };
  }
  const names = Object.keys(Object(first));
  const id = names.find((name) => /^(id|code|value|key)$/i.test(name));
  const name = names.find((word) => /^(name|label|title|text|description)$/i.test(word));
  return items === null || !id || !name ? null : { items, id: `/${id}`, name: `/${name}` };
}
