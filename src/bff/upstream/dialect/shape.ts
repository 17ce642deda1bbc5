import '../../../contract/http/zod-config.ts';
import * as z from 'zod/mini';
import { api, type OperationName } from '../../../contract/service/api.ts';
import type { Endpoint } from '../../../contract/http/endpoint.ts';
import { isTimeZone } from '../../../contract/bff/extension.ts';
import { extensionNames, pageSizes } from '../../../contract/service/list-rules.ts';
import type { RequestName } from '../exchange.ts';

const pointer = z
  .string()
  .check(z.refine(isPointer, 'Use a JSON pointer, such as /Data/Items, or empty text for the whole answer.'));

const header = /^header:([\w-]+)$/;
const total = z
  .string()
  .check(
    z.refine(
      (text) => isPointer(text) || header.test(text),
      'Use a JSON pointer, such as /Meta/Total, or the name of a header, such as header:X-Total-Count.',
    ),
  );

/** The header that holds the total of a list; null if its body does. */
export const headerIn = (place: string): string | null => header.exec(place)?.[1] ?? null;

/** The method and the path of one operation; those of the contract if not given. */
function operation(row: Endpoint) {
  const names = namesIn(row.path);
  const hint = names ? `It must contain ${names} once.` : 'It must not contain names in braces.';
  const methods = row.body ? (['POST', 'PUT', 'PATCH'] as const) : allMethods;
  return z.optional(
    z.strictObject({
      method: z.optional(z.enum(methods)),
      path: z.optional(
        z
          .string()
          .check(
            z.refine(
              (path) => isTemplate(path) && namesIn(path) === names,
              `Use a path with plain segments, such as /v2/customers. ${hint}`,
            ),
          ),
      ),
    }),
  );
}

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const operations = z.strictObject(
  // Object.fromEntries loses the type of the names, which are those of the table.
  Object.fromEntries(Object.entries(api).map(([name, row]) => [name, operation(row)])) as Record<
    OperationName,
    ReturnType<typeof operation>
  >,
);

/**
 * Differences of a service from the contract: its paths and methods by operation, JSON pointers into its answers, and
 * what it does not support.
 */
export const Dialect = z.strictObject({
  operations: z._default(operations, {}),
  /** The record in an answer with one record. */
  record: z._default(pointer, ''),
  list: z._default(z.strictObject({ items: pointer, total }), {
    items: '/items',
    total: '/totalCount',
  }),
  /**
   * `items` within the answer; `id` and `name` within each item. `ids` for a service that has only names: the number by
   * which its `StatusId` means each. `active` is the name of the status that stops nobody, if that is not Active.
   */
  statuses: z._default(
    z.strictObject({
      items: z._default(pointer, ''),
      id: z._default(pointer, '/id'),
      name: z._default(pointer, '/name'),
      ids: z.optional(z.record(z.string(), z.int())),
      active: z.optional(z.string()),
    }),
    { items: '', id: '/id', name: '/name' },
  ),
  /** The list of bundles, for a service that names them: its path, the items within the answer, and what is in each. */
  bundles: z.optional(
    z.strictObject({
      path: z
        .string()
        .check(
          z.refine((path) => isTemplate(path) && namesIn(path) === '', 'Use a path with plain segments.'),
        ),
      items: z._default(pointer, ''),
      number: z._default(pointer, '/id'),
      name: z._default(pointer, '/name'),
    }),
  ),
  /** Where a 422 has its sentences by field; and our name for each of its field names that differs from ours. */
  errors: z._default(
    z.strictObject({
      fields: pointer,
      names: z._default(z.union([z.literal('PascalCase'), z.record(z.string(), z.string())]), {}),
    }),
    { fields: '/errors', names: {} },
  ),
  extensions: z._default(
    z
      .array(z.enum(extensionNames))
      .check(
        z.refine(
          (names) => names.includes('ExpiresFrom') === names.includes('ExpiresTo'),
          'Name ExpiresFrom and ExpiresTo together, or neither.',
        ),
      ),
    [],
  ),
  /**
   * The way that `include` names several lists: `a,b`, repeated, or one list at a time in a read of its own. If it is
   * given, a requested list that is not there is empty.
   */
  include: z.optional(z.enum(['comma', 'repeat', 'single'])),
  /** The most subscribers that the service puts on one page, if fewer than 200. */
  maxPageSize: z.optional(z.int().check(z.minimum(1), z.maximum(pageSizes.most))),
  /** The time zone of times without one, such as `Europe/Oslo`; UTC if not given. */
  timeZone: z.optional(z.string().check(z.refine(isTimeZone, 'Use an IANA name, such as Europe/Oslo.'))),
  /** The request for a token: where credentials are (`form` if not given), what is between scopes (`spaces`). */
  token: z.optional(
    z.strictObject({
      credentials: z.optional(z.enum(['form', 'basic'])),
      scopes: z.optional(z.enum(['spaces', 'commas'])),
      audience: z.optional(z.string()),
    }),
  ),
  /** True if an update resets omitted fields. The BFF then fills them in from the current record. */
  omittedFieldsAreReset: z._default(z.boolean(), false),
  /** True if the service answers 422 for a subscriber that does not exist. */
  missingIs422: z._default(z.boolean(), false),
  /**
   * False if the service has an `ETag` that differs from answer to answer, as frameworks make one of all that is in it. The BFF then
   * makes the versions, as for a service without.
   */
  versions: z.optional(z.boolean()),
  /** True if HTTP/2 is spoken with the service, for one that takes nothing older. */
  http2: z.optional(z.boolean()),
});
export type Dialect = z.infer<typeof Dialect>;

/** True if each segment is a name in braces, or has only plain characters and is not `.` or `..`. */
function isTemplate(text: string): boolean {
  return /^(\/(\{\w+\}|(?!\.{1,2}(\/|$))[\w.~-]+))+$/.test(text);
}

function namesIn(template: string): string {
  return (template.match(/\{\w+\}/g) ?? []).join(' ');
}

/** The endpoint table with a dialect's methods and paths. */
export function rowsOf(dialect: Dialect | undefined): Readonly<Record<RequestName, Endpoint>> {
  if (!dialect) return { ...api, listBundles: api.listStatuses };
  const rows = Object.entries<Endpoint>(api).map(([name, row]) => {
    const { method = row.method, path = row.path } = dialect.operations[name as OperationName] ?? {};
    // The schema has checked that the path begins with a slash.
    return [
      name,
      {
        ...row,
        method,
        path: path as Endpoint['path'],
        // The limits of statistics are no names, and have commas in every dialect.
        repeatsNames: dialect.include === 'repeat' && name !== 'getStatistics',
      },
    ];
  });
  // Without a path for bundles, nobody asks for them.
  const { path = '/' } = dialect.bundles ?? {};
  const listBundles = { ...api.listStatuses, path: path as Endpoint['path'] };
  return { ...(Object.fromEntries(rows) as Record<OperationName, Endpoint>), listBundles };
}

/** The value at a JSON pointer (RFC 6901); undefined where there is none. The empty pointer is the whole document. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

export function isPointer(text: string): boolean {
  return /^(\/([^~/]|~[01])*)*$/.test(text);
}
