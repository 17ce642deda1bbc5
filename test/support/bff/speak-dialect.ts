import type { Dialect } from '../../../src/bff/upstream/dialect/shape.ts';
import { createDefaults } from '../../../src/contract/service/subscriber-input.ts';
import { listNames } from '../../../src/contract/service/limits.ts';

type Fetch = (request: Request) => Promise<Response>;
type Values = Record<string, unknown>;

/** Habits of a service that need no word in its dialect. */
export interface Habits {
  values: 'exact' | 'loose';
  changes: 'whole' | 'fields' | 'nothing';
  versions: boolean;
}

/** The path of every operation but the token's, where the dialect has others. */
export const otherRoot = '/v9';

/** The bundles that it names where the dialect says where. */
export const namedBundles = [
  { number: 3, name: 'Sports', isSold: true },
  { number: 12, name: 'Movies & more', isSold: true },
];

/** Our service as one that has a dialect: what comes in is put into the contract, and what goes out into the dialect. */
export function speakDialect(dialect: Dialect, habits: Habits, fetch: Fetch): Fetch {
  return async (request) => {
    const url = new URL(request.url);
    if (url.pathname === '/oauth/token') return fetch(await tokenRequest(request, dialect));
    if (url.pathname === dialect.bundles?.path) return Response.json(bundlesIn(dialect.bundles, habits));
    url.pathname = url.pathname.replace(otherRoot, '');
    const asked = includedIn(url, dialect);
    const size = Number(url.searchParams.get('PageSize'));
    const { maxPageSize = size } = dialect;
    if (size > maxPageSize) url.searchParams.set('PageSize', String(maxPageSize));
    const text = await request.text();
    const isReset = dialect.omittedFieldsAreReset && request.method === 'PUT';
    const body = isReset
      ? JSON.stringify({ ...createDefaults, ...(JSON.parse(text) as Values) })
      : text || null;
    const { method, headers } = request;
    const answer = await fetch(new Request(url, { method, headers, body }));
    const written: unknown = await answer.json();
    if (!answer.ok) return refusal(answer.status, written, dialect);
    const kind = url.pathname.includes('statuses') ? 'statuses' : isList(written) ? 'list' : 'record';
    if (kind === 'statuses') return Response.json(statusesIn(written as Values[], dialect));
    const record = (row: Values) => rowIn(row, { dialect, habits, asked: method === 'GET' ? asked : null });
    const versions = habits.versions ? { ETag: answer.headers.get('ETag') ?? '' } : undefined;
    if (kind === 'list') return listIn(written as { items: Values[]; totalCount: number }, record, dialect);
    if (method !== 'GET' && habits.changes === 'nothing') return new Response(null, silence(url, written));
    return Response.json(at(dialect.record, record(written as Values)), versions && { headers: versions });
  };
}

const isList = (body: unknown) => Object.hasOwn(Object(body), 'items');

const silence = ({ pathname }: URL, written: unknown) =>
  pathname === '/subscribers'
    ? { status: 201, headers: { Location: `${pathname}/${Object(written).id}` } }
    : { status: 204 };

async function tokenRequest(request: Request, { token = {} }: Dialect): Promise<Request> {
  const form = new URLSearchParams(await request.text());
  if (token.scopes === 'commas') form.set('scope', form.get('scope')?.replaceAll(',', ' ') ?? '');
  if (token.credentials === 'basic') {
    const [id = '', secret = ''] = atob(request.headers.get('Authorization')?.slice(6) ?? '').split(':');
    form.set('client_id', decodeURIComponent(id));
    form.set('client_secret', decodeURIComponent(secret));
  }
  form.delete('audience');
  return new Request(request.url, { method: 'POST', body: form });
}

/** Takes `include` out of an address as such a service reads it, and puts it in as ours does. */
function includedIn({ searchParams }: URL, { include = 'comma' }: Dialect): string[] {
  const given = searchParams.getAll('include');
  const read = {
    comma: given.flatMap((names) => names.split(',')),
    repeat: given,
    single: given.slice(0, 1),
  };
  const names = read[include].filter((name) => listNames.some((list) => list === name));
  searchParams.delete('include');
  if (names.length > 0) searchParams.set('include', names.join(','));
  return names;
}

function rowIn(row: Values, given: { dialect: Dialect; habits: Habits; asked: string[] | null }): Values {
  const { dialect, habits, asked } = given;
  const fields = Object.entries(row).filter(([, value]) => {
    if (!Array.isArray(value)) return true;
    if (asked === null) return habits.changes === 'whole';
    return dialect.include === undefined || value.length > 0;
  });
  const loosen = ([name, value]: [string, unknown]): [string, unknown] => {
    const { timeZone } = dialect;
    if (name === 'expiresAt' && timeZone)
      return [name, new Date(String(value)).toLocaleString('sv-SE', { timeZone })];
    if (name === 'status' && dialect.statuses.ids) return [name, words[Number(value)]];
    if (habits.values === 'exact') return [name, value];
    if (name === 'status') return [name, { id: value, label: words[Number(value)] }];
    if (typeof value === 'number') return [name, String(value)];
    if (typeof value === 'boolean') return [name, value ? 1 : 0];
    return [name, value === '' ? null : value];
  };
  return Object.fromEntries(fields.map(loosen));
}

const words: Readonly<Record<number, string>> = { 1: 'Active', 2: 'Suspended', 3: 'Blocked' };

function statusesIn(rows: Values[], { statuses }: Dialect): unknown {
  const name = statuses.name.slice(1);
  const item = (row: Values) =>
    statuses.ids ? row['name'] : { [statuses.id.slice(1)]: row['id'], [name]: row['name'] };
  return at(statuses.items, rows.map(item));
}

function bundlesIn({ items, number, name }: NonNullable<Dialect['bundles']>, { values }: Habits): unknown {
  const written = namedBundles.map((one) => ({
    ...Object(at(number, values === 'loose' ? String(one.number) : one.number)),
    ...Object(at(name, one.name)),
  }));
  return at(items, written);
}

function listIn(
  { items, totalCount }: { items: Values[]; totalCount: number },
  record: (row: Values) => Values,
  { list }: Dialect,
): Response {
  const header = /^header:(.*)$/.exec(list.total)?.[1];
  const body = at(list.items, items.map(record));
  if (header !== undefined) return Response.json(body, { headers: { [header]: `items 0-1/${totalCount}` } });
  return Response.json({ ...Object(body), ...Object(at(list.total, totalCount)) });
}

function refusal(status: number, written: unknown, { errors, missingIs422 }: Dialect): Response {
  if (status === 404 && missingIs422) return Response.json({}, { status: 422 });
  const given = Object.entries((Object(written) as { errors?: Values }).errors ?? {});
  const named =
    errors.names === 'PascalCase' ? (name: string) => name[0]?.toUpperCase() + name.slice(1) : String;
  const fields = given.map(([name, sentences]) => [named(name), sentences]);
  return Response.json(at(errors.fields, Object.fromEntries(fields)), { status });
}

/** A value at a pointer of an object that has nothing else. */
const at = (pointer: string, value: unknown): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduceRight((inner, name) => ({ [name]: inner }), value);
