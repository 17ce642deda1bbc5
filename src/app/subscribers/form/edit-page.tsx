import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../../contract/client.ts';
import type { SubscriberWithLists } from '../../../contract/subscriber.ts';
import { updateSubscriber } from '../../api/mutations.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { usePermission } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { FormScreen } from './form-screen.tsx';
import { toFormValues } from './form-values.ts';
import { SubscriberForm } from './subscriber-form.tsx';

export function EditPage() {
  const { id } = useParams({ from: '/desk/subscribers/$id/edit' });
  const detail = useQuery(subscriberQuery(id));
  const { reason } = usePermission('updateSubscriber');
  const name = detail.data?.data.username ?? `subscriber ${id}`;
  return (
    <FormScreen title={`Edit ${name}`} trail={name}>
      {reason && <Notice tone="warn">{reason}</Notice>}
      {detail.data && <Editor key={id} reply={detail.data} />}
      {detail.isPending && <Skeleton width={60} />}
      {detail.isError && !detail.data && (
        <Failure
          what="This subscriber could not be loaded"
          error={detail.error}
          busy={detail.isFetching}
          onRetry={() => void detail.refetch()}
        />
      )}
    </FormScreen>
  );
}

/** Holds on to the version that the person began with, whatever the cache learns meanwhile. */
function Editor({ reply }: { reply: Reply<SubscriberWithLists> }) {
  const [start, setStart] = useState(reply);
  const { id } = start.data;
  const navigate = useNavigate();
  const cache = useQueryClient();
  const values = toFormValues(start.data);
  const update = useMutation({
    ...updateSubscriber,
    onSuccess: (saved) => {
      cache.setQueryData(subscriberQuery(id).queryKey, saved);
      showToast('ok', `${saved.data.username} is saved.`);
    },
  });
  if (!values)
    return (
      <Notice tone="bad">
        The service did not send all the lists, so saving could empty them. Nothing can be edited.
      </Notice>
    );
  return (
    <SubscriberForm
      key={start.etag}
      values={values}
      action="Save changes"
      done="the changes were saved"
      onSave={async (body) => (await update.mutateAsync({ id, etag: start.etag, body })).data.id}
      onSaved={() => void navigate({ to: '/subscribers/$id', params: { id }, search: true })}
      onCancel={() => void navigate({ to: '/subscribers/$id', params: { id }, search: true })}
      onConflict={
        <Button
          onClick={() => void cache.fetchQuery({ ...subscriberQuery(id), staleTime: 0 }).then(setStart)}
        >
          Drop my changes and load theirs
        </Button>
      }
    />
  );
}
