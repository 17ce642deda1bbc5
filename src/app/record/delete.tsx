import { useState } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { isNotFound } from '../api/errors.ts';
import { subscriberQuery } from '../api/queries.ts';
import { useAction } from '../api/use-action.ts';
import { usePermission } from '../api/session.ts';
import { useApp, useCommands } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { ChangeDialog } from '../subscriber/change-dialog.tsx';
import { deselect } from '../subscriber/selection-store.ts';
import { doneToast } from '../subscriber/undo.tsx';
import { UndoNote } from '../subscriber/undo-note.tsx';
import type { ShownRecord, Version } from './edit-record.tsx';
import styles from './pane.module.css';

/** The button that asks whether to delete a subscriber. */
export function Delete(props: ShownRecord) {
  const { subscriber, waiting } = props;
  const [asking, setAsking] = useState(false);
  const { reason } = usePermission('deleteSubscriber');
  const run = () => setAsking(true);
  useCommands([(reason ?? waiting) === undefined && { name: 'Delete…', about: subscriber.username, run }]);
  return (
    <div className={styles.danger}>
      <Button variant="quiet-danger" reason={reason ?? waiting} onClick={run}>
        Delete…
      </Button>
      {asking && <DeleteDialog {...props} onClose={() => setAsking(false)} />}
    </div>
  );
}

function DeleteDialog(props: Version & { onClose: () => void }) {
  // The dialog is about the subscriber it was opened for, even if the page behind shows another one by now.
  const [{ subscriber, etag }] = useState(props);
  const { id, username, email } = subscriber;
  const navigate = useNavigate();
  const { queryClient, headingRef } = useApp();
  const removing = useAction('deleteSubscriber', {
    about: username,
    done: 'the subscriber was deleted',
    toast: (reply) => doneToast(queryClient, 'deleteSubscriber', reply, `${username} was deleted.`),
    onReply: () => deselect(queryClient, id),
    onFailure: (error) => isNotFound(error) && deselect(queryClient, id),
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
