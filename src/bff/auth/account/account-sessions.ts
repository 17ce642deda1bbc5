import type { AccountSession } from '../../../contract/bff/account.ts';
import { Problem } from '../../../contract/http/problem.ts';
import { actorOf } from '../../journal/events.ts';
import type { BffHandlers } from '../../http/router.ts';
import { endSessions, isLive } from '../session-store.ts';
import type { AccountParts } from './change-account.ts';

/** Where the user is signed in, and how they end it there. In a tab with a fixed user there are no sessions. */
export function createAccountSessionRoutes({ db, clock, log, sessions, recordChange }: AccountParts) {
  return {
    async listSessions(_, { headers }, { staffId }) {
      const [current, now] = [await sessions.keyOf(headers), clock()];
      const rows = await db
        .selectFrom('sessions')
        .select(['key', 'public_id', 'browser', 'created_at', 'seen_at'])
        .where('staff_id', '=', staffId ?? '')
        .where(isLive(now))
        .orderBy('seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .execute();
      const shown = rows.map(({ key, public_id, browser, created_at, seen_at }): AccountSession => {
        const isCurrent = key === current;
        // Uses are written down once a minute at most, and this one is in use.
        const lastUsed = asText(isCurrent ? now : seen_at);
        return { id: public_id, browser, since: asText(created_at), lastUsed, isCurrent };
      });
      // This one first, as it is in use.
      return shown.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
    },

    async endSession({ params: { id } }, context, user) {
      await recordChange({ operation: 'endSession', ...actorOf(user, context) }, async (tx) => {
        const ended = await tx
          .deleteFrom('sessions')
          .where('staff_id', '=', user.staffId ?? '')
          .where('public_id', '=', id)
          .where(isLive(clock()))
          .returning('browser')
          .executeTakeFirst();
        if (!ended) throw noSuchSession();
        return { result: undefined, details: { sessions: 1, browser: ended.browser } };
      });
      log('info', 'session-ended', { requestId: context.requestId, staffId: user.staffId });
    },

    async endOtherSessions(_, context, user) {
      const current = await sessions.keyOf(context.headers);
      const event = { operation: 'endOtherSessions', ...actorOf(user, context) } as const;
      const ended = await recordChange(event, async (tx) => {
        const count = await endSessions(tx, user.staffId ?? '', clock(), current ?? '');
        return { result: count, details: count > 0 ? { sessions: count } : null };
      });
      log('info', 'other-sessions-ended', { requestId: context.requestId, staffId: user.staffId });
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
