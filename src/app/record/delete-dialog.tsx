import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../contract/http/client.ts';
import { deleteSubscriber, useChange } from '../api/changes.ts';
import { subscriberQuery } from '../api/queries.ts';
import { ChangeDialog } from '../subscriber/change-dialog.tsx';
import { describeFailure } from '../subscriber/change-failure.tsx';
import { showDoneToast } from '../subscriber/undo.tsx';
import { UndoNote } from '../subscriber/undo-note.tsx';
import { useApp } from '../components/app-context.ts';
import { useIsMounted } from '../components/use-is-mounted.ts';
import { deselect } from '../subscriber/selection-store.ts';
import type { SelectedSubscriber } from '../subscriber/selection-query.ts';

const done = 'the subscriber was deleted';

/** Asks before a subscriber is deleted. */
export function DeleteDialog(props: {
  subscriber: SelectedSubscriber;
  etag: string | null;
  onClose: () => void;
}) {
  // The dialog is about the subscriber it was opened for, even if the page behind shows another one by now.
  const [{ id, username, email }] = useState(props.subscriber);
  const [etag] = useState(props.etag);
  const navigate = useNavigate();
  const app = useApp();
  const { queryClient, toasts } = app;
  const isMounted = useIsMounted();
  const removal = useChange(deleteSubscriber, {
    onSuccess: async ({ data, entry }) => {
      showDoneToast(app, {
        text: `${username} was deleted.`,
        operation: 'deleteSubscriber',
        username,
        entry,
        status: data.status,
      });
      deselect(queryClient, [{ id }]);
      // A user who closed the dialog before the answer may be on another page by now.
      if (!isMounted.current) return;
      await navigate({ to: '/subscribers', search: true, resetScroll: false });
      queryClient.removeQueries({ queryKey: subscriberQuery(id).queryKey });
      document.getElementById('list-heading')?.focus({ preventScroll: true });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'no-such-subscriber') deselect(queryClient, [{ id }]);
      if (!isMounted.current)
        toasts.show('bad', `${username}: ${describeFailure(error, done, 'Check the list')}`);
    },
  });
  return (
    <ChangeDialog
      title={`Delete ${username}?`}
      action="Delete subscriber"
      busyAction="Deleting…"
      done={done}
      change={removal}
      onConfirm={(reason) => removal.mutate({ id, etag, reason })}
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
