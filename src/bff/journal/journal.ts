import { readChangeHeaders } from '../../contract/http/change-headers.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { BffDeps } from '../deps.ts';
import type { CurrentUser, RequestContext } from '../request-context.ts';
import type { BffHandlers } from '../router.ts';
import { upstreamLimits } from '../upstream/exchange.ts';
import { pause } from '../upstream/send.ts';
import { listActivity } from './activity.ts';
import { beginChange } from './begin-change.ts';
import { createMac } from './chain.ts';
import { staffIdOf, type ChangeContext, type ChangeRequest, type JournalDeps } from './change-request.ts';
import { findEntry } from './entries.ts';
import { finishChange } from './finish-change.ts';
import { createIdempotency, type Idempotency } from './idempotency.ts';
import { createMaintenance } from './maintenance.ts';
import { answerFromEntry, reconcileAbandoned } from './reconcile.ts';
import type { IdempotencyKeyTable } from './schema.ts';
import { makeUndoRequest } from './undo.ts';

export interface Journal {
  /**
   * Does a change exactly once, and writes down who did what. Changes of the same subscriber wait for each other.
   *
   * @param request the operation and its input, by which changes with the same `Idempotency-Key` are told apart
   * @param makeRequest makes the change request; called at most once
   */
  doChange(
    request: unknown,
    makeRequest: () => Promise<ChangeRequest>,
    context: RequestContext,
    user: CurrentUser,
  ): Promise<Response>;
  /** Closes abandoned entries and deletes old ones. Call it at the start and every minute or so; it never fails. */
  runMaintenance(): Promise<void>;
}

/** How long a change waits for another of the same subscriber, and for its own first sending; how often it looks. In ms. */
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
        if (clock() - began > (known ? patience.own : patience.others)) throw changeUnderWay();
        await wait(patience.pause);
      }
    },
    runMaintenance: createMaintenance(own, deps.journalDays),
  };
}

/** @returns null where another change of the same subscriber is in the way */
async function tryChange(deps: JournalDeps, given: ChangeContext): Promise<Response | null> {
  const begun = await beginChange(deps, given);
  return begun && 'entry' in begun ? finishChange(deps, given, begun) : begun;
}

/** The answer to a change that was sent before; null where it is still under way, or is to be tried again. */
async function answerKnown(
  deps: JournalDeps,
  known: IdempotencyKeyTable,
  idempotency: Idempotency,
): Promise<Response | null> {
  const answer = await idempotency.replay(known);
  if (answer) return answer;
  const entry = await findEntry(deps.db, known.entry_id);
  if (!entry) return null;
  const closed = entry.outcome === null ? await reconcileAbandoned(deps, entry) : entry;
  if (!closed || closed.outcome === 'failed') return null;
  return idempotency.remember(await answerFromEntry(deps.caller, closed));
}

const changeUnderWay = () =>
  new Refusal('change-under-way', 'Somebody changes the same subscriber at this moment. Try again.', {
    headers: { 'Retry-After': '5' },
  });

export type JournalRouteParts = Pick<BffDeps, 'db'> & { journal: Journal };

export function createJournalRoutes({ db, journal }: JournalRouteParts) {
  return {
    listActivity: async ({ query }, _, user) => Response.json(await listActivity(db, query, user)),
    undoChange({ params }, context, user) {
      const makeRequest = () => makeUndoRequest(db, params.id, user);
      return journal.doChange(['undoChange', params], makeRequest, context, user);
    },
  } satisfies Partial<BffHandlers>;
}
