import { useState } from 'react';
import type { Change, JournalEntry } from '../../contract/bff/journal.ts';
import { undoOf } from '../../contract/bff/undo.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { sendChange, undoChange, useChange } from '../api/changes.ts';
import { clientsOf } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { useApp, type App } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { describeFailure, unconfirmedText } from './change-failure.tsx';
import { undoOfChange, undoSentence } from './undo-note.tsx';

/** What would be true if an undo had gone through. */
const done = 'it was undone';

/** The Undo button of a journal entry, or the reason why it cannot be undone; nothing for what was not done. */
export function UndoEntry({ entry }: { entry: JournalEntry }) {
  const [asking, setAsking] = useState(false);
  const undo = undoOf(entry);
  const general = usePermission('undoChange');
  const own = usePermission(undo.operation ?? 'undoChange');
  if (entry.outcome !== 'done') return null;
  const reason = undo.operation === null ? undoSentence(undo) : (general.reason ?? own.reason);
  return (
    <>
      <Button look="quiet" small reason={reason} onClick={() => setAsking(true)}>
        Undo
      </Button>
      {asking && <UndoDialog entry={entry} onClose={() => setAsking(false)} />}
    </>
  );
}

function UndoDialog({ entry, onClose }: { entry: JournalEntry; onClose: () => void }) {
  const app = useApp();
  const undo = undoOf(entry);
  const change = useChange(undoChange, {
    onSuccess: ({ data }) => {
      onClose();
      showUndoneToast(app, entry, data);
    },
  });
  return (
    <ChangeDialog
      title="Undo this change?"
      action="Undo"
      busyAction="Undoing…"
      look={undo.operation === 'deleteSubscriber' ? 'danger' : 'primary'}
      done={done}
      change={change}
      onConfirm={(reason) => change.mutate({ id: entry.id, reason })}
      onClose={onClose}
    >
      <p>
        <strong>{entry.username}</strong>: {undo.sentence}
      </p>
    </ChangeDialog>
  );
}

/** A change that was done a moment ago. */
interface DoneChange {
  /** What the toast says. */
  text: string;
  operation: Change;
  subscriberId: number | null;
  /** The id of the entry that it undid. */
  undoOf?: string;
}

/** Says that a change is done, with an Undo button if this person may undo it. */
export function showDoneToast(
  app: App,
  change: DoneChange,
  toast = app.toasts.show('ok', change.text),
): void {
  const { toasts, queryClient } = app;
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  const undo = undoOfChange(change.operation);
  const mayUndo = undo.operation !== null && session?.can.includes(undo.operation);
  if (!session?.can.includes('undoChange') || !mayUndo) {
    toasts.replace(toast, 'ok', change.text);
    return;
  }
  // Looked up at once: later there may be another change like it.
  const entry = findEntry(app, change, session.staff.id);
  const onPress = () => void undoFromToast(app, entry, toast);
  toasts.replace(toast, 'ok', change.text, { label: 'Undo', description: undo.sentence, onPress });
}

/** Says that an entry was undone; that can be undone too. */
function showUndoneToast(app: App, entry: JournalEntry, now: SubscriberDetail, toast?: number): void {
  const operation = undoOf({ ...entry, undoneBy: null }).operation ?? entry.operation;
  const subscriberId = operation === 'createSubscriber' ? now.id : entry.subscriberId;
  showDoneToast(app, { text: undoneText(entry, now), operation, subscriberId, undoOf: entry.id }, toast);
}

function undoneText({ operation, username }: JournalEntry, now: SubscriberDetail): string {
  if (operation === 'createSubscriber') return `${username} is deleted again.`;
  if (operation === 'deleteSubscriber')
    return `${now.username} is there again, as #${now.id}, with a new access token.`;
  return `${now.username} is as it was before.`;
}

async function undoFromToast(app: App, search: Promise<JournalEntry | null>, toast: number) {
  const { toasts, queryClient } = app;
  const underWay = { label: 'Undo', onPress: null };
  toasts.replace(toast, 'busy', 'Undoing…', underWay);
  const entry = await search;
  if (!entry) {
    const text = 'The journal could not be read, so nothing was undone. Undo it under Activity.';
    toasts.replace(toast, 'bad', text);
    return;
  }
  try {
    const { data } = await sendChange(queryClient, undoChange, { id: entry.id }, (unconfirmed) => {
      if (unconfirmed?.asking === false) {
        const tryAgain = { label: 'Try again', onPress: unconfirmed.askNow };
        toasts.replace(toast, 'busy', unconfirmedText(done), tryAgain);
      } else toasts.replace(toast, 'busy', 'Undoing…', underWay);
    });
    showUndoneToast(app, entry, data, toast);
  } catch (error) {
    toasts.replace(toast, 'bad', describeFailure(Object(error) as Error, done, 'Look at the subscriber'));
  }
}

/** The journal entry of a change of this person; null if the journal cannot be read. */
async function findEntry(
  { queryClient }: App,
  change: DoneChange,
  staffId: string,
): Promise<JournalEntry | null> {
  if (change.subscriberId === null) return null;
  const query = { subscriberId: change.subscriberId, pageSize: 10 };
  const page = await clientsOf(queryClient)
    .bff.listActivity({ query })
    .catch(() => null);
  const isWanted = (entry: JournalEntry) =>
    entry.operation === change.operation &&
    entry.outcome === 'done' &&
    entry.staff.id === staffId &&
    entry.undoOf === (change.undoOf ?? null);
  return page?.data.items.find(isWanted) ?? null;
}
