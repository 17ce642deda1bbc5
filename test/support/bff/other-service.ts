import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import type { Upstream } from '../../../src/bff/http/bff.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { exchangeByFetch } from '../../../src/bff/upstream/exchange.ts';
import { ListQuery } from '../../../src/contract/service/list-query.ts';
import { createDefaults, type SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import { listNames } from '../../../src/contract/service/limits.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { inventUsernames } from '../../../src/service/samples/people.ts';
import { inventSubscriber } from '../../../src/service/samples/subscriber.ts';
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

/** It takes no extension. */
const SeedQuery = z.omit(ListQuery, {
  IsTrial: true,
  StatusIds: true,
  AfterId: true,
  ExpiresFrom: true,
  ExpiresTo: true,
  include: true,
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

const states = [
  { Code: 10, Label: 'Active', Colour: 'green' },
  { Code: 20, Label: 'On hold', Colour: 'amber' },
  { Code: 30, Label: 'Closed', Colour: 'red' },
];

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
 * A service that follows the seed document and differs from ours in everything that it leaves open: paths, methods,
 * envelope, error fields, 422 for missing subscribers, fields that are reset when left out of an update, no extensions,
 * no versions, fields of its own, statuses of its own.
 */
export function createOtherService({ count, now }: { count: number; now: () => number }) {
  const seeded = createSeededRandom(2);
  const newToken = () => Buffer.from(seeded.bytes(32)).toString('base64url');
  const customers = new Map<number, Customer>();
  const add = (input: SubscriberInput, status = 10) => {
    const id = Math.max(0, ...customers.keys()) + 1;
    const own = { internalScore: 7, passportNumber: 'canary-passport' };
    const customer = { id, accessToken: newToken(), ...input, status, ...own };
    customers.set(id, customer);
    return customer;
  };
  for (const username of inventUsernames(seeded, count))
    add(inventSubscriber(seeded, username, now()), seeded.one(states).Code);
  const requests: { method: string; path: string; query: Record<string, string>; body: unknown }[] = [];
  const app = new Hono();

  app.post('/oauth/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const { clientId, clientSecret, scopes } = otherCredentials;
    const known = form.get('client_id') === clientId && form.get('client_secret') === clientSecret;
    const asked = (form.get('scope') ?? '').split(' ');
    const allowed = asked.every((scope) => Object.values<string>(scopes).includes(scope));
    if (!known || !allowed) return c.json({ error: 'invalid_client' }, 401);
    return c.json({
      access_token: `token for ${asked.join('+')}`.replaceAll(' ', '-'),
      token_type: 'bearer',
    });
  });
  app.use('/v2/*', async (c, next) => {
    const scope = c.req.method === 'GET' ? 'customers.look' : 'customers.alter';
    if (!c.req.header('Authorization')?.includes(scope)) return c.json({ Message: 'Who are you?' }, 401);
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
    const input = await readInput(c, null);
    if (!input.ok) return input.answer;
    return c.json({ Data: add({ ...emptyFields, ...input.body }) }, 201);
  });
  app.get('/v2/customers/id/:id', (c) =>
    about(c, (one) => c.json({ Data: show(one, c.req.query('include')) })),
  );
  app.patch('/v2/customers/id/:id', (c) =>
    about(c, async (one) => {
      const input = await readInput(c, one.id);
      if (!input.ok) return input.answer;
      Object.assign(one, emptyFields, input.body);
      return c.json({ Data: one });
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

  /** Faults of an input, by names of its own and in sentences that people may read. */
  async function readInput(c: Context, id: number | null) {
    const body = await c.req.json<SubscriberInput>();
    const errors: Record<string, string | string[]> = {};
    const taken = [...customers.values()].some(
      (one) => one.id !== id && one.username.toLowerCase() === body.username?.toLowerCase(),
    );
    if (!body.username) errors['Username'] = ['Give a username.'];
    if (taken) errors['Username'] = ['Username already taken.'];
    if (!body.email?.includes('@')) errors['Email'] = 'Give an address.';
    body.bundles?.forEach((bundle, index) => {
      if (bundle > 900) errors[`Bundles[${index}]`] = ['There is no such bundle.'];
    });
    if (body.note?.includes('forbidden')) errors['Policy'] = ['Our policy does not allow this note.'];
    const ok = Object.keys(errors).length === 0;
    return { ok, body, answer: c.json({ Message: 'canary: no', Errors: errors }, 422) };
  }

  return { fetch: async (request: Request) => app.fetch(request), customers, requests };
}
