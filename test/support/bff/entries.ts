import { createRecordEvent, type Actor, type NewEvent } from '../../../src/bff/journal/events.ts';
import { beginEntry, closeEntry, readLock } from '../../../src/bff/journal/entries.ts';
import type { Kysely } from 'kysely';
import type { BffDeps } from '../../../src/bff/http/bff.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import { createAppend, createMac, type Mac } from '../../../src/bff/journal/chain.ts';
import type { Change, ChangeEntry, JournalEntry, Outcome } from '../../../src/contract/bff/journal.ts';

export interface TestEntry {
  id?: string;
  operation: Change;
  /** Null for one that stays open. */
  outcome: Outcome | null;
  /** The note that it leaves. */
  note?: string;
  subscriberId?: number;
}

/** Entries as the journal itself writes them, each a minute after the one before and for another subscriber. */
export async function addEntries(
  db: Kysely<BffTables>,
  mac: Mac,
  list: readonly (TestEntry | undefined)[],
  from: number,
  name = 'entry',
): Promise<void> {
  const append = createAppend(db, mac);
  for (const [index, entry] of list.entries()) {
    const { operation, outcome }: TestEntry = entry ?? { operation: 'updateSubscriber', outcome: null };
    const isNew = operation === 'createSubscriber';
    const { id = `${name}-${index}`, note = 'new', subscriberId = index + 1 } = entry ?? {};
    const [lock, at] = [`s:${entry?.subscriberId ?? id}`, from + index * 60_000];
    const state = { keyHash: null, undoOf: null, now: at };
    const begun = await beginEntry(
      append,
      {
        id,
        at,
        staff_id: `staff-${index % 3}`,
        staff_name: `Name ${index % 3}`,
        operation,
        subscriber_id: isNew ? null : subscriberId,
        username: `user-${index}`,
        input: operation === 'updateSubscriber' ? '{"note":"new"}' : null,
        before_record: isNew ? null : '{"note":"old"}',
        token_mac: isNew ? null : 'mac',
        reason: index % 2 === 0 ? 'because' : null,
        request_id: `request-${index}`,
        undo_of: index % 4 === 3 ? `${name}-x${index}` : null,
        job_id: null,
        lock_key: lock,
        key_hash: null,
        fingerprint: null,
      },
      (await readLock(db, lock, state)).lastClosed,
    );
    if (outcome === null || begun === null) continue;
    const isDone = outcome === 'done';
    const closing = {
      outcome,
      code: outcome === 'failed' ? ('bad-upstream' as const) : null,
      subscriberId: isNew && !isDone ? null : subscriberId,
      after: isDone ? { note } : null,
      version: isDone ? '"v"' : null,
    };
    await closeEntry(append, begun, { closing, now: at + 1000 });
  }
}

/** Events as the journal itself writes them, each a minute after the one before. */
export async function addEvents(
  db: Kysely<BffTables>,
  mac: Mac,
  list: readonly Partial<NewEvent>[],
  from: number,
): Promise<void> {
  for (const [index, event] of list.entries()) {
    const at = from + index * 60_000;
    const random = (bytes: number) => new Uint8Array(bytes).fill(index + 1);
    const record = createRecordEvent({ mac, random, clock: () => at });
    const staff = { id: `staff-${index % 3}`, name: `Name ${index % 3}` };
    const whole: NewEvent = { operation: 'signIn', staff, requestId: `request-${index}`, ...event };
    await db.transaction().execute((tx) => record(tx, whole));
  }
}

/** Writes events as the BFF with these deps does. */
export const recordEventOf = (deps: Pick<BffDeps, 'clock' | 'random' | 'journalKey'>) =>
  createRecordEvent({ ...deps, mac: createMac(deps.journalKey) });

/** Whoever does something past the BFF's routes. */
export const someone: Actor = { staff: { id: 'someone', name: 'Someone' }, requestId: 'request' };

/** The entries of changes. */
export const changesIn = (entries: readonly JournalEntry[]): ChangeEntry[] =>
  entries.filter((entry) => entry.kind === 'change');
