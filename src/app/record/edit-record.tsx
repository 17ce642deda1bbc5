import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { updateSubscriber, useChange } from '../api/changes.ts';
import { subscriberQuery } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { ChangeDialog } from '../subscriber/change-dialog.tsx';
import { describeFailure } from '../subscriber/change-failure.tsx';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import { UndoNote } from '../subscriber/undo-note.tsx';
import { showDoneToast } from '../subscriber/undo.tsx';
import { useApp } from '../components/app-context.ts';
import { useIsMounted } from '../components/use-is-mounted.ts';
import { inputOf, listsMissing } from '../subscriber/subscriber-fields.ts';

/** A subscriber on the screen, and what a change of it needs. */
export interface ShownRecord {
  subscriber: SubscriberWithLists;
  etag: string | null;
  /** Why nothing can be changed yet. */
  waiting: string | undefined;
}

/** Why the user cannot change this record; undefined if they can. */
export function useWhyNoEdit({ subscriber, waiting }: Omit<ShownRecord, 'etag'>): string | undefined {
  const { reason } = usePermission('updateSubscriber');
  if (reason ?? waiting) return reason ?? waiting;
  return inputOf(subscriber) ? undefined : listsMissing;
}

/** A change of a few fields that is offered by a button. */
export interface OfferedEdit {
  /** The title of the dialog, such as "Turn on HLS?". */
  title: string;
  /** The text of its button. */
  action: string;
  /** What the fields are to be, computed from the record: it may change while the dialog is open. */
  change: (values: SubscriberInput) => Partial<SubscriberInput>;
  /** What the toast says afterwards. */
  text: string;
}

const done = 'the change was saved';

/** Shows the fields before and after a change, and saves the whole record when the user confirms it. */
export function EditDialog(props: {
  subscriber: SubscriberWithLists;
  etag: string | null;
  edit: OfferedEdit;
  onClose: () => void;
}) {
  const { subscriber, etag, edit, onClose } = props;
  const { id, username } = subscriber;
  const app = useApp();
  const isMounted = useIsMounted();
  const update = useChange(updateSubscriber, {
    onSuccess: (saved) => {
      app.queryClient.setQueryData(subscriberQuery(id).queryKey, saved);
      const { entry } = saved;
      showDoneToast(app, { text: edit.text, operation: 'updateSubscriber', username, entry });
      if (isMounted.current) onClose();
    },
    onError: (error) => {
      if (!isMounted.current)
        app.toasts.show('bad', `${username}: ${describeFailure(error, done, 'Check the subscriber')}`);
    },
  });
  const values = inputOf(subscriber);
  if (!values) return null;
  const after = edit.change(values);
  const before = Object.fromEntries(Object.entries(values).filter(([name]) => name in after));
  return (
    <ChangeDialog
      title={edit.title}
      action={edit.action}
      busyAction="Saving…"
      look="primary"
      done={done}
      change={update}
      onConfirm={(reason) => update.mutate({ id, etag, body: { ...values, ...after }, reason })}
      onClose={onClose}
    >
      <p>
        This changes <strong>{username}</strong>:
      </p>
      <ChangedFields entry={{ before, after, outcome: 'done' }} />
      <UndoNote operation="updateSubscriber" />
    </ChangeDialog>
  );
}
