import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Subscriber } from '../../../contract/subscriber.ts';
import { deleteSubscriber } from '../../api/mutations.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';
import { outcomeOf } from '../outcome.ts';

/** Asks before a subscriber goes, by name. */
export function DeleteDialog(props: { subscriber: Subscriber; etag: string | null; onClose: () => void }) {
  // What was asked about stays what is deleted, whatever the page behind learns meanwhile.
  const [{ id, username, email }] = useState(props.subscriber);
  const [etag] = useState(props.etag);
  const navigate = useNavigate();
  const cache = useQueryClient();
  const removal = useMutation({
    ...deleteSubscriber,
    onSuccess: async () => {
      showToast('ok', `${username} is deleted.`);
      await navigate({ to: '/subscribers', search: true, resetScroll: false });
      cache.removeQueries({ queryKey: subscriberQuery(id).queryKey });
      document.getElementById('list-heading')?.focus({ preventScroll: true });
    },
  });
  return (
    <Dialog
      title={`Delete ${username}?`}
      busy={removal.isPending}
      onClose={props.onClose}
      actions={
        <>
          <Button busy={removal.isPending} onClick={props.onClose}>
            Cancel
          </Button>
          <Button look="danger" busy={removal.isPending} onClick={() => removal.mutate({ id, etag })}>
            {removal.isPending ? 'Deleting…' : 'Delete subscriber'}
          </Button>
        </>
      }
    >
      <p>
        The subscriber <strong>{username}</strong> (#{id}, {email}) is removed with its lists, and its access
        token stops working at once. Somebody with this name can be created again, but with a new id and a new
        token.
      </p>
      <div role="alert">
        {removal.isError && (
          <Notice tone="bad">
            {outcomeOf(removal.error, 'the subscriber was deleted', 'Close this and look')}
          </Notice>
        )}
      </div>
    </Dialog>
  );
}
