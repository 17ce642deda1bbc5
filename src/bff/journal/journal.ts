import type { BffDeps } from '../deps.ts';
import { upstreamLimits, pause } from '../upstream/exchange.ts';
import type { ChangeContext, ChangeOrigin, ChangeRequest, JournalDeps } from './change-request.ts';
import { beginChange, finishChange, lockKeyOf } from './change.ts';
import { findByKey, type IdempotencyKey } from './idempotency.ts';
import { createAppend } from './chain.ts';
import { createMaintenance, logHead } from './maintenance.ts';
import { reconcileAbandoned, resultFromEntry, type ChangeResult } from './reconcile.ts';
import { createChangeQueues, createWaiting, type WaitLonger } from './waiting.ts';

export interface Journal {
  /**
   * Makes a change exactly once, and writes who did what. Changes of the same subscriber wait for each other, and leave
   * if nobody waits for them any more. One that has begun goes on to its end.
   *
   * @param makeRequest makes the change request; called at most once
   * @throws {Problem} why the change was not made, or `outcome-unknown`
   */
  change(makeRequest: () => Promise<ChangeRequest>, origin: ChangeOrigin): Promise<ChangeResult>;
  /** See `createMaintenance`. Call it at the start and about every minute; it never fails. */
  runMaintenance(): Promise<void>;
  /** Writes the head of the chain to the log, which is its witness then. To be called at the stop; it never fails. */
  logHead(): Promise<void>;
}

export function createJournal(
  deps: Omit<JournalDeps, 'wait' | 'append'> & Pick<BffDeps, 'wait' | 'journalDays'>,
): Journal {
  const { wait = pause } = deps;
  let underWay = 0;
  const append = createAppend(deps.db, deps.mac, () => underWay > 1);
  const own: JournalDeps = { ...deps, wait, append };
  const { subscribers, keys } = createChangeQueues();
  return {
    async change(makeRequest, origin) {
      const { key, signal } = origin;
      const waitLonger = createWaiting(own, signal);
      const findEarlier = async () => key && earlierResult(own, key, origin, waitLonger);
      const change = async () => {
        const earlier = await findEarlier();
        if (earlier) return earlier;
        const given = { ...origin, change: await makeRequest() };
        const attempt = async () => {
          for (;;) {
            underWay += 1;
            const result = await tryChange(own, given).finally(() => (underWay -= 1));
            if (result) return result;
            await waitLonger('others');
            const meanwhile = await findEarlier();
            if (meanwhile) return meanwhile;
          }
        };
        return subscribers.run(lockKeyOf(given.change), attempt, signal);
      };
      return key ? keys.run(key.key_hash, change, signal) : change();
    },
    runMaintenance: createMaintenance(own, deps.journalDays),
    logHead: () => logHead(deps),
  };
}

/** @returns null if another change of the same subscriber is in the way, or an earlier request with the same key */
async function tryChange(
  deps: JournalDeps,
  given: Omit<ChangeContext, 'deadline'>,
): Promise<ChangeResult | null> {
  const timed = { ...given, deadline: deps.clock() + (deps.limits ?? upstreamLimits).total };
  const begun = await beginChange(deps, timed);
  return begun && finishChange(deps, timed, begun);
}

/** The result of an earlier request with the same key, as soon as there is one; null if the change may be made. */
async function earlierResult(
  deps: JournalDeps,
  key: IdempotencyKey,
  { recheckAccess }: ChangeOrigin,
  waitLonger: WaitLonger,
): Promise<ChangeResult | null> {
  for (;;) {
    const known = await findByKey(deps.db, key, deps.clock());
    if (!known) return null;
    await recheckAccess();
    const closed = known.outcome === null ? await reconcileAbandoned(deps, known) : known;
    // One that was not made has lost its key by now.
    if (closed && closed.outcome !== 'failed') return resultFromEntry(deps.caller, closed);
    await waitLonger('own');
  }
}
