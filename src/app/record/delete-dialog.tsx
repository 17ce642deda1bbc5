import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { SelectedSubscriber } from '../api/api.ts';
import { isNotFound } from '../api/errors.ts';
import { subscriberQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { useApp } from '../components/app-context.ts';
import { ChangeDialog } from '../subscriber/change-dialog.tsx';
import { deselect } from '../subscriber/selection-store.ts';
import { doneToast } from '../subscriber/undo.tsx';
import { UndoNote } from '../subscriber/undo-note.tsx';

/** Asks before a subscriber is deleted. */
export function DeleteDialog(props: {
  subscriber: SelectedSubscriber;
  etag: string | null;
  onClose: () => void;
}) {
  // The dialog is about the subscriber it was opened for, even if the page behind shows another one by now.
  const [{ subscriber, etag }] = useState(props);
  const { id, username, email } = subscriber;
  const navigate = useNavigate();
  const { queryClient, headingRef } = useApp();
  const removing = useAction('deleteSubscriber', {
    about: username,
    done: 'the subscriber was deleted',
    toast: (reply) => doneToast(queryClient, 'deleteSubscriber', reply, `${username} was deleted.`),
    onReply: () => deselect(queryClient, [{ id }]),
    onFailure: (error) => isNotFound(error) && deselect(queryClient, [{ id }]),
    onDone: async () => {
      await navigate({ to: '/subscribers', search: true, resetScroll: false });
      queryClient.removeQueries({ queryKey: subscriberQuery(id).queryKey });
      headingRef.current?.focus({ preventScroll: true });
    },
  });
  return (
    <ChangeDialog
      title={`Delete ${username}?`}
      action="Delete subscriber"
      busyAction="Deleting…"
      acting={removing}
      onConfirm={(reason) => void removing.run({ params: { id } }, { etag, reason })}
      onClose={props.onClose}
    >
      <p>
        This removes <strong>{username}</strong> (#{id}, {email}) with all its lists. Its access token stops
        working immediately.
      </p>
      <UndoNote operation="deleteSubscriber" />
    </ChangeDialog>
  );
}
