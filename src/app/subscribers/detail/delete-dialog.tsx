import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../../contract/http/client.ts';
import { deleteSubscriber } from '../../api/changes.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { useChange } from '../../api/use-change.ts';
import { ChangeDialog } from '../../changes/change-dialog.tsx';
import { describeFailure } from '../../changes/change-failure.tsx';
import { showDoneToast } from '../../changes/undo.tsx';
import { UndoNote } from '../../changes/undo-note.tsx';
import { useApp } from '../../components/app-context.ts';
import { useHere } from '../../components/use-is-mounted.ts';
import { drop } from '../selection/selection-store.ts';
import type { Chosen } from '../selection/selection-query.ts';

const done = 'the subscriber was deleted';

/** Asks before a subscriber goes, by name. */
export function DeleteDialog(props: {
  subscriber: Chosen;
  etag: string | null;
  onClose: () => void;
  /** Where it stands somewhere that stays when the subscriber has gone. */
  onDone?: () => void;
}) {
  const app = useApp();
  const { queryClient: cache, toasts } = app;
  // What was asked about stays what is deleted, whatever the page behind learns meanwhile.
  const [{ id, username, email }] = useState(props.subscriber);
  const [etag] = useState(props.etag);
  const navigate = useNavigate();
  const here = useHere();
  const removal = useChange(deleteSubscriber, {
    onSuccess: async () => {
      showDoneToast(app, {
        text: `${username} is deleted.`,
        operation: 'deleteSubscriber',
        subscriberId: id,
      });
      drop(cache, [{ id }]);
      // Whoever closed the dialog before the answer came may be elsewhere by now.
      if (!here.current) return;
      props.onDone?.();
      await navigate({ to: '/subscribers', search: true, resetScroll: false });
      cache.removeQueries({ queryKey: subscriberQuery(id).queryKey });
      document.getElementById('list-heading')?.focus({ preventScroll: true });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'no-such-subscriber') drop(cache, [{ id }]);
      if (!here.current)
        toasts.show('bad', `${username}: ${describeFailure(error, done, 'Look at the list')}`);
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
        The subscriber <strong>{username}</strong> (#{id}, {email}) is removed with its lists, and its access
        token stops working at once.
      </p>
      <UndoNote operation="deleteSubscriber" />
    </ChangeDialog>
  );
}
