import type { Transaction } from 'kysely';
import { readChangeHeaders } from '../../contract/http/change-headers.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import type { CurrentUser, RequestContext } from '../request-context.ts';
import type { BffHandlers } from '../router.ts';
import type { BffTables } from '../schema.ts';
import { upstreamLimits, pause } from '../upstream/exchange.ts';
import { listActivity } from './activity.ts';
import { createMac, lockHead, proofOf, type Db, type Mac } from './chain.ts';
import { staffIdOf, type ChangeContext, type ChangeRequest, type JournalDeps } from './change-request.ts';
import { beginChange, finishChange } from './change.ts';
import { createIdempotency, findChange, selectChanges, type Idempotency } from './entries.ts';
import { abandonedAfter, answerFromEntry, reconcileAbandoned } from './reconcile.ts';
import type { IdempotencyKeyTable } from './schema.ts';
import { makeUndoRequest } from './undo.ts';

export interface Journal {
  /**
   * Makes a change exactly once, and writes who did what. Changes of the same subscriber wait for each other.
   *
   * @param request the operation and its input; another one with the same `Idempotency-Key` is refused
   * @param makeRequest makes the change request; called at most once
   * @throws {Refusal} why the change was not made, or `outcome-unknown`
   */
  doChange(
    request: unknown,
    makeRequest: () => Promise<ChangeRequest>,
    context: RequestContext,
    user: CurrentUser,
  ): Promise<Response>;
  /** Closes abandoned entries and deletes old ones. Call it at the start and about every minute; it never fails. */
  runMaintenance(): Promise<void>;
}

/**
 * How long a change waits for another change of the same subscriber, and for an earlier request with its own key; how
 * often it checks. In ms.
 */
const patience = { others: 10_000, own: 30_000, pause: 40 } as const;

export function createJournal(
  deps: Omit<JournalDeps, 'mac' | 'wait'> & Pick<BffDeps, 'wait' | 'journalKey' | 'journalDays'>,
): Journal {
  const { wait = pause } = deps;
  const own: JournalDeps = { ...deps, wait, mac: createMac(deps.journalKey) };
  const { clock } = deps;
  return {
    async doChange(request, makeRequest, context, user) {
      const { key, reason } = readChangeHeaders(context.request.headers);
      const idempotency = key === null ? null : await createIdempotency(own, key, staffIdOf(user), request);
      const began = clock();
      let change: ChangeRequest | null = null;
      for (;;) {
        const known = await idempotency?.find();
        const deadline = clock() + upstreamLimits.total;
        const answer =
          known && idempotency
            ? await answerKnown(own, known, idempotency)
            : await tryChange(own, {
                change: (change ??= await makeRequest()),
                context,
                user,
                reason,
                idempotency,
                deadline,
              });
        if (answer) return answer;
        if (clock() - began > (known ? patience.own : patience.others))
          throw changeUnderWay(known !== undefined);
        await wait(patience.pause);
      }
    },
    runMaintenance: createMaintenance(own, deps.journalDays),
  };
}

/** @returns null if another change of the same subscriber is in the way */
async function tryChange(deps: JournalDeps, given: ChangeContext): Promise<Response | null> {
  const begun = await beginChange(deps, given);
  return begun && finishChange(deps, given, begun);
}

/** The answer to a change that was sent before; null if it is still running, or failed and can be tried again. */
async function answerKnown(
  deps: JournalDeps,
  known: IdempotencyKeyTable,
  idempotency: Idempotency,
): Promise<Response | null> {
  const answer = await idempotency.replay(known);
  if (answer) return answer;
  const entry = await findChange(deps.db, known.entry_id);
  if (!entry) return null;
  const closed = entry.outcome === null ? await reconcileAbandoned(deps, entry) : entry;
  if (!closed || closed.outcome === 'failed') return null;
  return idempotency.remember(await answerFromEntry(deps.caller, closed));
}

function changeUnderWay(isOwn: boolean): Refusal {
  const detail = isOwn
    ? 'This change is still running. Send it again with the same Idempotency-Key to get its answer.'
    : 'Another change to this subscriber is still running. Nothing was changed. Try again in a few seconds.';
  return new Refusal('change-under-way', detail, { headers: { 'Retry-After': '5' } });
}

export type JournalRouteParts = Pick<BffDeps, 'db'> & {
  runSlowRead: BffDeps['runSlowRead'] | undefined;
  journal: Journal;
};

export function createJournalRoutes({ db, runSlowRead, journal }: JournalRouteParts) {
  return {
    async listActivity({ query }, context, user) {
      const list = (from: Db) => listActivity(from, query, user);
      return Response.json(await (runSlowRead ? runSlowRead(list, context.signal()) : list(db)));
    },
    undoChange({ params }, context, user) {
      const makeRequest = () => makeUndoRequest(db, params.id, user);
      return journal.doChange(['undoChange', params], makeRequest, context, user);
    },
  } satisfies Partial<BffHandlers>;
}

const day = 24 * 60 * 60_000;

/** How often old entries are deleted, in ms. */
const deleteEvery = 60 * 60_000;

/**
 * Creates the maintenance: it reconciles the entries that a process left open, and deletes entries that are too old.
 *
 * @param days how long entries are kept; forever if not given
 */
function createMaintenance(deps: JournalDeps, days: number | undefined): () => Promise<void> {
  const { db, mac, clock, log } = deps;
  let deletedAt = -Infinity;
  return async () => {
    try {
      await reconcileAllAbandoned(deps);
      if (days === undefined || clock() - deletedAt < deleteEvery) return;
      deletedAt = clock();
      const entries = await deleteOlder(db, mac, clock() - days * day);
      if (entries > 0) log('info', 'journal-pruned', { entries });
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      log('warn', 'journal-maintenance-failed', { error: name });
    }
  };
}

async function reconcileAllAbandoned(deps: JournalDeps): Promise<void> {
  const open = selectChanges(deps.db).where('outcome', 'is', null);
  const abandoned = await open
    .where('at', '<', deps.clock() - abandonedAfter)
    .orderBy('seq')
    .execute();
  for (const entry of abandoned)
    await reconcileAbandoned(deps, entry).catch((error: unknown) => {
      // The service cannot be read right now. The next maintenance tries again.
      if (!(error instanceof Refusal)) throw error;
    });
}

/**
 * Deletes the oldest part of the journal: the first links, and the entries that they cover completely. It stops before
 * the first entry that is still open or was closed after the cutoff.
 *
 * @param cutoff ms since 1970
 * @returns how many entries were deleted
 */
export async function deleteOlder(db: Db, mac: Mac, cutoff: number): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const head = await lockHead(tx);
    const seq = await lastToDelete(tx, cutoff, head.seq);
    if (seq <= head.anchor_seq) return 0;
    const link = tx.selectFrom('journal_links').select(['seq', 'mac']).where('seq', '=', seq);
    const anchor = await link.executeTakeFirst();
    // A chain with a gap is kept as it is, for people to look at.
    if (!anchor) return 0;
    const change = { anchor_seq: seq, anchor_mac: anchor.mac, anchor_proof: await proofOf(mac, anchor) };
    await tx.updateTable('journal_head').set(change).where('id', '=', 1).execute();
    await tx.deleteFrom('journal_links').where('seq', '<=', seq).execute();
    const { numDeletedRows } = await tx.deleteFrom('journal').where('seq', '<=', seq).executeTakeFirst();
    return Number(numDeletedRows);
  });
}

/** The last link to delete, so that no entry loses only one of its two links. */
async function lastToDelete(tx: Transaction<BffTables>, cutoff: number, end: number): Promise<number> {
  const kept = tx
    .selectFrom('journal')
    .select((row) => row.fn.min('seq').as('seq'))
    .where((row) => row.or([row('closed_at', 'is', null), row('closed_at', '>=', cutoff)]));
  let last = ((await kept.executeTakeFirst())?.seq ?? end + 1) - 1;
  for (;;) {
    // An old entry whose second link comes after this point stays, with everything after its beginning.
    const crossing = tx
      .selectFrom('journal')
      .select((row) => row.fn.min('seq').as('seq'))
      .where('seq', '<=', last)
      .where('closed_seq', '>', last);
    const seq = (await crossing.executeTakeFirst())?.seq ?? null;
    if (seq === null) return last;
    last = seq - 1;
  }
}
