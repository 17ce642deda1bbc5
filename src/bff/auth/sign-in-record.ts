import type { Transaction } from 'kysely';
import { withoutAccount, type EventDetails } from '../../contract/bff/journal.ts';
import type { SecondFactorKind } from '../../contract/bff/second-factor.ts';
import { errorFields } from '../../lib/log.ts';
import type { BffDeps } from '../deps.ts';
import type { NewEvent, RecordEvent } from '../journal/events.ts';
import type { Attempts } from './attempts.ts';
import { deleteOldLogouts } from './openid/back-channel-logout.ts';
import { deleteOldChallenges } from './passkeys.ts';
import { deleteOldSessions } from './session-store.ts';
import { deleteOldSingleSignOns } from './openid/pending-sign-ins.ts';
import type { BffTables, FailedSignInTable, StaffTable } from '../schema.ts';

type Account = Pick<StaffTable, 'id' | 'name'>;

/** A sign-in that has succeeded: in which request, and how. */
interface DoneSignIn {
  requestId: string;
  way: NonNullable<EventDetails['way']>;
  secondFactor: SecondFactorKind | null;
}

/** Writes sign-ins to the journal. */
export interface SignInRecord {
  /** To be called last in the transaction that starts the session. */
  succeeded(tx: Transaction<BffTables>, staff: Account, signIn: DoneSignIn): Promise<void>;
  /**
   * Counts a sign-in that failed.
   *
   * @param staff the account that it was for; undefined if no account has this name
   */
  failed(staff: Account | undefined, requestId: string): Promise<void>;
  /**
   * Writes the failures that have come to an end, and deletes what is too old of all ways to sign in. To be called every minute
   * or so; it never fails.
   */
  runMaintenance(): Promise<void>;
}

/**
 * Time that failures are counted together, in ms: until there was none for a while, or the first is too long ago. An
 * attacker makes no more entries than one for an account each time, and one for all names that no account has.
 */
export const failuresInARow = { quiet: 5 * 60_000, longest: 30 * 60_000 } as const;

export function createSignInRecord(
  deps: Pick<BffDeps, 'db' | 'clock' | 'log'> & {
    recordEvent: RecordEvent;
    attempts: Pick<Attempts, 'deleteOld'>;
  },
): SignInRecord {
  const { db, clock, log, recordEvent, attempts } = deps;

  return {
    async succeeded(tx, staff, { requestId, way, secondFactor }) {
      const { id, name } = staff;
      const rows = tx.deleteFrom('failed_sign_ins').where('account', '=', id).returningAll();
      const failures = await rows.executeTakeFirst();
      if (failures) await recordEvent(tx, asEvent(failures, clock()));
      const details = { way, ...(secondFactor && { secondFactor }) };
      await recordEvent(tx, { operation: 'signIn', staff: { id, name }, requestId, details });
    },

    async failed(staff, requestId) {
      const { id: account, name } = staff ?? { id: withoutAccount.unknown, name: '' };
      const now = clock();
      const row = { account, name, first_at: now, last_at: now, times: 1, request_id: requestId };
      await db
        .insertInto('failed_sign_ins')
        .values(row)
        .onConflict((conflict) =>
          conflict.column('account').doUpdateSet((known) => ({
            name,
            last_at: now,
            times: known('failed_sign_ins.times', '+', 1),
            request_id: requestId,
          })),
        )
        .execute();
    },

    async runMaintenance() {
      try {
        await recordEnded();
        await attempts.deleteOld();
        const now = clock();
        for (const deleteOld of [
          deleteOldSessions,
          deleteOldChallenges,
          deleteOldSingleSignOns,
          deleteOldLogouts,
        ])
          await deleteOld(db, now);
      } catch (error) {
        log('warn', 'sign-in-maintenance-failed', errorFields(error));
      }
    },
  };

  async function recordEnded(): Promise<void> {
    const now = clock();
    const ended = await db
      .selectFrom('failed_sign_ins')
      .selectAll()
      .where((row) =>
        row.or([
          row('last_at', '<=', now - failuresInARow.quiet),
          row('first_at', '<=', now - failuresInARow.longest),
          // Counted by a clock that was ahead.
          row('last_at', '>', now + failuresInARow.quiet),
        ]),
      )
      .execute();
    for (const row of ended) await recordOnce(row);
  }

  /** Only the server that deletes the row writes its entry. */
  async function recordOnce({ account, times }: FailedSignInTable): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const rows = tx.deleteFrom('failed_sign_ins').where('account', '=', account);
      const deleted = await rows.where('times', '=', times).returningAll().executeTakeFirst();
      if (deleted) await recordEvent(tx, asEvent(deleted, clock()));
    });
  }
}

/** With times of now at the latest, even if the clock was ahead when they were noted. */
function asEvent(row: FailedSignInTable, now: number): NewEvent {
  const since = new Date(Math.min(row.first_at, now)).toISOString();
  return {
    operation: 'signIn',
    outcome: 'refused',
    staff: { id: row.account, name: row.name },
    requestId: row.request_id,
    at: Math.min(row.last_at, now),
    details: { times: row.times, since },
  };
}
