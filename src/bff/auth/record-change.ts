import type { Transaction } from 'kysely';
import type { EventDetails } from '../../contract/bff/journal.ts';
import type { BffDeps } from '../deps.ts';
import type { NewEvent, RecordEvent } from '../journal/events.ts';
import type { BffTables } from '../schema.ts';
import { forgetBrowsers } from './known-browsers.ts';
import { endSessions } from './session-store.ts';

/** The answer to a change of accounts, and the details of its entry in the journal; null if nothing was changed. */
export interface Recorded<T> {
  result: T;
  details?: EventDetails | null | undefined;
}

/** Changes accounts in one transaction that ends with the entry in the journal: neither is there without the other. */
export type RecordChange = <T>(
  event: NewEvent,
  write: (tx: Transaction<BffTables>) => Promise<Recorded<T>>,
) => Promise<T>;

export function createRecordChange({
  db,
  recordEvent,
}: Pick<BffDeps, 'db'> & { recordEvent: RecordEvent }): RecordChange {
  return (event, write) =>
    db.transaction().execute(async (tx) => {
      const { result, details } = await write(tx);
      if (details !== null) await recordEvent(tx, { ...event, ...(details && { details }) });
      return result;
    });
}

/**
 * Ends all ways into an account that do not ask for what it is signed in to with: its sessions, but for the one with the
 * key `but`, and its known browsers.
 *
 * @returns how many sessions ended
 */
export async function endAccess(
  tx: Transaction<BffTables>,
  staffId: string,
  now: number,
  but?: string,
): Promise<number> {
  await forgetBrowsers(tx, staffId);
  return endSessions(tx, staffId, now, but);
}
