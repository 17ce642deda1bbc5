import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Reply } from '../../../contract/http/client.ts';
import type { KeptDraft } from '../../../contract/bff/draft.ts';
import type { SubscriberWithLists } from '../../../contract/service/subscriber.ts';
import { draftQuery } from '../../api/drafts.ts';
import { isNoSuchSubscriber } from '../../api/no-such-subscriber.ts';
import { updateSubscriber } from '../../api/changes.ts';
import { subscriberQuery } from '../../api/queries.ts';
import { ReadFailure } from '../../api/read-failure.tsx';
import { usePermission } from '../../api/session.ts';
import { useChange } from '../../api/use-change.ts';
import { ReasonField } from '../../changes/change-dialog.tsx';
import { useApp } from '../../components/app-context.ts';
import { showDoneToast } from '../../changes/undo.tsx';
import { Button } from '../../components/button.tsx';
import { reasonOf } from '../../components/failure.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Gone } from '../gone.tsx';
import { useMerge } from './conflict/use-merge.tsx';
import { FormScreen } from './form-screen.tsx';
import { asInput, toFormValues } from './form-values.ts';
import { SubscriberForm } from './subscriber-form.tsx';

export function EditPage() {
  const { id } = useParams({ from: '/desk/subscribers/$id/edit' });
  const detail = useQuery(subscriberQuery(id));
  const draft = useQuery(draftQuery(String(id)));
  const { reason } = usePermission('updateSubscriber');
  // What is cached may be old, and a form that begins with it would be refused when it is saved.
  const ready = useFirstFresh(detail);
  const name = detail.data?.data.username ?? `subscriber ${id}`;
  return (
    <FormScreen title={`Edit ${name}`} trail={name}>
      {reason && <Notice tone="warn">{reason}</Notice>}
      {ready && !reason && draft.isFetched && <Editor key={id} reply={ready} draft={draft.data ?? null} />}
      {!(ready && draft.isFetched) && !detail.isError && <Skeleton width={60} />}
      {!ready &&
        (isNoSuchSubscriber(detail.error) ? <Gone /> : <ReadFailure what="This subscriber" read={detail} />)}
    </FormScreen>
  );
}

/** The record as it was when nothing was due to be fetched any more; a later refetch does not take it away. */
function useFirstFresh(detail: UseQueryResult<Reply<SubscriberWithLists>>) {
  const [first, setFirst] = useState<Reply<SubscriberWithLists>>();
  if (first || !detail.data || detail.isFetching) return first;
  setFirst(detail.data);
  return detail.data;
}

/** Holds on to the version that the person began with, whatever the cache learns meanwhile. */
function Editor({ reply, draft }: { reply: Reply<SubscriberWithLists>; draft: KeptDraft }) {
  const [start, setStart] = useState(() => openedFrom(reply, draft));
  const { id } = reply.data;
  const navigate = useNavigate();
  const app = useApp();
  const { queryClient: cache } = app;
  const [reason, setReason] = useState('');
  const { saveMerged, dialog } = useMerge();
  const update = useChange(updateSubscriber, {
    onSuccess: (saved) => void cache.setQueryData(subscriberQuery(id).queryKey, saved),
  });
  if (!start)
    return (
      <Notice tone="bad">
        The service did not send all the lists, so saving could empty them. Nothing can be edited.
      </Notice>
    );
  const back = () =>
    void navigate({ to: '/subscribers/$id', params: { id }, search: true, resetScroll: false });
  return (
    <>
      <SubscriberForm
        key={start.etag}
        values={start.values}
        status={reply.data.status}
        draft={{ id: String(id), base: { values: start.values, etag: start.etag }, kept: start.kept }}
        action="Save changes"
        operation="updateSubscriber"
        unconfirmed={update.unconfirmed}
        reason={<ReasonField value={reason} onChange={setReason} readOnly={update.isPending} />}
        done="the changes were saved"
        onSave={async (mine) => {
          const saved = await saveMerged(start, mine, (body, etag) =>
            update.mutateAsync({ id, etag, body, reason }),
          );
          const text = `${saved.data.username} is saved.`;
          showDoneToast(app, { text, operation: 'updateSubscriber', subscriberId: id });
          return saved.data.id;
        }}
        onSaved={back}
        onCancel={back}
        onConflict={<LoadTheirs id={id} onLoaded={(theirs) => setStart(openedFrom(theirs, null))} />}
      />
      {dialog}
    </>
  );
}

/** What the form begins with: the record, or what it was when the draft was begun. Null where lists are missing. */
function openedFrom(reply: Reply<SubscriberWithLists>, kept: KeptDraft) {
  const values = toFormValues(reply.data);
  const { id, username } = reply.data;
  if (!values) return null;
  const base = kept?.base ? { values: asInput(kept.base.values), etag: kept.base.etag } : null;
  return { id, name: username, kept, ...(base ?? { values, etag: reply.etag }) };
}

/** The way on after somebody else saved: their version, in place of what was entered here. */
function LoadTheirs({ id, onLoaded }: { id: number; onLoaded: (reply: Reply<SubscriberWithLists>) => void }) {
  const cache = useQueryClient();
  const load = useMutation({
    mutationFn: () => cache.fetchQuery({ ...subscriberQuery(id), staleTime: 0 }),
    meta: { invalidates: [] },
    onSuccess: (theirs) => {
      onLoaded(theirs);
      document.querySelector('h1')?.focus();
    },
  });
  return (
    <>
      {load.isError && <p>Their version could not be loaded. {reasonOf(load.error)}</p>}
      <Button busy={load.isPending} onClick={() => load.mutate()}>
        Drop my changes and load theirs
      </Button>
    </>
  );
}
