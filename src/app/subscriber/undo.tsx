import { useState } from 'react';
import type { Change, ChangeEntry, JournalEntry } from '../../contract/bff/journal.ts';
import type { Reply } from '../../contract/http/client.ts';
import type { Session } from '../../contract/bff/session.ts';
import { undoOf } from '../../contract/bff/undo.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { sendChange, undoChange, useChange } from '../api/changes.ts';
import { sessionQuery, statusesQuery } from '../api/queries.ts';
import { useSession, useWhyNot } from '../api/session.ts';
import { useApp, type App } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { nameOfPerson } from '../components/person-name.tsx';
import { isPartName, partLabels } from './subscriber-fields.ts';
import { useStatuses } from './status-badge.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { checkNow, describeFailure, unconfirmedText } from './change-failure.tsx';
import { ChangedFields } from './changed-fields.tsx';
import { describeNewStatus, undoEffects, undoOfChange } from './undo-note.tsx';

/** What would be true if an undo had gone through. */
const done = 'this was undone';

/**
 * The Undo button of a journal entry; off, with the reason, if it cannot be undone. Nothing for what was not done.
 *
 * @param props.entries those of the page, newest first: what newer ones changed again has to be undone first
 * @param props.again it is the button "Make again" of a deletion, where the subscriber is looked for
 */
export function UndoEntry(props: { entry: ChangeEntry; entries?: readonly JournalEntry[]; again?: boolean }) {
  const { entry, entries = [], again = false } = props;
  const user = useSession()?.staff.id;
  const [asking, setAsking] = useState(false);
  const undo = undoOf(entry);
  const whyNot = useWhyNot(undo.operation === null ? [] : undo.needs);
  if (entry.outcome !== 'done') return null;
  const reason = undo.operation === null ? undo.sentence : (whyNot ?? describeLater(entry, entries, user));
  return (
    <>
      <Button look={again ? 'plain' : 'quiet'} small={!again} reason={reason} onClick={() => setAsking(true)}>
        {again ? 'Make again…' : 'Undo'}
      </Button>
      {asking && <UndoDialog entry={entry} again={again} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Who has changed a field of an edit again, to another value; undefined if the edit can be undone. */
function describeLater(
  entry: ChangeEntry,
  entries: readonly JournalEntry[],
  user: string | undefined,
): string | undefined {
  const { operation, subscriberId, after } = entry;
  if (operation !== 'updateSubscriber') return undefined;
  const newer = entries.slice(0, Math.max(0, entries.indexOf(entry)));
  const edits = newer.filter(
    (one): one is ChangeEntry =>
      one.kind === 'change' && one.outcome === 'done' && one.subscriberId === subscriberId,
  );
  for (const [name, value] of Object.entries(after ?? {})) {
    const last = edits.find((edit) => Object.hasOwn(edit.after ?? {}, name));
    const now = last && Object.entries(last.after ?? {}).find(([changed]) => changed === name)?.[1];
    if (!last || JSON.stringify(now) === JSON.stringify(value)) continue;
    const who = last.staff.id === user ? 'You' : nameOfPerson(last.staff);
    return `${who} changed ${isPartName(name) ? partLabels[name] : name} again later. Undo that first.`;
  }
  return undefined;
}

function UndoDialog(props: { entry: ChangeEntry; again: boolean; onClose: () => void }) {
  const { entry, again, onClose } = props;
  const app = useApp();
  const undo = undoOf(entry);
  const change = useChange(undoChange, {
    onSuccess: (reply) => {
      onClose();
      showUndoneToast(app, entry, reply);
    },
  });
  return (
    <ChangeDialog
      title={again ? `Make ${entry.username} again?` : 'Undo this change?'}
      action={again ? 'Make again' : 'Undo'}
      busyAction={again ? 'Making it again…' : 'Undoing…'}
      look={undo.operation === 'deleteSubscriber' ? 'danger' : 'primary'}
      done={done}
      change={change}
      onConfirm={(reason) => change.mutate({ id: entry.id, reason })}
      onClose={onClose}
    >
      <UndoEffect entry={entry} />
    </ChangeDialog>
  );
}

/** What the undo of an entry will do to its subscriber; for an edit, field by field. */
function UndoEffect({ entry }: { entry: ChangeEntry }) {
  const name = <strong>{entry.username}</strong>;
  const statuses = useStatuses();
  if (entry.operation === 'createSubscriber') return <p>This deletes {name}.</p>;
  if (entry.operation === 'deleteSubscriber') {
    const warning = describeNewStatus(entry.before?.status, statuses);
    return (
      <>
        <p>This creates {name} again, with a new ID and access token.</p>
        {warning && <Notice tone="warn">{warning}</Notice>}
        {entry.reason !== null && (
          <p>
            {nameOfPerson(entry.staff)} deleted it with the reason “{entry.reason}”.
          </p>
        )}
      </>
    );
  }
  const { before: after, after: before, outcome } = entry;
  return (
    <>
      <p>This changes {name} back:</p>
      <ChangedFields entry={{ before, after, outcome }} />
    </>
  );
}

/** A change that was done a moment ago. */
interface DoneChange {
  /** What the toast says, and whether it is a warning. */
  text: string;
  tone?: 'ok' | 'warn';
  operation: Change;
  username: string;
  /** The id of its entry in the journal; undefined where it is not known. */
  entry: string | undefined;
  /** Of a subscriber that was deleted. */
  status?: number;
}

/** Says that a change is done, with an Undo button if this person may undo it. */
export function showDoneToast(
  app: App,
  change: DoneChange,
  toast = app.toasts.show('ok', change.text),
): void {
  const { toasts, queryClient } = app;
  const { tone = 'ok', entry } = change;
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  const undo = undoOfChange(change.operation);
  const isAllowed = undo.operation !== null && undo.needs.every((need) => session?.can.includes(need));
  if (!isAllowed || entry === undefined || !session) {
    toasts.replace(toast, tone, change.text);
    return;
  }
  const warning = describeNewStatus(change.status, queryClient.getQueryData(statusesQuery.queryKey));
  const text = warning ? `${change.text} If you undo this: ${warning}` : change.text;
  const onPress = () => void undoFromToast(app, { ...change, entry }, toast, session.staff);
  const description = undoEffects[undo.operation];
  toasts.replace(toast, tone, text, { label: 'Undo', description, onPress });
}

type Undone = Pick<DoneChange, 'operation' | 'username'>;

/** Says that a change was undone, and offers to undo that. */
function showUndoneToast(
  app: App,
  undone: Undone,
  { data, entry }: Reply<SubscriberDetail>,
  toast?: number,
): void {
  const operation = undoOfChange(undone.operation).operation ?? undone.operation;
  const { username, status } = data;
  showDoneToast(
    app,
    {
      text: undoneText(undone, data),
      operation,
      username,
      entry,
      ...(operation === 'deleteSubscriber' && { status }),
    },
    toast,
  );
}

function undoneText({ operation, username }: Undone, now: SubscriberDetail): string {
  if (operation === 'createSubscriber') return `Undone: ${username} was deleted.`;
  if (operation === 'deleteSubscriber')
    return `Undone: ${now.username} was created again as #${now.id}, with a new access token.`;
  return `Undone: ${now.username} is as it was before.`;
}

async function undoFromToast(
  app: App,
  change: Undone & { entry: string },
  toast: number,
  user: Session['staff'],
): Promise<void> {
  const { toasts, queryClient } = app;
  const underWay = { label: 'Undo', onPress: null };
  toasts.replace(toast, 'busy', 'Undoing…', underWay);
  try {
    const reply = await sendChange(queryClient, undoChange, { id: change.entry }, (unconfirmed) => {
      if (unconfirmed?.asking === false) {
        const action = { label: checkNow, onPress: unconfirmed.askNow };
        toasts.replace(toast, 'busy', unconfirmedText(done), action);
      } else toasts.replace(toast, 'busy', 'Undoing…', underWay);
    });
    showUndoneToast(app, change, reply, toast);
  } catch (error) {
    const text = describeFailure(Object(error) as Error, done, 'Check the subscriber', user);
    toasts.replace(toast, 'bad', text);
  }
}
