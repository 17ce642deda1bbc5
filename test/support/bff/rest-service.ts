import { Hono, type Context } from 'hono';
import type { Upstream } from '../../../src/bff/http/bff.ts';
import { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { exchangeByFetch } from '../../../src/bff/upstream/exchange.ts';

/**
 * The seed as a framework of some years ago makes it: lists as bare arrays with the total in a header, at most 100 on a
 * page, times without a zone, null where there is nothing, digits as text and 0 or 1 as switches where they were so in
 * its database, related lists only where they are asked for, eleven fields after each change, nothing after a deletion,
 * a 400 with a list of errors, and a token for Basic credentials.
 */
export const restDialect = {
  record: '',
  list: { items: '', total: 'header:X-Total-Count' },
  statuses: { items: '/data', id: '/id', name: '/label' },
  errors: { fields: '/errors', names: {} },
  include: 'repeat',
  maxPageSize: 100,
  timeZone: 'Europe/Oslo',
  token: { credentials: 'basic', scopes: 'commas', audience: 'subscribers' },
} as const;

/** Where it names its bundles. */
export const restBundles = { path: '/packages', items: '/data', number: '/code', name: '/title' };

/** Ways of the service to take `include`, to answer changes, and to name statuses. */
export interface RestHabits {
  include: 'comma' | 'repeat' | 'single';
  changes?: 'fields' | 'location' | 'nothing';
  statuses?: 'labels' | 'words';
}

interface Row extends Record<string, unknown> {
  id: number;
  accessToken: string;
  username: string;
  email: string | null;
  /** On the clock of its server. */
  expiresAt: string;
  status: number;
}

const lists = ['bundles', 'ipAddresses', 'userAgents', 'countries'];

/** The clock of its server: 2027-01-01T00:00:00Z is 1:00 of that day. */
const localTime = (iso: string) => {
  const at = new Date(iso);
  // Norway's summer time, from March to October, is enough for what tests write.
  const hours = at.getUTCMonth() > 2 && at.getUTCMonth() < 9 ? 2 : 1;
  return new Date(at.getTime() + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
};

/** The filters, the order and the page of a list, each of which looks at case. */
function listOf(rows: Iterable<Row>, given: Readonly<Record<string, string | undefined>>, now: string) {
  const { Username = '', Email = '', AccessToken, StatusId, Expired, SortBy = 'id' } = given;
  const found = [...rows].filter(
    (row) =>
      row.username.includes(Username) &&
      (row.email ?? '').includes(Email) &&
      (AccessToken === undefined || row.accessToken === AccessToken) &&
      (StatusId === undefined || String(row.status) === StatusId) &&
      (Expired !== 'true' || row.expiresAt <= now),
  );
  const [name, down] = SortBy.split('_') as ['id' | 'username' | 'expiresAt', string?];
  const order = (one: Row, other: Row) => (one[name] < other[name] ? -1 : one[name] > other[name] ? 1 : 0);
  found.sort((one, other) => (down ? -order(one, other) : order(one, other)) || one.id - other.id);
  const size = Math.min(100, Number(given['PageSize'] ?? 20));
  const from = (Number(given['Page'] ?? 1) - 1) * size;
  return { total: found.length, items: found.slice(from, from + size) };
}

export function createRestService(
  { count, now = Date.now }: { count: number; now?: () => number },
  { include, changes = 'fields', statuses = 'labels' }: RestHabits = { include: 'repeat' },
) {
  const rows = new Map<number, Row>();
  let [tokens, lastId] = [0, 0];
  const newToken = () => `6f1c2a34-9b7d-4e5f-8a01-${String((tokens += 1)).padStart(12, '0')}`;
  const save = (id: number, body: Record<string, unknown>) => {
    const old = rows.get(id) ?? { id, accessToken: newToken(), status: 1, note: null, email: null };
    const row = { ...old, ...body } as Row;
    if (typeof body['expiresAt'] === 'string') row['expiresAt'] = localTime(body['expiresAt']);
    rows.set(id, row);
    lastId = Math.max(lastId, id);
    return row;
  };
  for (let id = 1; id <= count; id++)
    save(id, {
      username: `user${id}`,
      email: null,
      expiresAt: '2027-01-01T00:00:00.000Z',
      maxConnections: 2,
      isTrial: false,
      hls: true,
      mpegTs: false,
    });

  const requested = (c: Context) =>
    include === 'repeat'
      ? (c.req.queries('include') ?? [])
      : (c.req.query('include') ?? '').split(',').slice(0, include === 'single' ? 1 : 4);
  /** A row as it leaves: the eleven fields, and the lists that were asked for and are not empty. */
  const show = (row: Row, names: string[] = []) => ({
    ...Object.fromEntries(Object.entries(row).filter(([name]) => !lists.includes(name))),
    maxConnections: String(row['maxConnections']),
    isTrial: row['isTrial'] ? 1 : 0,
    note: row['note'] || null,
    ...(statuses === 'words' && { status: row['status'] === 1 ? 'Active' : 'On hold' }),
    createdBy: 'canary',
    ...Object.fromEntries(names.filter((name) => row[name]).map((name) => [name, row[name]])),
  });
  const app = new Hono();
  app.post('/oauth/token', async (c) => {
    const form = new URLSearchParams(await c.req.text());
    const known = c.req.header('Authorization') === `Basic ${btoa('desk%20there:s%3Acret')}`;
    const asks = form.get('audience') === 'subscribers' && !form.has('client_secret');
    if (!known || !asks) return c.json({ error: 'invalid_client' }, 401);
    return c.json({ access_token: `token-${form.get('scope')?.replaceAll(',', '-')}`, expires_in: '600' });
  });
  app.get('/subscribers', (c) => {
    const { items, total } = listOf(rows.values(), c.req.query(), localTime(new Date(now()).toISOString()));
    c.header('X-Total-Count', String(total));
    return c.json(items.map((row) => show(row)));
  });
  /** The answer to a change: the row, where it is, or nothing. */
  const answer = (c: Context, row: Row, status: 200 | 201 = 200) => {
    if (changes === 'fields') return c.json(show(row), status);
    if (changes === 'location' && status === 201) c.header('Location', `/subscribers/${row.id}`);
    return c.body(null, status === 200 ? 204 : status);
  };
  const refusal = (c: Context, body: Record<string, unknown>) =>
    [...rows.values()].some(
      (row) => row.username === body['username'] && String(row.id) !== c.req.param('id'),
    )
      ? c.json({ errors: [{ field: 'username', message: 'Has been taken.' }] }, 400)
      : null;
  app.post('/subscribers', async (c) => {
    const body = await c.req.json<Record<string, unknown>>();
    return refusal(c, body) ?? answer(c, save(lastId + 1, body), 201);
  });
  const about = async (c: Context, then: (row: Row) => Response | Promise<Response>) => {
    const row = rows.get(Number(c.req.param('id')));
    return row ? then(row) : c.json({ message: 'Not Found' }, 404);
  };
  app.get('/subscribers/:id', (c) => about(c, (row) => c.json(show(row, requested(c)))));
  app.put('/subscribers/:id', (c) =>
    about(c, async (row) => {
      const body = await c.req.json<Record<string, unknown>>();
      return refusal(c, body) ?? answer(c, save(row.id, body));
    }),
  );
  app.delete('/subscribers/:id', (c) =>
    about(c, (row) => {
      rows.delete(row.id);
      return c.body(null, 204);
    }),
  );
  app.get('/subscribers/by-token/:token', (c) => {
    const row = [...rows.values()].find(({ accessToken }) => accessToken === c.req.param('token'));
    return row ? c.json(show(row, requested(c))) : c.json({ message: 'Not Found' }, 404);
  });
  app.post('/subscribers/:id/regenerate-token', (c) =>
    about(c, (row) => answer(c, save(row.id, { accessToken: newToken() }))),
  );
  const labels = [
    { id: '1', label: 'Active' },
    { id: '2', label: 'On hold' },
  ];
  app.get('/subscriber-statuses', (c) =>
    c.json({ data: statuses === 'labels' ? labels : labels.map(({ label }) => label) }),
  );
  // Not of the seed: a number twice under one name, and a name that is none.
  const packages = [
    { code: '3', title: 'Sports' },
    { code: '4', title: 'sports' },
    { code: 5, title: '55' },
    { code: 6, title: 'Movies' },
  ];
  app.get('/packages', (c) => c.json({ data: packages }));
  return { rows, fetch: async (request: Request) => app.fetch(request) };
}

/** The BFF's way to it, with changes to the dialect. */
export function restUpstream(fetch: (request: Request) => Promise<Response>, change: object = {}): Upstream {
  const dialect = Dialect.parse({ ...restDialect, ...change });
  return {
    clientId: 'desk there',
    clientSecret: 's:cret',
    scopes: { read: 'read', write: 'write' },
    baseUrl: 'https://rest.example',
    exchange: exchangeByFetch(fetch),
    extensions: dialect.extensions,
    dialect,
  };
}
