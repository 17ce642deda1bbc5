import type { BffDeps } from './deps.ts';
import type { Caller } from './upstream/call.ts';

/** What a load balancer or a supervisor asks, at paths that need no session. */
export type Health = ReadonlyMap<string, (request: Request) => Promise<Response>>;

export function createHealth(deps: Pick<BffDeps, 'db' | 'isStopping'> & { caller: Caller }): Health {
  const ready = async () => {
    const [database, upstream] = await Promise.all([
      works(deps.db.selectFrom('staff').select('id').limit(1).execute()),
      works(deps.caller.checkToken()),
    ]);
    const leaving = deps.isStopping?.() ?? false;
    const status = database && upstream && !leaving ? 200 : 503;
    return Response.json({ database, upstream, ...(leaving && { leaving }) }, { status });
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
