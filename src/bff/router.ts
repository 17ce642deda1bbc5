import type { BffApi } from '../contract/bff/api.ts';
import type { BffEndpoint } from '../contract/bff/permission.ts';
import type { InputOf } from '../contract/http/endpoint.ts';
import { readInput, type PathValues, type RouterRow } from '../contract/http/router.ts';
import type { CurrentUser, RequestContext } from './request-context.ts';

/** A row of a table, without what only clients read of it. */
type Row = Omit<BffEndpoint, 'answer'>;

/** Does a row's operation, with its input read. There is a user wherever the row is not public. */
type BffHandler<R extends Row> = R extends { access: 'public' }
  ? (input: InputOf<R>, context: RequestContext) => Promise<Response>
  : (input: InputOf<R>, context: RequestContext, user: CurrentUser) => Promise<Response>;

/** One handler for each row: a missing one does not compile. */
export type Handlers<T extends Readonly<Record<string, Row>>> = {
  readonly [N in keyof T]: BffHandler<T[N]>;
};
export type BffHandlers = Handlers<BffApi>;

export interface Route extends RouterRow {
  /** The name of its row. */
  readonly operation: string;
  readonly row: Row;
  handle(context: RequestContext, user: CurrentUser | null, values: PathValues): Promise<Response>;
}

/** @param base what the table's paths are appended to */
export function implement<T extends Readonly<Record<string, Row>>>(
  table: T,
  handlers: Handlers<T>,
  base = '',
): Route[] {
  return Object.entries(table).map(([operation, row]) => {
    // Typed by `Handlers`; a loop over the rows forgets which handler is whose.
    const handler = handlers[operation] as unknown as AnyHandler;
    return {
      method: row.method,
      path: base + row.path,
      operation,
      row,
      handle: async (context, user, values) =>
        handler(await readInput(row, context.request, values), context, user),
    };
  });
}

type AnyHandler = (input: unknown, context: RequestContext, user: CurrentUser | null) => Promise<Response>;

export const noContent = () => new Response(null, { status: 204 });
