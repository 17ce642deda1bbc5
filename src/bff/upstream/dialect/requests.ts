import { readIfMatch } from '../../../contract/http/change-headers.ts';
import type { Reply } from '../../../contract/http/client.ts';
import { toPage } from '../../../contract/http/shapes.ts';
import { api, isChange, type OperationInput } from '../../../contract/service/api.ts';
import { pageSizes } from '../../../contract/service/list-rules.ts';
import type { ListQuery, SubscriberPage } from '../../../contract/service/list-query.ts';
import { nextWindow } from '../../../contract/service/scan.ts';
import { enteredFields, type UpdateBody } from '../../../contract/service/subscriber-input.ts';
import { listNames, type ListName } from '../../../contract/service/limits.ts';
import {
  Subscriber,
  SubscriberDetail,
  type SubscriberWithLists,
} from '../../../contract/service/subscriber.ts';
import type { UpstreamOperation } from '../../../contract/bff/permission.ts';
import { invalidField, Problem } from '../../../contract/http/problem.ts';
import { withOperations, type CallContext, type Caller, type Operations, type ReplyTo } from '../call.ts';
import { RefusedByService, upstreamTimeout } from '../failures.ts';
import type { Dialect } from './shape.ts';

/** Makes the calls that a service with a dialect needs for one operation, so that the caller sees only the contract. */
export function translateCalls(caller: Caller, dialect: Dialect): Caller {
  const getSubscriber: Operations['getSubscriber'] = (input, context) =>
    byInclude(input.query, (query) => caller.call('getSubscriber', { ...input, query }, context));
  const getSubscriberByToken: Operations['getSubscriberByToken'] = (input, context) =>
    byInclude(input.query, (query) => caller.call('getSubscriberByToken', { ...input, query }, context));
  const byInclude = dialect.include === 'single' ? readEach : readOnce;

  /** Reads a subscriber as it is now, with all lists. */
  const read = (id: number, context: CallContext) =>
    getSubscriber({ params: { id }, query: { include: [...listNames] } }, { ...context, ifMatch: null });

  /** An update by the contract's rules: omitted fields keep their values, and a missing subscriber is a 404. */
  const update: Operations['updateSubscriber'] = async (input, context) => {
    if (!dialect.omittedFieldsAreReset || isWhole(input.body)) return sendUpdate(input, context);
    const before = await read(input.params.id, context);
    // Bound to the version that the other fields come from, if the service has versions.
    const { ifMatch: given = null } = context;
    const ifMatch = readIfMatch(given) === null ? before.etag : given;
    const body = { ...inputOf(before.data), ...input.body };
    return sendUpdate({ ...input, body }, { ...context, ifMatch });
  };

  const sendUpdate: Operations['updateSubscriber'] = async (input, context) => {
    // It is as it was read, so what the service has is not known.
    if (input.body.expiresAt === '') throw invalidField('expiresAt', noExpiry);
    try {
      return await caller.call('updateSubscriber', input, context);
    } catch (error) {
      // A 422 without fields may mean that the subscriber does not exist.
      const mayBeMissing = dialect.missingIs422 && error instanceof RefusedByService && error.status === 422;
      if (mayBeMissing && !error.particulars.errors)
        await read(input.params.id, context).catch((other: unknown) => {
          if (other instanceof Problem && other.code === 'no-such-subscriber') throw other;
        });
      throw error;
    }
  };

  /** A page that is larger than the service's largest, in parts. */
  const listInParts: Operations['listSubscribers'] = async ({ query }, context) => {
    const { Page = 1, PageSize = pageSizes.usual, AfterId, Near } = query;
    const most = dialect.maxPageSize ?? PageSize;
    // The two have no pages.
    const place = AfterId === undefined && Near === undefined ? { Page } : {};
    const read = (part: Partial<ListQuery>) =>
      caller.call('listSubscribers', { query: { ...query, ...place, PageSize, ...part } }, context);
    if (PageSize <= most) return read({});
    const { items, totalCount } =
      AfterId === undefined
        ? await joinPages(read, { skipped: (Page - 1) * PageSize, size: PageSize, most })
        : await joinAfter(read, { after: AfterId, size: PageSize, most });
    return { data: toPage(items, { page: Page, pageSize: PageSize, totalCount }), etag: null };
  };

  return withOperations(caller, {
    // Always with the page and its size, because another service may have other defaults.
    listSubscribers: listInParts,
    getSubscriber,
    getSubscriberByToken,
    updateSubscriber: update,
  });
}

type ReadPart = (part: Partial<ListQuery>) => Promise<Reply<SubscriberPage>>;

/** The next rows after an id, in parts that begin each after the last of the one before. */
async function joinAfter(
  read: ReadPart,
  { after, size, most }: { after: number; size: number; most: number },
): Promise<Rows> {
  const items: Subscriber[] = [];
  for (;;) {
    const { data } = await read({ AfterId: items.at(-1)?.id ?? after, PageSize: most });
    items.push(...data.items.slice(0, size - items.length));
    if (data.items.length < most || items.length >= size) return { items, totalCount: items.length };
  }
}

/**
 * The rows from a place on, in parts that each have the last row of the one before: others may be deleted meanwhile, and the
 * rows behind them move. Where that happens twice, there are fewer rows; a scan then goes on by smaller pages.
 */
async function joinPages(
  read: ReadPart,
  { skipped, size, most }: { skipped: number; size: number; most: number },
): Promise<Rows> {
  for (let attempt = 1; ; attempt += 1) {
    const items: Subscriber[] = [];
    for (;;) {
      const { page, pageSize, start } = nextPart(skipped, items.length, most);
      const { data } = await read({ Page: Math.min(page, Number.MAX_SAFE_INTEGER), PageSize: pageSize });
      const last = start < skipped + items.length ? items.at(-1) : undefined;
      const known = last ? data.items.findIndex(({ id }) => id === last.id) + 1 : 0;
      const hasMoved = last !== undefined && known === 0;
      if (hasMoved && attempt === 1) break;
      const from = items.length === 0 ? skipped - start : known;
      const added = hasMoved ? [] : data.items.slice(from, from + size - items.length);
      items.push(...added);
      if (added.length === 0 || data.items.length < pageSize || items.length >= size)
        return { items, totalCount: data.totalCount };
    }
  }
}

/** The page that goes on where these rows end, from the last of them on; from behind them where no page has it and more. */
function nextPart(skipped: number, rows: number, most: number) {
  const end = skipped + rows;
  const { page, size: pageSize, start } = nextWindow(rows === 0 ? end + 1 : end, most);
  return start + pageSize > end ? { page, pageSize, start } : { page: page + 1, pageSize, start: end };
}

interface Rows {
  items: Subscriber[];
  totalCount: number;
}

type Included = { include?: ListName[] | undefined };
type Read = (query: Included) => Promise<Reply<SubscriberWithLists>>;

const readOnce = (query: Included, read: Read) => read(query);

/** Reads a subscriber with each of the lists by itself, until all are of the same version. */
async function readEach(query: Included, read: Read): Promise<Reply<SubscriberWithLists>> {
  const { include = [] } = query;
  if (include.length < 2) return read(query);
  for (let attempt = 0; attempt < 3; attempt++) {
    const replies = await Promise.all(include.map((name) => read({ include: [name] })));
    const versions = replies.map(({ data, etag }) => JSON.stringify([etag, Subscriber.parse(data)]));
    // All are the same record with another list each.
    const data = Object.assign({}, ...replies.map((reply) => reply.data)) as SubscriberWithLists;
    if (new Set(versions).size === 1) return { data, etag: replies[0]?.etag ?? null };
  }
  throw new Problem('busy', 'The subscriber changes while it is read. Try again in a moment.');
}

/**
 * Adds what an answer to a change lacks: its lists, or all but its id. It is read again, because a service may put what was
 * sent into an order or a spelling of its own; of what was deleted it is as before. A server that is read may not know of the
 * change yet: what the answer to the change says counts more, and its lists are then as they were sent.
 */
export function completeAnswers(caller: Caller): Caller {
  return {
    ...caller,
    async call<N extends UpstreamOperation>(operation: N, input: OperationInput<N>, context: CallContext) {
      const reply = await caller.call(operation, input, context);
      if (!isChange(api[operation])) return reply;
      const data = reply.data as Partial<SubscriberDetail>;
      const fields = operation === 'regenerateToken' ? Subscriber.shape : SubscriberDetail.shape;
      if (Object.keys(fields).every((name) => name in data)) return reply;
      const { id = data.id } = ('params' in input ? input.params : {}) as { id?: number };
      if (operation === 'deleteSubscriber') {
        if (reply.isUnclear) await expectGone(caller, Number(id), context);
        return { ...reply, data: { ...context.before, ...data } } as ReplyTo<N>;
      }
      // Without an id, the journal looks for what was created, as it does where no answer came.
      if (id === undefined) throw upstreamTimeout();
      const sent = 'body' in input ? (input.body as Partial<SubscriberDetail>) : {};
      const asSent = SubscriberDetail.safeParse({
        ...pickLists({ ...context.before, ...sent }),
        ...data,
      }).data;
      // The answer to this read is what the change's should have been.
      const query = operation === 'regenerateToken' ? {} : { include: [...listNames] };
      try {
        const whole = await caller.call(
          'getSubscriber',
          { params: { id }, query },
          { ...context, ifMatch: null },
        );
        const isOlder = asSent && compared.some((name) => whole.data[name] !== asSent[name]);
        return (isOlder ? { ...reply, data: asSent } : { ...whole, isReadAfter: true }) as ReplyTo<N>;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (asSent) return { ...reply, data: asSent } as ReplyTo<N>;
        // The change was made, so no refusal of this read may stand for its own. It may only not be seen yet.
        throw upstreamTimeout();
      }
    },
  };
}

/** @throws {Problem} `upstream-timeout` if the subscriber is there, perhaps only for a moment, or nobody knows */
async function expectGone(caller: Caller, id: number, context: CallContext): Promise<void> {
  const read = caller.call('getSubscriber', { params: { id }, query: {} }, { ...context, ifMatch: null });
  const failure: unknown = await read.then(
    () => null,
    (error: unknown) => error,
  );
  if (!(failure instanceof Problem && failure.code === 'no-such-subscriber')) throw upstreamTimeout();
}

/** The fields by which a record is seen to be older than an answer. A service may mask tokens in one of both. */
const compared = (Object.keys(Subscriber.shape) as (keyof Subscriber)[]).filter(
  (name) => name !== 'accessToken',
);

const pickLists = (record: Partial<SubscriberDetail>) =>
  Object.fromEntries(listNames.map((name) => [name, record[name]]));

const noExpiry = 'What the subscriber service has can’t be read. Enter a date.';

const isWhole = (body: UpdateBody) => enteredFields.every((field) => body[field] !== undefined);

/** The fields of a record that staff enter, without those that the service adds. */
function inputOf(record: SubscriberWithLists): UpdateBody {
  return Object.fromEntries(enteredFields.map((field) => [field, record[field]]));
}
