import type { QueryClient } from '@tanstack/react-query';
import type { Change, JournalEntry } from '../../contract/bff/journal.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { undoOf } from '../../contract/bff/undo.ts';
import { undoChange } from '../api/changes.ts';
import { desk } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { sendChange } from '../api/use-change.ts';
import { replaceToast, showToast } from '../components/toast.tsx';
import { doubtOf } from './unconfirmed-notice.tsx';
import { outcomeOf } from './outcome.ts';
import { undoBefore } from './undo-kind.ts';

/** A change that was done a moment ago. */
interface Done {
  /** What is said of it. */
  text: string;
  operation: Change;
  subscriberId: number | null;
  /** The entry that it took back. */
  undoOf?: string;
}

/** Says that a change is done, with the way back where there is one for this person. */
export function tellDone(cache: QueryClient, done: Done, toast = showToast('ok', done.text)): void {
  const session = cache.getQueryData(sessionQuery.queryKey);
  const way = undoBefore(done.operation);
  const mayUndo = way.operation !== null && session?.can.includes(way.operation);
  if (!session?.can.includes('undoChange') || !mayUndo) {
    replaceToast(toast, 'ok', done.text);
    return;
  }
  // Looked for at once: later there may be another change like it.
  const entry = findEntry(done, session.staff.name);
  const onPress = () => void takeBack(cache, entry, toast);
  replaceToast(toast, 'ok', done.text, { label: 'Undo', description: way.sentence, onPress });
}

/** What is said of a change that was taken back. */
export function undone({ operation, username }: JournalEntry, now: SubscriberDetail): string {
  if (operation === 'createSubscriber') return `${username} is deleted again.`;
  if (operation === 'deleteSubscriber')
    return `${now.username} is there again, as #${now.id}, with a new access token.`;
  return `${now.username} is as it was before.`;
}

/** Says that an entry was taken back; that can be taken back in its turn. */
export function tellUndone(
  cache: QueryClient,
  entry: JournalEntry,
  now: SubscriberDetail,
  toast?: number,
): void {
  const operation = undoOf({ ...entry, undoneBy: null }).operation ?? entry.operation;
  const subscriberId = operation === 'createSubscriber' ? now.id : entry.subscriberId;
  tellDone(cache, { text: undone(entry, now), operation, subscriberId, undoOf: entry.id }, toast);
}

async function takeBack(cache: QueryClient, wanted: Promise<JournalEntry | null>, toast: number) {
  const underWay = { label: 'Undo', onPress: null };
  replaceToast(toast, 'busy', 'Undoing…', underWay);
  const entry = await wanted;
  if (!entry) {
    replaceToast(
      toast,
      'bad',
      'The journal could not be read, so nothing was undone. Undo it under Activity.',
    );
    return;
  }
  try {
    const { data } = await sendChange(cache, undoChange, { id: entry.id }, (doubt) => {
      if (doubt?.asking === false)
        replaceToast(toast, 'busy', doubtOf(done), { label: 'Try again', onPress: doubt.askNow });
      else replaceToast(toast, 'busy', 'Undoing…', underWay);
    });
    tellUndone(cache, entry, data, toast);
  } catch (error) {
    const words = outcomeOf(Object(error) as Error, done, 'Look at the subscriber');
    replaceToast(toast, 'bad', words);
  }
}

const done = 'it was undone';

/** The entry of a change of one's own; null where the journal cannot be read. */
async function findEntry(wanted: Done, staff: string): Promise<JournalEntry | null> {
  if (wanted.subscriberId === null) return null;
  const query = { subscriberId: wanted.subscriberId, pageSize: 10 };
  const page = await desk.listActivity({ query }).catch(() => null);
  const isWanted = (entry: JournalEntry) =>
    entry.operation === wanted.operation &&
    entry.outcome === 'done' &&
    entry.staff.name === staff &&
    entry.undoOf === (wanted.undoOf ?? null);
  return page?.data.items.find(isWanted) ?? null;
}
