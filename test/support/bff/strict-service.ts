import { Hono, type Context } from 'hono';
import * as z from 'zod/mini';
import type { Upstream } from '../../../src/bff/http/bff.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { exchangeByFetch } from '../../../src/bff/upstream/exchange.ts';
import { seedList, type SeedRow } from './seed-list.ts';

/**
 * The seed by somebody who allows only what it shows: each parameter once, in its casing and with its type; `include`
 * with one of its four values; all twelve fields in a body; JSON and nothing else. A 422 for all else, without a word
 * of why, also for a subscriber that does not exist, for pages above 50, and for a version or a key in a header.
 * Changes answer the eleven fields of the seed's only answer, and a deletion nothing.
 */
export const strictDialect = {
  operations: {
    getSubscriberByToken: { path: '/subscribers/of-token/{accessToken}' },
    regenerateToken: { path: '/subscribers/{id}/token' },
    listStatuses: { path: '/statuses' },
  },
  record: '/subscriber',
  list: { items: '/subscribers', total: '/count' },
  statuses: { items: '/statuses', id: '/id', name: '/name' },
  include: 'single',
  maxPageSize: 50,
  omittedFieldsAreReset: true,
  missingIs422: true,
} satisfies z.input<typeof Dialect>;

const lists = { bundles: z.array(z.int()), ipAddresses: words(), userAgents: words(), countries: words() };
const isoDate = z.iso.datetime();
const Body = z.strictObject({
  username: z.string().check(z.minLength(1)),
  email: z.string(),
  expiresAt: isoDate,
  maxConnections: z.int(),
  isTrial: z.boolean(),
  note: z.string(),
  hls: z.boolean(),
  mpegTs: z.boolean(),
  ...lists,
});
type Row = SeedRow & z.infer<typeof Body>;

function words() {
  return z.array(z.string());
}

const empty = {
  expiresAt: '2027-01-01T00:00:00Z',
  maxConnections: 1,
  isTrial: false,
  note: '',
  hls: true,
  mpegTs: true,
  bundles: [],
  ipAddresses: [],
  userAgents: [],
  countries: [],
};
const fieldsOf = (row: Row) => Object.fromEntries(Object.entries(row).filter(([name]) => !(name in lists)));

const digits = z.string().check(z.regex(/^[1-9]\d{0,8}$/));
const Listing = z.partial(
  z.strictObject({
    Username: z.string(),
    Email: z.string(),
    AccessToken: z.string(),
    StatusId: digits,
    Expired: z.enum(['true', 'false']),
    SortBy: z.enum(['username', 'username_desc', 'expiresAt', 'expiresAt_desc']),
    Page: digits,
    PageSize: digits.check(z.refine((text) => Number(text) <= 50)),
  }),
);
const Reading = z.partial(z.strictObject({ include: z.keyof(z.object(lists)) }));
const Form = z.strictObject({
  client_id: z.literal('strict'),
  client_secret: z.literal('s'),
  grant_type: z.literal('client_credentials'),
  scope: z.string().check(z.regex(/^(read|read write)$/)),
});

export function createStrictService({ count, now }: { count: number; now: () => number }) {
  const rows = new Map<number, Row>();
  let [ids, tokens] = [0, 0];
  const newToken = () => `9f86d081884c7d65${String((tokens += 1)).padStart(16, '0')}`;
  const add = (body: z.infer<typeof Body>) => {
    const row = { id: (ids += 1), accessToken: newToken(), status: 1, ...body };
    rows.set(row.id, row);
    return row;
  };
  for (let number = 1; number <= count; number++)
    add({ ...empty, username: `user${number}`, email: `user${number}@example.com` });

  const odd = (c: Context) => c.json({ message: 'The input parameters are incorrect.' }, 422);
  /** Goes on with what a schema allows. */
  const reads = async <T>(
    c: Context,
    schema: z.ZodMiniType<T>,
    given: unknown,
    then: (value: T) => Response | Promise<Response>,
  ) => {
    const read = schema.safeParse(given);
    return read.success ? then(read.data) : odd(c);
  };
  /** The parameters of a query; one that comes twice is no text. */
  const queryOf = (c: Context) =>
    Object.fromEntries(
      Object.entries(c.req.queries()).map(([name, values]) => [name, values.length > 1 ? values : values[0]]),
    );
  const show = (c: Context, row: Row, include?: keyof typeof lists) => {
    return c.json({ subscriber: { ...fieldsOf(row), ...(include && { [include]: row[include] }) } });
  };
  const about = (c: Context, then: (row: Row) => Response | Promise<Response>) =>
    reads(c, z.strictObject({}), c.req.method === 'GET' ? {} : queryOf(c), () => {
      const row = rows.get(Number(c.req.param('id')));
      return row ? then(row) : odd(c);
    });
  const isTaken = ({ username }: { username: string }, id?: number) =>
    [...rows.values()].some((row) => row.username === username && row.id !== id);

  const jsonOf = async (c: Context): Promise<unknown> =>
    c.req.header('Content-Type') === 'application/json' ? c.req.json() : null;

  const app = new Hono().basePath('/api');
  app.use(async (c, next) => {
    const hasOddHeader = ['If-Match', 'Idempotency-Key', 'Cookie'].some((name) => c.req.header(name));
    if (hasOddHeader || c.req.header('Accept') !== 'application/json') return odd(c);
    if (c.req.path === '/api/oauth/token') return next();
    const isRead = c.req.method === 'GET';
    const known = isRead ? ['Bearer read', 'Bearer read-write'] : ['Bearer read-write'];
    if (!known.includes(c.req.header('Authorization') ?? '')) return c.json({}, 401);
    return next();
  });
  app.post('/oauth/token', async (c) => {
    const text = await c.req.text();
    if (text === '') return c.json({}, 404);
    const form = Form.safeParse(Object.fromEntries(new URLSearchParams(text)));
    if (!form.success) return c.json({ error: 'invalid_client' }, 401);
    return c.json({ access_token: form.data.scope.replace(' ', '-'), token_type: 'bearer', expires_in: 60 });
  });
  app.get('/subscribers', (c) =>
    reads(c, Listing, queryOf(c), (query) => {
      const { items, total } = seedList(rows.values(), query, new Date(now()).toISOString(), 50);
      return c.json({
        count: total,
        subscribers: items.map(fieldsOf),
      });
    }),
  );
  app.post('/subscribers', async (c) =>
    reads(c, Body, await jsonOf(c), (body) => (isTaken(body) ? odd(c) : show(c, add(body)))),
  );
  app.get('/subscribers/:id', (c) =>
    reads(c, Reading, queryOf(c), ({ include }) => about(c, (row) => show(c, row, include))),
  );
  app.put('/subscribers/:id', (c) =>
    about(c, async (row) =>
      reads(c, Body, await jsonOf(c), (body) =>
        isTaken(body, row.id) ? odd(c) : show(c, Object.assign(row, body)),
      ),
    ),
  );
  app.delete('/subscribers/:id', (c) =>
    about(c, ({ id }) => {
      rows.delete(id);
      return c.body(null, 200);
    }),
  );
  app.get('/subscribers/of-token/:token', (c) =>
    reads(c, Reading, queryOf(c), ({ include }) => {
      const row = [...rows.values()].find(({ accessToken }) => accessToken === c.req.param('token'));
      return row ? show(c, row, include) : odd(c);
    }),
  );
  app.post('/subscribers/:id/token', (c) =>
    about(c, (row) => show(c, Object.assign(row, { accessToken: newToken() }))),
  );
  app.get('/statuses', (c) =>
    reads(c, z.strictObject({}), queryOf(c), () =>
      c.json({
        statuses: [
          { id: 1, name: 'Active' },
          { id: 2, name: 'Suspended' },
        ],
      }),
    ),
  );
  return { rows, fetch: async (request: Request) => app.fetch(request) };
}

/** The BFF's way to it, with changes to the dialect. */
export function strictUpstream(
  fetch: (request: Request) => Promise<Response>,
  change: object = {},
): Upstream {
  const dialect = Dialect.parse({ ...strictDialect, ...change });
  return {
    clientId: 'strict',
    clientSecret: 's',
    scopes: { read: 'read', write: 'write' },
    baseUrl: 'https://strict.example/api',
    exchange: exchangeByFetch(fetch),
    extensions: dialect.extensions,
    dialect,
  };
}
