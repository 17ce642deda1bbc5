import type { Kysely } from 'kysely';
import type { DeskTables } from './store/schema.ts';
import type { Caller } from './upstream/call.ts';

/** What a load balancer or a supervisor asks, at paths that need no session. */
export type Health = ReadonlyMap<string, () => Promise<Response>>;

export function createHealth(deps: { db: Kysely<DeskTables>; caller: Caller }): Health {
  const ready = async () => {
    const [database, upstream] = await Promise.all([
      works(deps.db.selectFrom('staff').select('id').limit(1).execute()),
      works(deps.caller.checkToken()),
    ]);
    return Response.json({ database, upstream }, { status: database && upstream ? 200 : 503 });
  };
  return new Map([
    ['/healthz', alive],
    ['/readyz', ready],
  ]);
}

/** Alive says nothing of others: restarting the desk mends no service. */
const alive = async () => Response.json({ alive: true });

const works = (attempt: Promise<unknown>) =>
  attempt.then(
    () => true,
    () => false,
  );
