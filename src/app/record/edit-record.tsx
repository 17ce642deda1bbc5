import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import { type SubscriberInput, fieldLabels } from '../../contract/service/subscriber-input.ts';
import { usePermission } from '../api/session.ts';
import type { ActionReply } from '../api/actions.ts';
import { useAction, type ActionOptions } from '../api/use-action.ts';
import { useApp } from '../components/app-context.ts';
import { ChangeDialog } from '../subscriber/change-dialog.tsx';
import { ChangedFields } from '../subscriber/changed-fields.tsx';
import { UndoNote, doneToast } from '../subscriber/undo.tsx';
import { inputOf, listsMissing, type PartName } from '../subscriber/subscriber-fields.ts';

/** A subscriber, and the version that a change of it names. */
export interface Version {
  subscriber: SubscriberWithLists;
  etag: string | null;
}

/** A subscriber on the screen. */
export interface ShownRecord extends Version {
  /** True once the whole record is loaded. */
  complete: boolean;
  /** The name of the status. */
  status: string | undefined;
  /** The fields that others have changed just now. */
  changed: ReadonlySet<PartName>;
  /** The reason why nothing can be changed yet. */
  waiting: string | undefined;
}

/** The reason why the user cannot change this record; undefined if they can. */
export function useEditDisabledReason({ subscriber, waiting }: ShownRecord): string | undefined {
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
  /** Makes the new values of the fields, computed from the record: it may change while the dialog is open. */
  change: (values: SubscriberInput) => Partial<SubscriberInput>;
  /** The text of the toast afterwards. */
  text: string;
}

/** The offer to turn on a delivery format. */
export function turnOn(format: 'hls' | 'mpegTs', username: string): OfferedEdit {
  const name = fieldLabels[format];
  return {
    title: `Turn on ${name} for ${username}?`,
    action: `Turn on ${name}`,
    change: () => ({ [format]: true }),
    text: `${name} is on for ${username}.`,
  };
}

type Saved = ActionReply<'updateSubscriber'>['data'];

interface SavingFields extends Pick<ActionOptions<'updateSubscriber', unknown>, 'onReply' | 'onDone'> {
  /** The result of a success, such as "the countries were changed". */
  done: string;
  check?: string;
  /** The text of the toast afterwards, which has the way back, and its tone. */
  text: (saved: Saved) => string;
  tone?: (saved: Saved) => 'ok' | 'warn';
}

/** Saves new values of some fields. */
export function useSavedFields({ subscriber, etag }: Version, options: SavingFields) {
  const { queryClient } = useApp();
  const { id, username } = subscriber;
  const { text, tone, onDone, ...others } = options;
  const saving = useAction('updateSubscriber', {
    about: username,
    check: 'Check the subscriber',
    ...others,
    toast: (reply) => doneToast(queryClient, 'updateSubscriber', reply, text(reply.data), tone?.(reply.data)),
    // Without a dialog, the sentence would move what is below in the pane.
    ...(onDone ? { onDone } : { failures: 'toast' }),
  });
  return {
    ...saving,
    /** @param seen the version that was on the screen */
    async save(fields: Partial<SubscriberInput>, reason = '', seen = etag): Promise<void> {
      await saving.run({ params: { id }, body: fields }, { etag: seen, reason });
    },
  };
}

/** Shows the fields before and after a change, and saves them when the user confirms it. */
export function EditDialog(props: Version & { edit: OfferedEdit; onClose: () => void }) {
  const { subscriber, edit, onClose } = props;
  const saving = useSavedFields(props, {
    done: 'the change was saved',
    text: () => edit.text,
    onDone: onClose,
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
      variant="primary"
      acting={saving}
      onConfirm={(reason) => void saving.save(after, reason)}
      onClose={onClose}
    >
      <p>
        This changes <strong>{subscriber.username}</strong>:
      </p>
      <ChangedFields entry={{ before, after, outcome: 'done' }} />
      <UndoNote operation="updateSubscriber" />
    </ChangeDialog>
  );
}
