import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { draftQuery } from '../../api/drafts.ts';
import { createSubscriber } from '../../api/mutations.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { usePermission } from '../../api/session.ts';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast.tsx';
import { FormScreen } from './form-screen.tsx';
import { emptyForm } from './form-values.ts';
import { SubscriberForm } from './subscriber-form.tsx';

export function CreatePage() {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const draft = useQuery(draftQuery('new'));
  const { reason } = usePermission('createSubscriber');
  const creation = useMutation({
    ...createSubscriber,
    onSuccess: (reply) => {
      cache.setQueryData(subscriberQuery(reply.data.id).queryKey, reply);
      showToast('ok', `${reply.data.username} is created.`);
    },
  });
  return (
    <FormScreen title="New subscriber" trail="New">
      {reason && <Notice tone="warn">{reason}</Notice>}
      {!reason && (
        <SubscriberForm
          values={emptyForm}
          draft={{ id: 'new', base: null, kept: draft.data ?? null }}
          action="Create subscriber"
          done="the subscriber was created"
          onSave={async (input) => (await creation.mutateAsync(input)).data.id}
          onSaved={(id) => void navigate({ to: '/subscribers/$id', params: { id }, search: true })}
          onCancel={() => void navigate({ to: '/subscribers', search: true })}
        />
      )}
    </FormScreen>
  );
}
