import { seal, toBase64url, unseal } from '../../../lib/crypto.ts';
import type { BffDeps, SingleSignOn } from '../../deps.ts';
import type { RecordEvent } from '../../journal/events.ts';
import { claimAt, roleOf, setProviderRole } from './provider-account.ts';
import type { Provider } from './provider.ts';
import { SingleSignOnFailure } from './single-sign-on-failure.ts';
import { endSession, pauseJobs } from '../session-store.ts';

/**
 * Interval of asking the provider whether a user may still sign in, and of retries where it does not answer; time that a
 * request waits for the answer; largest difference between the clocks of replicas. In ms.
 */
export const revalidationTimes = { interval: 15 * 60_000, retry: 60_000, patience: 3_000, skew: 60_000 };

/** A live session, as the request's cookie shows it. */
interface OpenSession {
  /** The value of the cookie. */
  id: string;
  key: string;
  staffId: string;
  /** When the provider last confirmed it. */
  checkedAt: number;
}

/** Asks the OpenID provider again about sessions that it has signed in, where it gives refresh tokens. */
export interface Revalidation {
  /** Encrypts the refresh token of a new session. */
  seal(id: string, refreshToken: string): Promise<string>;
  isDue(checkedAt: number, now: number): boolean;
  /**
   * Asks about a session for which it is due, and ends what has to end: look the session up again afterwards. Where the
   * provider does not answer, the session goes on. An answer that comes late still counts: it has the only refresh token
   * that is good for the next time. It never fails.
   */
  confirm(session: OpenSession): Promise<void>;
}

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random' | 'log'> & {
  singleSignOn: SingleSignOn;
  provider: Provider;
  recordEvent: RecordEvent;
};

export function createRevalidation(deps: Deps): Revalidation {
  const { clock, random, log, singleSignOn } = deps;
  const { interval, retry, skew } = revalidationTimes;
  // The id alone is in the cookie, and the key alone in the database: a copy of either opens nothing.
  const sealKey = (id: string) => `${singleSignOn.tokenKey} ${id}`;
  const flights = new Map<string, Promise<void>>();
  // Of one account alone: what the provider says about somebody must not keep it from being asked about others.
  const failedAt = new Map<string, number>();

  async function ask(session: OpenSession): Promise<void> {
    const now = clock();
    const { staffId } = session;
    if (now - (failedAt.get(staffId) ?? -Infinity) < retry) return;
    const sealed = await claim(deps.db, session, now);
    if (sealed === null) return;
    try {
      await askProvider(deps, session, { sealed, sealKey: sealKey(session.id) });
    } catch (error) {
      const reason = error instanceof SingleSignOnFailure ? error.reason : 'internal';
      if (endsSession(reason)) {
        log('info', 'session-ended-by-provider', { staffId, reason });
        await endSession(deps.db, session.key);
        await pauseJobs(deps.db, staffId);
        return;
      }
      log('warn', 'revalidation-failed', { staffId, reason });
      failedAt.set(staffId, now);
      await setCheckedAt(deps.db, session.key, now - interval + retry);
    }
  }

  return {
    seal: (id, refreshToken) => seal('refresh-token', sealKey(id), refreshToken, random),
    // A clock that was ahead must not put it off.
    isDue: (checkedAt, now) => now - checkedAt >= interval || checkedAt > now + skew,
    async confirm(session) {
      const flight =
        flights.get(session.key) ??
        ask(session)
          .catch((error: unknown) =>
            log('error', 'revalidation-failed', { reason: error instanceof Error ? error.name : 'unknown' }),
          )
          .finally(() => flights.delete(session.key));
      flights.set(session.key, flight);
      await Promise.race([flight, after(revalidationTimes.patience)]);
    },
  };
}

const after = (ms: number) =>
  new Promise<void>((resolve) => AbortSignal.timeout(ms).addEventListener('abort', () => resolve()));

/** Answers after which nobody may go on: the token was withdrawn or is not ours, or is about somebody else. */
const endsSession = (reason: string) =>
  ['token-invalid_grant', 'user-info-refused', 'other-subject', 'unreadable-token'].includes(reason);

/**
 * Takes the question for this process. A refresh token may be good for one use, and sent twice it would end the session:
 * of all servers, one asks, and the others go on meanwhile.
 *
 * @returns the sealed token; null where another one asks
 */
async function claim(
  db: BffDeps['db'],
  { key, checkedAt }: OpenSession,
  now: number,
): Promise<string | null> {
  const row = await db
    .updateTable('sessions')
    .set({ checked_at: now })
    .where('key', '=', key)
    .where('checked_at', '=', checkedAt)
    .returning('refresh_token')
    .executeTakeFirst();
  return row ? (row.refresh_token ?? '') : null;
}

async function setCheckedAt(db: BffDeps['db'], key: string, at: number): Promise<void> {
  await db.updateTable('sessions').set({ checked_at: at }).where('key', '=', key).execute();
}

/** @throws {SingleSignOnFailure} where the provider does not confirm it */
async function askProvider(
  deps: Deps,
  session: OpenSession,
  { sealed, sealKey }: { sealed: string; sealKey: string },
): Promise<void> {
  const { db, random, provider, singleSignOn } = deps;
  const token = await unseal('refresh-token', sealKey, sealed);
  if (typeof token !== 'string') throw new SingleSignOnFailure('untrusted', 'unreadable-token');
  const account = db
    .selectFrom('staff')
    .select(['id', 'name', 'role', 'subject'])
    .where('id', '=', session.staffId);
  const known = await account.executeTakeFirstOrThrow();
  const refreshed = await provider.refresh(token);
  // Before anything else can fail: the old one may be of no use any more.
  const next = await seal('refresh-token', sealKey, refreshed.refreshToken, random);
  await db.updateTable('sessions').set({ refresh_token: next }).where('key', '=', session.key).execute();
  const claims = await refreshed.claims(known.subject ?? '');
  if (claims === null) return;
  const role = roleOf(claimAt(claims, singleSignOn.roleClaim));
  await setProviderRole(deps, known, role, toBase64url(random(12)));
}
