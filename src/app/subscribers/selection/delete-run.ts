import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../contract/http/client.ts';
import { deleteSubscriber } from '../../api/changes.ts';
import { isUncertain, type UnconfirmedChange } from '../../api/send-idempotent.ts';
import { isNoSuchSubscriber } from '../../api/no-such-subscriber.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { sendChange } from '../../api/use-change.ts';
import type { Chosen } from './selection-query.ts';

/** One that is to be deleted, as it was when that was asked; without a version nobody had looked at it closer. */
export interface Target extends Chosen {
  etag: string | null;
}

/** What became of one. `gone`: it was not there any more; `kept`: it is still there, for a reason. */
export type Fate = { state: 'deleting' | 'deleted' | 'gone' } | { state: 'kept' | 'unknown'; error: Error };

/** By id; who is not among them was not tried. */
export type Fates = ReadonlyMap<number, Fate>;

/**
 * Deletes one after the other, each once: who is wanted again after an answer was lost goes with the same key.
 *
 * Ends early where the next one would fare no better, as while the service does not answer.
 *
 * @param goesOn asked before each
 * @param tell called with all that is known, whenever it is more
 */
export async function deleteEach(
  cache: QueryClient,
  targets: readonly Target[],
  options: {
    reason: string;
    fates: Fates;
    goesOn: () => boolean;
    tell: (fates: Fates) => void;
    onUnconfirmed: (unconfirmed: UnconfirmedChange | null) => void;
  },
): Promise<Fates> {
  let { fates } = options;
  const put = (id: number, fate: Fate) => {
    fates = new Map(fates).set(id, fate);
    options.tell(fates);
  };
  for (const target of targets.filter(({ id }) => canTry(fates.get(id)))) {
    if (!options.goesOn()) break;
    put(target.id, { state: 'deleting' });
    const fate = await deleteOne(cache, target, options.reason, options.onUnconfirmed);
    put(target.id, fate);
    if ('error' in fate && !isAboutThis(fate.error)) break;
  }
  for (const [id, fate] of fates)
    if (fate.state === 'unknown' && (await isGone(cache, id))) put(id, { state: 'gone' });
  return fates;
}

/** Whether trying can bring something: not for who is gone, nor before somebody has looked at what was changed. */
export function canTry(fate: Fate | undefined): boolean {
  if (!fate) return true;
  return 'error' in fate && !(fate.error instanceof ApiError && fate.error.code === 'changed-meanwhile');
}

export const isAway = (fate: Fate | undefined): boolean =>
  fate?.state === 'deleted' || fate?.state === 'gone';

// The rest of the page learns of them all at the end, not of each: it would be asked anew as often.
const quietly = { ...deleteSubscriber, invalidates: [] };

async function deleteOne(
  cache: QueryClient,
  { id, etag }: Target,
  reason: string,
  onUnconfirmed: (unconfirmed: UnconfirmedChange | null) => void,
): Promise<Fate> {
  try {
    await sendChange(cache, quietly, { id, etag, reason }, onUnconfirmed);
    return { state: 'deleted' };
  } catch (thrown) {
    const error = Object(thrown) as Error;
    if (error instanceof ApiError && error.code === 'no-such-subscriber') return { state: 'gone' };
    return { state: isUncertain(error) ? 'unknown' : 'kept', error };
  }
}

/** Whether an error says something of this one, and not of the service, the connection or the person. */
function isAboutThis(error: Error): boolean {
  return error instanceof ApiError && [404, 409, 412, 422].includes(error.status);
}

/** Looks where no answer told; who is found may still go, so that only an absence says something. */
async function isGone(cache: QueryClient, id: number): Promise<boolean> {
  const look = { ...subscriberQuery(id), staleTime: 0, retry: false };
  return cache.fetchQuery(look).then(
    () => false,
    (error: unknown) => error instanceof Error && isNoSuchSubscriber(error),
  );
}
