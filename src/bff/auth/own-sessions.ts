import { type Kysely } from 'kysely';
import type { OwnSession } from '../../contract/bff/account.ts';
import type { Log } from '../../lib/log.ts';
import { Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import { actorOf, type RecordEvent } from '../journal/events.ts';
import type { Sessions } from './sessions.ts';
import type { BffHandlers } from '../http/router.ts';
import type { BffTables } from '../schema.ts';
import { endOtherSessions, isLive } from './session-store.ts';

interface OwnSessionParts extends Pick<BffDeps, 'db' | 'clock'> {
  sessions: Pick<Sessions, 'keyOf'>;
  recordEvent: RecordEvent;
  log: Log;
}

/** Where the user is signed in, and how they end it there. In a tab with a fixed user there are no sessions. */
export function createOwnSessionRoutes({ db, clock, sessions, recordEvent, log }: OwnSessionParts) {
  return {
    async listSessions(_, { headers }, { staffId }) {
      const [current, now] = [await sessions.keyOf(headers), clock()];
      const rows = await listSessionsOf(db, staffId ?? '', now);
      const own = rows.map(({ key, public_id, browser, created_at, seen_at }): OwnSession => {
        const isCurrent = key === current;
        // Uses are written down once a minute at most, and this one is in use.
        const lastUsed = asText(isCurrent ? now : seen_at);
        return { id: public_id, browser, since: asText(created_at), lastUsed, isCurrent };
      });
      // This one first, as it is in use.
      return own.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
    },

    async endSession({ params: { id } }, context, user) {
      const staffId = user.staffId ?? '';
      await db.transaction().execute(async (tx) => {
        const browser = await endOwnSession(tx, { staffId, publicId: id, now: clock() });
        if (browser === null) throw noSuchSession();
        await recordEvent(tx, {
          operation: 'endSession',
          ...actorOf(user, context),
          details: { sessions: 1, browser },
        });
      });
      log('info', 'session-ended', { requestId: context.requestId, staffId });
    },

    async endOtherSessions(_, context, user) {
      const staffId = user.staffId ?? '';
      const current = await sessions.keyOf(context.headers);
      const ended = await db.transaction().execute(async (tx) => {
        const count = await endOtherSessions(tx, staffId, current ?? '', clock());
        if (count > 0)
          await recordEvent(tx, {
            operation: 'endOtherSessions',
            ...actorOf(user, context),
            details: { sessions: count },
          });
        return count;
      });
      log('info', 'other-sessions-ended', { requestId: context.requestId, staffId });
      return { ended };
    },
  } satisfies Partial<BffHandlers>;
}

const asText = (at: number) => new Date(at).toISOString();

/** The same for a session of somebody else, so that nobody learns whether there is one. */
const noSuchSession = () =>
  new Problem(
    'no-such-session',
    'You have no such session any more: it has ended already, or it has expired. Reload the page to see those that are left.',
  );

/** The live sessions of an account, the one that was used last first. */
function listSessionsOf(db: Kysely<BffTables>, staffId: string, now: number) {
  return db
    .selectFrom('sessions')
    .select(['key', 'public_id', 'browser', 'created_at', 'seen_at'])
    .where('staff_id', '=', staffId)
    .where(isLive(now))
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute();
}

/** Ends a live session of an account; returns the label of its browser, or null if the account has no such session. */
async function endOwnSession(
  db: Kysely<BffTables>,
  { staffId, publicId, now }: { staffId: string; publicId: string; now: number },
): Promise<string | null> {
  const ended = await db
    .deleteFrom('sessions')
    .where('staff_id', '=', staffId)
    .where('public_id', '=', publicId)
    .where(isLive(now))
    .returning('browser')
    .executeTakeFirst();
  return ended?.browser ?? null;
}
