import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import type { Upstream } from '../../../src/bff/http/bff.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { exchangeByFetch } from '../../../src/bff/upstream/exchange.ts';
import { ListQuery } from '../../../src/contract/service/list-query.ts';
import { createDefaults, SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { inventUsernames, inventSubscriber } from '../../../src/service/samples/subscriber.ts';
import { person } from '../people.ts';
import { listOf } from '../service/list-as-array.ts';

/** Differences of the other service, as its operator would write them into the file that UPSTREAM_DIALECT names. */
export const otherDialect = {
  operations: {
    listSubscribers: { path: '/v2/customers/search' },
    createSubscriber: { path: '/v2/customers/new' },
    getSubscriber: { path: '/v2/customers/id/{id}' },
    updateSubscriber: { method: 'PATCH', path: '/v2/customers/id/{id}' },
    deleteSubscriber: { method: 'POST', path: '/v2/customers/id/{id}/remove' },
    getSubscriberByToken: { path: '/v2/tokens/{accessToken}/owner' },
    regenerateToken: { method: 'PUT', path: '/v2/tokens/of/{id}' },
    listStatuses: { path: '/v2/states' },
  },
  record: '/Data',
  list: { items: '/Data', total: '/Meta/Total' },
  statuses: { items: '/Data', id: '/Code', name: '/Label' },
  errors: { fields: '/Errors', names: 'PascalCase' },
  omittedFieldsAreReset: true,
  missingIs422: true,
} satisfies z.input<typeof Dialect>;

export const otherCredentials = {
  clientId: 'desk-there',
  clientSecret: 'canary-other-secret',
  scopes: { read: 'customers.look', write: 'customers.alter' },
};

/** Further differences of one that is strict. */
export const strictly = { include: 'single', maxPageSize: 50 } satisfies z.input<typeof Dialect>;

/** It takes no extension. */
const SeedQuery = z.pick(ListQuery, {
  Username: true,
  Email: true,
  AccessToken: true,
  StatusId: true,
  Expired: true,
  SortBy: true,
  Page: true,
  PageSize: true,
});

const Listing = z.strictObject(SeedQuery.shape);
const Reading = z.strictObject({ include: z.optional(z.enum(listNames)) });
const Nothing = z.strictObject({});

const { clientId, clientSecret, scopes } = otherCredentials;
const allowed: readonly string[] = Object.values(scopes);
const Form = z.strictObject({
  grant_type: z.literal('client_credentials'),
  client_id: z.literal(clientId),
  client_secret: z.literal(clientSecret),
  scope: z.string().check(z.refine((text) => text.split(' ').every((scope) => allowed.includes(scope)))),
});

/** The BFF's way to it, with changes to the dialect. */
export function otherUpstream(fetch: (request: Request) => Promise<Response>, change: object = {}): Upstream {
  const dialect = Dialect.parse({ ...otherDialect, ...change });
  const exchange = exchangeByFetch(fetch);
  return {
    ...otherCredentials,
    exchange,
    baseUrl: 'https://other.example',
    extensions: dialect.extensions,
    dialect,
  };
}

/** A record of the other service, with what is its own business. */
type Customer = SubscriberDetail & { internalScore: number; passportNumber: string };

/** Values of fields that nobody fills in, on creation and on update alike. */
const emptyFields = { ...createDefaults, hls: false, mpegTs: false };

/** The record as it is shown: lists only where they are asked for. */
const show = (customer: Customer, include = '') =>
  Object.fromEntries(
    Object.entries(customer).filter(
      ([name]) => include.split(',').includes(name) || !listNames.some((list) => list === name),
    ),
  );

/**
 * True if a request has no more than the seed shows, and all of it: each parameter once and in its casing, `include`
 * with one of its four values, all twelve fields in a body, JSON and nothing else, and no version or key in a header.
 */
async function isOfSeed({ req }: Context): Promise<boolean> {
  const { method, path } = req;
  const isRead = method === 'GET' && !path.endsWith('/states');
  const Query = path.endsWith('/search') ? Listing : isRead ? Reading : Nothing;
  const hasBody = method === 'PATCH' || path.endsWith('/new');
  const isJson = req.header('Content-Type') === 'application/json';
  const body: unknown = isJson ? await req.json() : await req.text();
  return (
    req.header('Accept') === 'application/json' &&
    !['If-Match', 'Idempotency-Key', 'Cookie'].some((name) => req.header(name)) &&
    Number(req.query('PageSize') ?? 0) <= strictly.maxPageSize &&
    Object.values(req.queries()).every(({ length }) => length === 1) &&
    Query.safeParse(req.query()).success &&
    (hasBody ? SubscriberInput.safeParse(body).success : body === '')
  );
}

/**
 * A service that follows the seed document and differs from ours in everything that it leaves open: paths, methods,
 * envelope, error fields, 422 for missing subscribers, fields that are reset when left out of an update, no extensions,
 * no versions, fields of its own, statuses of its own.
 *
 * @param options.strict true if it refuses, without a word of why, whatever is not as the seed shows it
 */
export function createOtherService(
  { count, now }: { count: number; now: () => number },
  { strict = false } = {},
) {
  const seeded = createSeededRandom(2);
  const states = ['Active', 'On hold', 'Closed'].map((Label, index) => ({
    // The suite that all services pass takes 1 for the status of a new subscriber.
    Code: (index + 1) * (strict ? 1 : 10),
    Label,
    Colour: 'green',
  }));
  const newToken = () => Buffer.from(seeded.bytes(32)).toString('base64url');
  const customers = new Map<number, Customer>();
  const add = (input: SubscriberInput, status = states[0]?.Code ?? 0) => {
    const id = Math.max(0, ...customers.keys()) + 1;
    const own = { internalScore: 7, passportNumber: 'canary-passport' };
    const customer = { id, accessToken: newToken(), ...input, status, ...own };
    customers.set(id, customer);
    return customer;
  };
  if (strict) for (let id = 1; id <= count; id += 1) add(person(`user${id}`));
  else
    for (const username of inventUsernames(seeded, count))
      add(inventSubscriber(seeded, username, now()), seeded.one(states).Code);
  const requests: { method: string; path: string; query: Record<string, string>; body: unknown }[] = [];
  const app = new Hono();

  app.post('/oauth/token', async (c) => {
    const form = Form.safeParse(Object.fromEntries(new URLSearchParams(await c.req.text())));
    if (!form.success) return c.json({ error: 'invalid_client' }, 401);
    const requested = form.data.scope.replaceAll(' ', '+');
    return c.json({ access_token: `token-for-${requested}`, token_type: 'bearer' });
  });
  app.use('/v2/*', async (c, next) => {
    const scope = c.req.method === 'GET' ? 'customers.look' : 'customers.alter';
    if (!c.req.header('Authorization')?.includes(scope)) return c.json({ Message: 'Who are you?' }, 401);
    if (strict && !(await isOfSeed(c))) return c.json({ Message: 'The input is incorrect.' }, 422);
    const body: unknown = await c.req.json().catch(() => null);
    requests.push({ method: c.req.method, path: c.req.path, query: c.req.query(), body });
    await next();
  });

  app.get('/v2/customers/search', (c) => {
    const query = SeedQuery.parse({ PageSize: '10', ...c.req.query() });
    const { items, totalCount } = listOf([...customers.values()], query, now());
    const page = items.map((one) => show(one));
    return c.json({ Data: page, Meta: { Total: totalCount, TookMs: 3 } });
  });
  app.post('/v2/customers/new', async (c) => {
    const body = await c.req.json<SubscriberInput>();
    return refusal(c, body) ?? c.json(changed(add({ ...emptyFields, ...body })), 201);
  });
  app.get('/v2/customers/id/:id', (c) =>
    about(c, (one) => c.json({ Data: show(one, c.req.query('include')) })),
  );
  app.patch('/v2/customers/id/:id', (c) =>
    about(c, async (one) => {
      const body = await c.req.json<SubscriberInput>();
      return refusal(c, body, one.id) ?? c.json(changed(Object.assign(one, emptyFields, body)));
    }),
  );
  app.post('/v2/customers/id/:id/remove', (c) =>
    about(c, (one) => c.json({ Data: { Removed: customers.delete(one.id) } })),
  );
  app.get('/v2/tokens/:token/owner', (c) => {
    const one = [...customers.values()].find(({ accessToken }) => accessToken === c.req.param('token'));
    return one ? c.json({ Data: show(one, c.req.query('include')) }) : missing(c);
  });
  app.put('/v2/tokens/of/:id', (c) =>
    about(c, (one) => {
      one.accessToken = newToken();
      return c.json({ Data: show(one) });
    }),
  );
  app.get('/v2/states', (c) => c.json({ Data: states }));

  const missing = (c: Context) => c.json({ Message: 'canary: nobody there', Errors: {} }, 422);
  const about = async (c: Context, then: (one: Customer) => Response | Promise<Response>) => {
    const one = customers.get(Number(c.req.param('id')));
    return one ? then(one) : missing(c);
  };

  /** Only a lenient one answers lists that nobody asked for. */
  const changed = (one: Customer) => ({ Data: strict ? show(one) : one });
  /** In its own words and by its own names, which people may read. */
  const refusal = (c: Context, { username }: Partial<SubscriberInput>, id?: number) =>
    [...customers.values()].some(
      (one) => one.id !== id && one.username.toLowerCase() === username?.toLowerCase(),
    )
      ? c.json({ Message: 'canary: no', Errors: { Username: ['Username already taken.'] } }, 422)
      : null;

  return { fetch: async (request: Request) => app.fetch(request), customers, requests };
}
