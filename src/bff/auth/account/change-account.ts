import type { Transaction } from 'kysely';
import type { EventName } from '../../../contract/bff/journal.ts';
import { Answer } from '../../../contract/http/answer.ts';
import { Problem } from '../../../contract/http/problem.ts';
import type { BffDeps } from '../../deps.ts';
import type { RequestContext } from '../../http/context.ts';
import type { BffTables, StaffTable } from '../../schema.ts';
import { lockAccount, type KnownBrowsers } from '../known-browsers.ts';
import { endAccess, type RecordChange, type Recorded } from '../record-change.ts';
import type { LacksFactor } from '../second-factor.ts';
import { renewSession, endSessions, isLive } from '../session-store.ts';
import type { Sessions } from '../sessions.ts';
import type { AccountSession } from '../../../contract/bff/session.ts';
import { actorOf } from '../../journal/events.ts';
import type { BffHandlers } from '../../http/router.ts';

/** Dependencies of changes that users make to their own account. */
export interface AccountParts extends Pick<BffDeps, 'db' | 'clock' | 'random' | 'log' | 'secondFactorKey'> {
  sessions: Sessions;
  browsers: KnownBrowsers;
  lacksFactor: LacksFactor;
  recordChange: RecordChange;
}

/**
 * Changes what the user's own account is signed in to with: locks it, writes, ends all other sessions, which began without
 * it, gives this one another id, of which nobody has a copy, forgets all other browsers, and writes the entry of the journal.
 *
 * @param staff the account as it was read
 * @returns the result with each `Set-Cookie`
 * @throws {Problem} `not-signed-in` if the account was changed meanwhile; `second-factor-needed` if it has to keep a factor
 */
export function createChangeAccount(parts: AccountParts) {
  const { clock, log, sessions, browsers, lacksFactor, recordChange } = parts;
  return async <T>(
    operation: EventName,
    staff: StaffTable,
    { headers, requestId }: RequestContext,
    write: (tx: Transaction<BffTables>) => Promise<Recorded<T>>,
  ): Promise<Answer<T>> => {
    const { id, name } = staff;
    const current = (await sessions.keyOf(headers)) ?? '';
    const next = await sessions.issue();
    const answer = await recordChange({ operation, staff: { id, name }, requestId }, async (tx) => {
      if (!(await lockAccount(tx, staff))) throw accountChanged();
      const factorOf = { staffId: id, role: staff.role, singleSignOn: false };
      const hadNone = await lacksFactor(factorOf, tx);
      const { result, details } = await write(tx);
      if (!hadNone && (await lacksFactor(factorOf, tx))) throw lastFactor();
      await endAccess(tx, id, clock(), current);
      if (!(await renewSession(tx, current, next.key))) throw accountChanged();
      const cookies = [next.cookie, ...(await browsers.remember(tx, headers, staff))];
      return { result: new Answer(result, { cookies }), details };
    });
    log('info', 'account-changed', { requestId, staffId: id, operation });
    return answer;
  };
}

const accountChanged = () =>
  new Problem(
    'not-signed-in',
    'Your account was changed in the meantime. Nothing was changed by you. Sign in and try again.',
  );

const lastFactor = () =>
  new Problem(
    'second-factor-needed',
    'Your account needs a second factor here, so you can’t remove the last one. Set up another one instead.',
  );

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
