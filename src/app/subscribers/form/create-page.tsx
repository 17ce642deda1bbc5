import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { draftQuery } from '../../api/drafts.ts';
import { createSubscriber } from '../../api/changes.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { usePermission } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { useApp } from '../../components/app-context.ts';
import { showDoneToast } from '../../changes/undo.tsx';
import { Notice } from '../../components/notice.tsx';
import { FormScreen } from './form-screen.tsx';
import { emptyForm } from './form-values.ts';
import { SubscriberForm } from './subscriber-form.tsx';

export function CreatePage() {
  const navigate = useNavigate();
  const app = useApp();
  const { queryClient: cache } = app;
  const draft = useQuery(draftQuery('new'));
  const { reason } = usePermission('createSubscriber');
  const creation = useChange(createSubscriber, {
    onSuccess: (reply) => {
      const { id, username } = reply.data;
      cache.setQueryData(subscriberQuery(id).queryKey, reply);
      showDoneToast(app, {
        text: `${username} is created.`,
        operation: 'createSubscriber',
        subscriberId: id,
      });
    },
  });
  return (
    <FormScreen title="New subscriber" trail="New">
      {reason && <Notice tone="warn">{reason}</Notice>}
      {!reason && (
        <SubscriberForm
          values={emptyForm}
          status={null}
          draft={{ id: 'new', base: null, kept: draft.data ?? null }}
          action="Create subscriber"
          operation="createSubscriber"
          unconfirmed={creation.unconfirmed}
          done="the subscriber was created"
          onSave={async (input) => (await creation.mutateAsync({ body: input })).data.id}
          onSaved={(id) => void navigate({ to: '/subscribers/$id', params: { id }, search: true })}
          onCancel={() => void navigate({ to: '/subscribers', search: true })}
        />
      )}
    </FormScreen>
  );
}
