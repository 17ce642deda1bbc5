import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Change, type ChangeEntry, undoOf, type Undo } from '../../contract/bff/journal.ts';
import type { ApiError, Reply } from '../../contract/http/client.ts';
import type { Person } from '../../contract/http/shapes.ts';
import type { Subscriber, SubscriberDetail, Status } from '../../contract/service/subscriber.ts';
import { isSamePerson } from '../api/action-errors.ts';
import { sessionQuery, statusesQuery } from '../api/queries.ts';
import { usePermission, useSession } from '../api/session.ts';
import { undoBy, useAction, type DoneToast } from '../api/use-action.ts';
import { useApp, useLeavesFocus } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { nameOfPerson } from '../components/badge.tsx';
import { clockTime } from '../components/format.ts';
import { isPartName, partLabels } from './subscriber-fields.ts';
import { useStatuses, nameOfStatus } from './status-badge.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { ChangedFields } from './changed-fields.tsx';
import { statusOfActive } from '../../contract/service/limits.ts';

/**
 * The Undo button of a journal entry; off, with the reason, if it cannot be undone. Nothing for what was not done, and for viewers.
 *
 * @param props.again it is the button "Make again" of a deletion, where the subscriber is looked for
 */
export function UndoEntry(props: { entry: ChangeEntry; again?: boolean }) {
  const { entry, again = false } = props;
  const user = useSession()?.staff.id;
  const [asking, setAsking] = useState(false);
  // The newest entry may put this one out of the list. A page without a list says itself who gets the focus.
  const leavesFocus = useLeavesFocus();
  const undo = undoOf(entry);
  const notAllowed = usePermission(...(undo.operation === null ? [] : undo.needs)).reason;
  // Somebody who may only view reads that once, not at each entry.
  const { allowed } = usePermission('updateSubscriber');
  if (entry.outcome !== 'done' || !allowed) return null;
  const reason = undo.operation === null ? undo.sentence : (notAllowed ?? describeLater(entry, user));
  return (
    <>
      <Button
        ref={again ? undefined : leavesFocus}
        variant={again ? 'plain' : 'quiet'}
        small={!again}
        reason={reason}
        onClick={() => setAsking(true)}
      >
        {again ? 'Make again…' : 'Undo'}
      </Button>
      {asking && <UndoDialog entry={entry} again={again} onClose={() => setAsking(false)} />}
    </>
  );
}

/** A sentence about who has changed a field of an edit again, to another value; undefined if the edit can be undone. */
function describeLater({ changedAgain }: ChangeEntry, user: string | undefined): string | undefined {
  if (!changedAgain) return undefined;
  const { field, staff } = changedAgain;
  const who = staff.id === user ? 'You' : nameOfPerson(staff);
  return `${who} changed ${isPartName(field) ? partLabels[field] : field} again later. Undo that first.`;
}

function UndoDialog(props: { entry: ChangeEntry; again: boolean; onClose: () => void }) {
  const { entry, again, onClose } = props;
  const { queryClient } = useApp();
  const undoing = useAction('undoChange', {
    ...undoOptions,
    toast: (reply) => undoneToast(queryClient, entry, reply),
    onDone: onClose,
  });
  return (
    <ChangeDialog
      title={again ? `Make ${entry.username} again?` : 'Undo this change?'}
      action={again ? 'Make again' : 'Undo'}
      busyAction={again ? 'Making it again…' : 'Undoing…'}
      variant={undoOf(entry).operation === 'deleteSubscriber' ? 'danger' : 'primary'}
      acting={undoing}
      onConfirm={(reason) => void undoing.run({ params: { id: entry.id } }, { reason })}
      onClose={onClose}
    >
      <UndoEffect entry={entry} />
    </ChangeDialog>
  );
}

/** The effect that the undo of an entry will have on its subscriber; for an edit, field by field. */
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

type Undone = Pick<ChangeEntry, 'operation' | 'username'>;

/** Says that a change is done, with an Undo button if this person may undo it. */
export function doneToast(
  cache: QueryClient,
  operation: Change,
  { data, entry }: Reply<Pick<Subscriber, 'username' | 'status'>>,
  text: string,
  tone: 'ok' | 'warn' = 'ok',
): DoneToast {
  const session = cache.getQueryData(sessionQuery.queryKey);
  const undo = undoOfChange(operation);
  const isAllowed = undo.operation !== null && undo.needs.every((need) => session?.can.includes(need));
  if (!isAllowed || entry === undefined) return { text, tone };
  const warning =
    operation === 'deleteSubscriber' &&
    describeNewStatus(data.status, cache.getQueryData(statusesQuery.queryKey));
  return {
    text: warning ? `${text} ${warning}` : text,
    tone,
    undo: {
      description: undoEffects[undo.operation],
      run: undoBy(
        'undoChange',
        { params: { id: entry } },
        {
          ...undoOptions,
          toast: (reply) => undoneToast(cache, { operation, username: data.username }, reply),
        },
      ),
    },
  };
}

/** Says that a change was undone, and offers to undo that. */
function undoneToast(cache: QueryClient, undone: Undone, reply: Reply<SubscriberDetail>): DoneToast {
  const operation = undoOfChange(undone.operation).operation ?? undone.operation;
  return doneToast(cache, operation, reply, undoneText(undone, reply.data));
}

function undoneText({ operation, username }: Undone, now: SubscriberDetail): string {
  if (operation === 'createSubscriber') return `Undone: ${username} was deleted.`;
  if (operation === 'deleteSubscriber')
    return `Undone: ${now.username} was created again as #${now.id}, with a new access token.`;
  return `Undone: ${now.username} is as it was before.`;
}

/** Says who changed the same fields later, and what to do: the user can undo only changes that are in the activity. */
export function describeUndoConflict(
  { code, obstacles: { conflicts = [] } }: ApiError,
  user: Person | undefined,
): string | undefined {
  if (code !== 'changed-since') return undefined;
  const later = [...Map.groupBy(conflicts, ({ by, at }) => `${by?.name} ${at}`).values()];
  const changes = later.map((fields) => {
    const [{ by, at } = { by: null, at: null }] = fields;
    const who = by === null ? 'someone' : isSamePerson(by, user) ? 'you' : nameOfPerson(by);
    const names = fields.map(({ field }) => (isPartName(field) ? partLabels[field] : field));
    return `${who} changed ${names.join(', ')} later${at === null ? '' : ` (${clockTime(Date.parse(at))})`}`;
  });
  const isKnown = later.length > 0 && conflicts.every(({ by }) => by !== null);
  const advice = isKnown
    ? `Undo ${later.length === 1 ? 'that' : 'those'} first.`
    : 'Edit the subscriber instead.';
  return `Nothing was undone: ${changes.join('; ') || 'someone changed it later'}. ${advice}`;
}

const undoOptions = {
  done: 'this was undone',
  check: 'Check the subscriber',
  describe: describeUndoConflict,
};

/** The undo of a change, once it is done. */
function undoOfChange(operation: Change): Undo {
  return undoOf({ operation, outcome: 'done', undoneBy: null, before: { note: '' } });
}

/** The effect of an undo, by its operation. */
export const undoEffects: Readonly<Record<Exclude<Undo['operation'], null>, string>> = {
  createSubscriber: 'Creates the subscriber again, with a new ID and access token.',
  updateSubscriber: 'Sets the fields back to what they were.',
  deleteSubscriber: 'Deletes the subscriber.',
};

/**
 * The status after the undo of a deletion, as a warning; undefined if it stays the same.
 *
 * @param status of the subscriber before the deletion
 */
function describeNewStatus(
  status: number | undefined,
  statuses: readonly Status[] | undefined,
): string | undefined {
  if (status === undefined) return undefined;
  const name = nameOfStatus(status, statuses) ?? `status ${status}`;
  return name === statusOfActive ? undefined : `It was ${name}. Undoing this makes it ${statusOfActive}.`;
}

/** Beside a button that makes a change, whether the change can be undone later, and by whom. */
export function UndoNote({ operation }: { operation: Change }) {
  const undo = undoOfChange(operation);
  const { reason } = usePermission(...(undo.operation === null ? [] : undo.needs));
  return <p className="aside">{sentenceOf(undo.operation, reason === undefined)}</p>;
}

function sentenceOf(undo: Undo['operation'], isAllowed: boolean): string {
  if (undo === null) return 'You can’t undo this.';
  if (!isAllowed) return 'Only a manager can undo this.';
  if (undo !== 'createSubscriber') return 'You can undo this after saving.';
  return 'You can’t fully undo this: it would get a new ID and access token.';
}
