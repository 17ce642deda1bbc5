import type * as z from 'zod/mini';
import type { BffApi } from '../../contract/bff/api.ts';
import type { BffEndpoint } from '../../contract/bff/permission.ts';
import { Answer } from '../../contract/http/answer.ts';
import type { InputOf } from '../../contract/http/endpoint.ts';
import { readInput, type PathValues, type RouterRow } from '../../contract/http/router.ts';
import type { HttpContext, RequestContext } from './context.ts';
import { checkProof, type CurrentUser } from '../current-user.ts';

/** A row of a table, without what only clients read of it. */
type Row = Omit<BffEndpoint, 'answer'>;

/** The result of a handler: the row's answer, alone or with headers; for a row without one, no JSON. */
type ResultOf<R> = R extends { answer: infer A extends z.ZodMiniType; streamed?: never }
  ? z.input<A> | Answer<z.input<A>>
  : Answer;

/** Does a row's operation, with its input read. There is a user wherever the row is not public. */
type BffHandler<R extends Row> = R extends { access: 'public' }
  ? (input: InputOf<R>, context: RequestContext) => Promise<ResultOf<R>>
  : (input: InputOf<R>, context: RequestContext, user: CurrentUser) => Promise<ResultOf<R>>;

/** One handler for each row: a missing one does not compile. */
export type Handlers<T extends Readonly<Record<string, Row>>> = {
  readonly [N in keyof T]: BffHandler<T[N]>;
};
export type BffHandlers = Handlers<BffApi>;

export interface Route extends RouterRow {
  /** The name of its row. */
  readonly operation: string;
  readonly row: Row;
  handle(context: HttpContext, user: CurrentUser | null, values: PathValues): Promise<Answer>;
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
      async handle(context, user, values) {
        const input = await readInput(row, context.request, values, context.url);
        // The body may have come long after the session was read, which has ended since.
        const isChange = !['GET', 'HEAD'].includes(context.method);
        const present = user && isChange ? await context.recheckAccess() : user;
        const { proof = false } = row;
        if (present && (typeof proof === 'function' ? proof(input) : proof)) checkProof(present);
        const result = await handler(input, context, present);
        return result instanceof Answer ? result : new Answer(result);
      },
    };
  });
}

type AnyHandler = (input: unknown, context: RequestContext, user: CurrentUser | null) => Promise<unknown>;
