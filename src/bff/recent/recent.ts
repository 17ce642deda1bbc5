import { recentLimit, type RecentSubscriber } from '../../contract/bff/recent.ts';
import { Problem } from '../../contract/http/problem.ts';
import { mapConcurrently } from '../../lib/map-concurrently.ts';
import type { BffDeps } from '../deps.ts';
import { readPresent } from '../journal/previous-token.ts';
import type { RequestContext } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import type { Caller } from '../upstream/call.ts';
import { upstreamLimits, withDeadline } from '../upstream/exchange.ts';
import { isAboutRequest } from '../upstream/failures.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';

type Parts = Pick<BffDeps, 'db' | 'clock'> & { caller: Caller };

/**
 * The subscribers that an account opened last. Only their ids are kept: names are personal data, and change. The service is
 * asked for the names when somebody wants the list.
 */
export function createRecentRoutes(parts: Parts) {
  return {
    // One deadline for all of it, because at a slow service each read can take as long.
    listRecentSubscribers: (_, context, user) =>
      withDeadline(
        upstreamLimits.total,
        (signal) => listRecent(parts, { ...context, signal: () => signal }, user),
        context.signal(),
      ),
    async addRecentSubscriber({ params }, _, user) {
      await addRecent(parts, staffIdOf(user), params.id);
    },
  } satisfies Partial<BffHandlers>;
}

/** Few at once: they are a single read of the account, and should cost others no more than a list does. */
const readsAtOnce = 4;

async function listRecent(
  { db, caller }: Parts,
  context: RequestContext,
  user: CurrentUser,
): Promise<RecentSubscriber[]> {
  const owner = staffIdOf(user);
  const ids = (await readIds(db, owner)).slice(0, recentLimit);
  let failure: Problem | null = null;
  const found = await mapConcurrently(ids, readsAtOnce, (id) =>
    readPresent(caller, id, context, user).catch((error: unknown) => {
      if (!(error instanceof Problem) || !isAboutRequest(error)) throw error;
      failure = error;
    }),
  );
  // One broken record keeps nobody from the others.
  if (failure !== null && !found.some(Boolean)) throw failure;
  const deleted = ids.filter((_, index) => found[index] === null);
  if (deleted.length > 0)
    await db
      .deleteFrom('recent_subscribers')
      .where('owner', '=', owner)
      .where('subscriber_id', 'in', deleted)
      .execute();
  return found
    .filter((subscriber) => subscriber != null)
    .map(({ id, username, email }) => ({ id, username, email }));
}

async function addRecent({ db, clock }: Parts, owner: string, id: number): Promise<void> {
  const last = await latest(db, owner).select(['subscriber_id', 'opened_at']).limit(1).executeTakeFirst();
  if (last?.subscriber_id === id) return;
  // After the one before, also if the clock was set back or both are opened within a millisecond.
  const opened_at = Math.max(clock(), (last?.opened_at ?? 0) + 1);
  await db
    .insertInto('recent_subscribers')
    .values({ owner, subscriber_id: id, opened_at })
    .onConflict((conflict) => conflict.columns(['owner', 'subscriber_id']).doUpdateSet({ opened_at }))
    .execute();
  const old = (await readIds(db, owner)).slice(recentLimit);
  if (old.length === 0) return;
  await db
    .deleteFrom('recent_subscribers')
    .where('owner', '=', owner)
    .where('subscriber_id', 'in', old)
    // Not what another tab has opened meanwhile.
    .where('opened_at', '<', opened_at)
    .execute();
}

async function readIds(db: Parts['db'], owner: string): Promise<number[]> {
  const rows = await latest(db, owner).select('subscriber_id').execute();
  return rows.map(({ subscriber_id }) => subscriber_id);
}

const latest = (db: Parts['db'], owner: string) =>
  db
    .selectFrom('recent_subscribers')
    .where('owner', '=', owner)
    .orderBy('opened_at', 'desc')
    .orderBy('subscriber_id');
