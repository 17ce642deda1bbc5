import { Hono, type Context } from 'hono';
import type { Upstream } from '../../../../src/bff/bff.ts';
import type { Dialect } from '../../../../src/bff/upstream/dialect/shape.ts';
import { exchangeByFetch } from '../../../../src/bff/upstream/exchange.ts';
import {
  emptyFields,
  inventCustomers,
  newCustomer,
  newToken,
  search,
  show,
  states,
  type Customer,
} from './customers.ts';

export const otherBase = 'https://other.example';
export const otherCredentials = {
  clientId: 'desk-there',
  clientSecret: 'canary-other-secret',
  scopes: { read: 'customers.look', write: 'customers.alter' },
};

/** The BFF's way to it. */
export const otherUpstream = (
  fetch: (request: Request) => Promise<Response>,
  dialect: Dialect,
): Upstream => ({
  ...otherCredentials,
  exchange: exchangeByFetch(fetch),
  baseUrl: otherBase,
  extensions: dialect.extensions,
  dialect,
});

/**
 * A service that follows the seed document and differs from ours in everything that it leaves open: paths, methods,
 * envelope, error fields, 422 for missing subscribers, fields that are reset when left out of an update, no extensions,
 * no versions, fields of its own, statuses of its own.
 */
export function createOtherService(options: {
  count: number;
  now: () => number;
  random: (n: number) => Uint8Array;
}) {
  const { count, now, random } = options;
  const customers = inventCustomers(count, now());
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
    const query = c.req.query();
    const found = search(customers.values(), query, now());
    const size = Number(query['PageSize'] ?? 10);
    const start = (Number(query['Page'] ?? 1) - 1) * size;
    const page = found.slice(start, start + size).map((one) => show(one, undefined));
    return c.json({ Data: page, Meta: { Total: found.length, TookMs: 3 } });
  });
  app.post('/v2/customers/new', async (c) => {
    const input = await readInput(c, null);
    if (!input.ok) return input.answer;
    const id = Math.max(0, ...customers.keys()) + 1;
    customers.set(id, newCustomer(id, input.body, newToken(random(32))));
    return c.json({ Data: customers.get(id) }, 201);
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
      one.accessToken = newToken(random(32));
      return c.json({ Data: show(one, undefined) });
    }),
  );
  app.get('/v2/states', (c) => c.json({ Data: states }));

  const missing = (c: Context) => c.json({ Message: 'canary: nobody there', Errors: {} }, 422);
  const about = async (c: Context, then: (one: Customer) => Response | Promise<Response>) => {
    const one = customers.get(Number(c.req.param('id')));
    return one ? then(one) : missing(c);
  };

  /** What is wrong with an input, by names of its own and in sentences that people may read. */
  async function readInput(c: Context, id: number | null) {
    const body = await c.req.json<Partial<Customer>>();
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
