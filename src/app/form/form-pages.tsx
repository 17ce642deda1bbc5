import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Reply } from '../../contract/http/client.ts';
import type { StoredDraft } from '../../contract/bff/draft.ts';
import type { SubscriberWithLists } from '../../contract/service/subscriber.ts';
import {
  createDefaults,
  enteredFields,
  SubscriberInput,
  type UpdateBody,
} from '../../contract/service/subscriber-input.ts';
import { draftQuery } from '../subscriber/drafts.ts';
import { describeError, isNotFound, isPassing } from '../api/errors.ts';
import { subscriberQuery } from '../api/queries.ts';
import { useOpened } from '../subscriber/recent.ts';
import { hasFailed, ReadFailure } from '../api/read-failure.tsx';
import { usePermission } from '../api/session.ts';
import { showToast, useAction } from '../api/use-action.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { useApp, useFocusHeading, WindowTitle } from '../components/app-context.ts';
import { doneToast } from '../subscriber/undo.tsx';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { PageHeading } from '../components/page.tsx';
import { Skeleton } from '../components/data-table.tsx';
import { noteContact } from '../subscriber/message-text.ts';
import { MissingSubscriber } from '../subscriber/missing-subscriber.tsx';
import { followedSubscriberQuery, useOthers } from '../subscriber/others.tsx';
import { inputOf, listsMissing } from '../subscriber/subscriber-fields.ts';
import { useMerge } from './conflict-dialog.tsx';
import { asInput } from './use-draft.tsx';
import { SubscriberForm } from './subscriber-form.tsx';
import styles from './subscriber-form.module.css';

/** The contract's defaults; the fields without one are empty. */
const emptyForm: SubscriberInput = { ...createDefaults, username: '', email: '', expiresAt: '' };

export function CreatePage() {
  const navigate = useNavigate();
  const leave = useLeave();
  const { queryClient } = useApp();
  const draft = useStoredDraft('new');
  const { reason } = usePermission('createSubscriber');
  const creating = useAction('createSubscriber', {
    done: 'the subscriber was created',
    failures: 'caller',
    toast: (reply) =>
      doneToast(queryClient, 'createSubscriber', reply, `${reply.data.username} was created.`),
    onReply: ({ data }) => noteContact(queryClient, data, 'created'),
  });
  return (
    <FormPage title="New subscriber" trail="New" barred={reason}>
      {draft.failure}
      {!reason && (
        <SubscriberForm
          values={emptyForm}
          status={null}
          draft={{ id: 'new', base: null, stored: draft.stored }}
          acting={creating}
          onSave={async (body) => (await creating.send({ body })).data.id}
          onSaved={(id) =>
            void navigate({ to: '/subscribers/$id', params: { id }, search: true, replace: true })
          }
          onCancel={() => leave(() => navigate({ to: '/subscribers', search: true }))}
        />
      )}
    </FormPage>
  );
}

export function EditPage() {
  const { id } = useParams({ from: '/app/subscribers/$id/edit' });
  const detail = useQuery(followedSubscriberQuery(id));
  const others = useOthers(id, detail.data?.data, Infinity);
  const draft = useStoredDraft(String(id));
  const { reason } = usePermission('updateSubscriber');
  // If the form began with an old record from the cache, saving it would be refused.
  const ready = useFirst(detail.isFetching ? undefined : detail.data);
  useOpened(id, ready !== undefined);
  const name = detail.data?.data.username ?? `subscriber ${id}`;
  return (
    <FormPage title={`Edit ${name}`} trail={name} others={others.status} barred={reason}>
      {ready && draft.failure}
      {ready && !reason && draft.stored !== undefined && <Editor reply={ready} draft={draft.stored} />}
      {!(ready && draft.stored !== undefined) && !hasFailed(detail) && <Skeleton width={60} />}
      {!ready &&
        (isNotFound(detail.error) ? (
          <MissingSubscriber id={id} />
        ) : (
          <ReadFailure what="this subscriber" read={detail} />
        ))}
    </FormPage>
  );
}

/** The draft that was saved before, undefined until it is read: what is typed meanwhile must not replace it. */
function useStoredDraft(form: string): { stored: StoredDraft | undefined; failure: ReactNode } {
  const read = useQuery(draftQuery(form));
  // One that can’t be read later either is given up.
  const stored = useFirst(read.isError && !isPassing(read.error) ? null : read.data);
  return { stored, failure: <ReadFailure what="your unsaved changes" read={read} /> };
}

/** The first value that there is; later ones do not change it. */
function useFirst<Value>(value: Value | undefined): Value | undefined {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(value);
  return first;
}

/** Keeps the version that the user began with, even when the cache gets a newer one. */
function Editor({ reply, draft }: { reply: Reply<SubscriberWithLists>; draft: StoredDraft }) {
  const [start, setStart] = useState(() => openedFrom(reply, draft));
  const { id } = reply.data;
  const navigate = useNavigate();
  const leave = useLeave();
  const app = useApp();
  const { queryClient } = app;
  const [reason, setReason] = useState(draft?.reason ?? '');
  const { saveMerged, dialog } = useMerge();
  const saving = useAction('updateSubscriber', { done: 'the changes were saved', failures: 'caller' });
  if (!start) return <Notice tone="bad">{listsMissing}</Notice>;
  const back = () =>
    leave(() => navigate({ to: '/subscribers/$id', params: { id }, search: true, state: true }));
  return (
    <>
      <SubscriberForm
        key={start.etag}
        values={start.values}
        status={reply.data.status}
        draft={{
          id: String(id),
          base: { values: start.values, etag: start.etag },
          stored: start.stored,
          reason,
          setReason,
        }}
        acting={saving}
        reason={<ReasonField value={reason} onChange={setReason} readOnly={saving.isBusy} />}
        onSave={async (mine) => {
          const saved = await saveMerged(start, mine, (body, etag) =>
            saving.send({ params: { id }, body: allowedOf(body) }, { etag, reason }),
          );
          const text = `Changes to ${saved.data.username} were saved.`;
          showToast(app, doneToast(queryClient, 'updateSubscriber', saved, text));
          return id;
        }}
        onSaved={back}
        onCancel={back}
        renderConflict={(forget) => (
          <LoadTheirs
            id={id}
            onLoaded={(theirs) => {
              forget();
              setStart(openedFrom(theirs, null));
            }}
          />
        )}
      />
      {dialog}
    </>
  );
}

/** The values that the rules allow. Others are those of the service, and stay as they are there. */
const allowedOf = (body: SubscriberInput): UpdateBody =>
  Object.fromEntries(
    enteredFields
      .filter((name) => SubscriberInput.shape[name].safeParse(body[name]).success)
      .map((name) => [name, body[name]]),
  );

/** The values to begin with: the record, or its version when the draft was begun. Null if lists are missing. */
function openedFrom(reply: Reply<SubscriberWithLists>, stored: StoredDraft) {
  const values = inputOf(reply.data);
  const { id, username } = reply.data;
  if (!values) return null;
  const base = stored?.base ? { values: asInput(stored.base.values), etag: stored.base.etag } : null;
  return { id, name: username, stored, ...(base ?? { values, etag: reply.etag }) };
}

/** After another save: replaces the user's input with the saved version. */
function LoadTheirs({ id, onLoaded }: { id: number; onLoaded: (reply: Reply<SubscriberWithLists>) => void }) {
  const cache = useQueryClient();
  const focusHeading = useFocusHeading();
  const load = useMutation({
    mutationFn: () => cache.fetchQuery({ ...subscriberQuery(id), staleTime: 0 }),
    meta: { invalidates: [] },
    onSuccess: (theirs) => {
      onLoaded(theirs);
      focusHeading();
    },
  });
  return (
    <>
      {load.isError && <p>Couldn’t load the saved version. {describeError(load.error)}</p>}
      <Button busy={load.isPending} onClick={() => load.mutate()}>
        Discard my changes and load the saved version
      </Button>
    </>
  );
}

/** Returns to where the form was opened, with its scroll position and its focus. */
function useLeave() {
  const router = useRouter();
  /** @param otherwise where to go if the form was opened by its address, or after signing in again */
  return (otherwise: () => Promise<void>) => {
    const { leftAt } = router.history.location.state;
    if (leftAt === undefined) return void otherwise();
    const stop = router.subscribe('onResolved', () => {
      stop();
      document.getElementById(leftAt)?.focus({ preventScroll: true });
    });
    router.history.back();
  };
}

function FormPage(props: {
  title: string;
  trail: string;
  others?: ReactNode;
  /** Why this user may not use the form. */
  barred: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={`stack ${styles.screen}`}>
      <WindowTitle>{props.title}</WindowTitle>
      <nav className={`aside breaks ${styles.trail}`} aria-label="Breadcrumb">
        <Link to="/subscribers" search={true}>
          Subscribers
        </Link>{' '}
        / {props.trail}
      </nav>
      <div className={styles.others}>{props.others}</div>
      <PageHeading>{props.title}</PageHeading>
      {props.barred && (
        <div role="alert">
          <Notice tone="warn">{props.barred}</Notice>
        </div>
      )}
      {props.children}
    </div>
  );
}
