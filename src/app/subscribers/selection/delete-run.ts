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
  /** Null if its details had not been read. */
  etag: string | null;
}

/** The result for one subscriber. `gone`: it did not exist any more; `kept`: it was not deleted. */
export type DeletionResult =
  | { state: 'deleting' | 'gone' }
  | { state: 'deleted'; status: number }
  | { state: 'kept' | 'unknown'; error: Error };

/** By id. A subscriber without a result was not tried. */
export type DeletionResults = ReadonlyMap<number, DeletionResult>;

/**
 * Deletes one after the other. A retry after a lost answer sends the same key, so nothing is deleted twice.
 *
 * Stops after an error that the next one would have too, such as no answer from the service.
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

/** Whether to offer another try: not after success, and not if somebody changed it, which the user has to look at. */
export function canTry(result: DeletionResult | undefined): boolean {
  if (!result) return true;
  return (
    'error' in result && !(result.error instanceof ApiError && result.error.code === 'changed-meanwhile')
  );
}

export const isRemoved = (result: DeletionResult | undefined): boolean =>
  result?.state === 'deleted' || result?.state === 'gone';

export const hasErrors = (results: DeletionResults): boolean =>
  [...results.values()].some((result) => 'error' in result);

// The lists are refreshed once at the end, not after each.
const withoutRefresh = { ...deleteSubscriber, invalidates: [] };

async function deleteOne(
  cache: QueryClient,
  { id, etag }: Target,
  reason: string,
  onUnconfirmed: (unconfirmed: UnconfirmedChange | null) => void,
): Promise<DeletionResult> {
  try {
    const { data } = await sendChange(cache, withoutRefresh, { id, etag, reason }, onUnconfirmed);
    return { state: 'deleted', status: data.status };
  } catch (thrown) {
    const error = Object(thrown) as Error;
    if (error instanceof ApiError && error.code === 'no-such-subscriber') return { state: 'gone' };
    return { state: isUncertain(error) ? 'unknown' : 'kept', error };
  }
}

/** Whether an error is about this subscriber, not about the service, the connection or permissions. */
function isAboutThis(error: Error): boolean {
  return error instanceof ApiError && [404, 409, 412, 422].includes(error.status);
}

/** Checks after a lost answer. A subscriber that still exists may be deleted a moment later. */
async function isGone(cache: QueryClient, id: number): Promise<boolean> {
  const query = { ...subscriberQuery(id), staleTime: 0, retry: false };
  return cache.fetchQuery(query).then(
    () => false,
    (error: unknown) => error instanceof Error && isNoSuchSubscriber(error),
  );
}

/** The results in one sentence, without the zeros. */
export function summarizeDeletion(
  targets: readonly Target[],
  results: DeletionResults,
  isStopped = false,
): string {
  const count = (state: DeletionResult['state'] | undefined) =>
    targets.filter(({ id }) => results.get(id)?.state === state).length;
  const deleted = count('deleted');
  const others = [
    some(count('gone'), 'already deleted'),
    some(count('kept'), 'not deleted'),
    some(count('unknown'), 'unknown'),
    some(count(undefined), isStopped ? 'unchanged' : 'not tried'),
  ].filter(Boolean);
  const all = counted(targets.length, 'subscriber');
  if (others.length === 0) return `${all} deleted.`;
  const first = isStopped ? `Stopped. ${grouped(deleted)} deleted` : `${grouped(deleted)} of ${all} deleted`;
  return `${[first, ...others].join(', ')}.`;
}

const some = (amount: number, words: string) => amount > 0 && `${grouped(amount)} ${words}`;
