import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../contract/http/client.ts';
import { deleteSubscriber, sendChange } from '../../api/changes.ts';
import { isNoSuchSubscriber } from '../../api/error-kinds.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { isUncertain, type UnconfirmedChange } from '../../api/send-idempotent.ts';
import { counted, grouped } from '../../components/count.ts';
import type { SelectedSubscriber } from './selection-store.ts';

/** A subscriber to delete, as it was when the dialog opened. */
export interface Target extends SelectedSubscriber {
  /** Null where its details had not been read. */
  etag: string | null;
}

/** The result for one subscriber. `gone`: it did not exist any more; `kept`: it was not deleted. */
export type DeletionResult =
  | { state: 'deleting' | 'deleted' | 'gone' }
  | { state: 'kept' | 'unknown'; error: Error };

/** By id; one that is missing was not tried. */
export type DeletionResults = ReadonlyMap<number, DeletionResult>;

/**
 * Deletes one after the other, each once: another try after a lost answer sends the same key.
 *
 * Stops where the next one would fail as well, as while the service does not answer.
 *
 * @param options.shouldContinue asked before each
 * @param options.onResults called with all results so far, after each
 */
export async function deleteEach(
  cache: QueryClient,
  targets: readonly Target[],
  options: {
    reason: string;
    results: DeletionResults;
    shouldContinue: () => boolean;
    onResults: (results: DeletionResults) => void;
    onUnconfirmed: (unconfirmed: UnconfirmedChange | null) => void;
  },
): Promise<DeletionResults> {
  let { results } = options;
  const add = (id: number, result: DeletionResult) => {
    results = new Map(results).set(id, result);
    options.onResults(results);
  };
  for (const target of targets.filter(({ id }) => canTry(results.get(id)))) {
    if (!options.shouldContinue()) break;
    add(target.id, { state: 'deleting' });
    const result = await deleteOne(cache, target, options.reason, options.onUnconfirmed);
    add(target.id, result);
    if ('error' in result && !isAboutThis(result.error)) break;
  }
  for (const [id, result] of results)
    if (result.state === 'unknown' && (await isGone(cache, id))) add(id, { state: 'gone' });
  return results;
}

/** Whether another try makes sense: not after success, nor before somebody has looked at what was changed. */
export function canTry(result: DeletionResult | undefined): boolean {
  if (!result) return true;
  return (
    'error' in result && !(result.error instanceof ApiError && result.error.code === 'changed-meanwhile')
  );
}

export const isRemoved = (result: DeletionResult | undefined): boolean =>
  result?.state === 'deleted' || result?.state === 'gone';

// The lists are refreshed once at the end, not after each.
const withoutRefresh = { ...deleteSubscriber, invalidates: [] };

async function deleteOne(
  cache: QueryClient,
  { id, etag }: Target,
  reason: string,
  onUnconfirmed: (unconfirmed: UnconfirmedChange | null) => void,
): Promise<DeletionResult> {
  try {
    await sendChange(cache, withoutRefresh, { id, etag, reason }, onUnconfirmed);
    return { state: 'deleted' };
  } catch (thrown) {
    const error = Object(thrown) as Error;
    if (error instanceof ApiError && error.code === 'no-such-subscriber') return { state: 'gone' };
    return { state: isUncertain(error) ? 'unknown' : 'kept', error };
  }
}

/** Whether an error is about this subscriber, not about the service, the connection or the permission. */
function isAboutThis(error: Error): boolean {
  return error instanceof ApiError && [404, 409, 412, 422].includes(error.status);
}

/** Looks after a lost answer. A subscriber that is found may still be deleted a moment later. */
async function isGone(cache: QueryClient, id: number): Promise<boolean> {
  const query = { ...subscriberQuery(id), staleTime: 0, retry: false };
  return cache.fetchQuery(query).then(
    () => false,
    (error: unknown) => error instanceof Error && isNoSuchSubscriber(error),
  );
}

/** The results in one sentence, without the zeros. */
export function summarizeDeletion(targets: readonly Target[], results: DeletionResults): string {
  const count = (state: DeletionResult['state'] | undefined) =>
    targets.filter(({ id }) => results.get(id)?.state === state).length;
  const deleted = count('deleted');
  const all = deleted === targets.length;
  const parts = [
    all
      ? `${counted(deleted, 'subscriber')} deleted`
      : `${grouped(deleted)} of ${counted(targets.length, 'subscriber')} deleted`,
    some(count('gone'), 'not there any more'),
    some(count('kept'), 'not deleted'),
    some(count('unknown'), 'not known'),
    some(count(undefined), 'not tried'),
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}

const some = (amount: number, words: string) => amount > 0 && `${grouped(amount)} ${words}`;
