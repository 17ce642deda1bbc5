import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { AddViewBody, type View } from '../../contract/bff/view.ts';
import { ApiError } from '../../contract/http/client.ts';
import { fieldErrors } from '../../contract/http/problem.ts';
import { addView } from '../api/mutations.ts';
import { usePermission } from '../api/session.ts';
import { describeError } from '../api/errors.ts';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useInSight } from '../components/use-in-sight.ts';
import { isView, viewQueryOf, readAddress, toAddress, type ListAddress } from '../subscriber/list-address.ts';
import { useListAddress } from './use-list-address.ts';
import { ViewNameField } from './manage-view-forms.tsx';
import { ManageViewsDialog } from './manage-views.tsx';
import { asText, UpdateButton } from './update-view.tsx';
import { ViewLink } from './view-link.tsx';
import styles from './views.module.css';

/** The shared views and the user's own, and buttons to save the current list as one, to update and to manage them. */
export function SavedViews(props: { views: readonly View[]; ready: boolean; isSavable: boolean }) {
  const { views, ready, isSavable } = props;
  const { address } = useListAddress();
  const [open, setOpen] = useState<'save' | 'manage'>();
  const close = () => setOpen(undefined);
  const { allowed: mayShare } = usePermission('shareViews');
  const present = views.find((view) => isView(view, address));
  const leftId = useLocation({ select: ({ state }) => state.view });
  const left = views.find(({ id, shared }) => id === leftId && (mayShare || !shared));
  const isFocusDue = useRef(false);
  // The button that was pressed may have disappeared: the view is saved or updated, or the last one is deleted.
  useEffect(() => {
    if (open !== undefined) isFocusDue.current = true;
    else if (isFocusDue.current && document.activeElement === document.body) {
      isFocusDue.current = false;
      document.getElementById('list-heading')?.focus({ preventScroll: true });
    }
  });
  return (
    <>
      {views.map((view) => (
        <SavedView key={view.id} view={view} ready={ready} isPresent={view === present} />
      ))}
      <div className={styles.tools}>
        {isSavable && left && (
          <UpdateButton
            key={left.id}
            view={left}
            query={viewQueryOf(address)}
            onUpdated={() => (isFocusDue.current = true)}
          />
        )}
        {isSavable && (
          <Button small look="quiet" onClick={() => setOpen('save')}>
            Save view
          </Button>
        )}
        {views.length > 0 && (
          <Button small look="quiet" onClick={() => setOpen('manage')}>
            Manage views
          </Button>
        )}
      </div>
      {open === 'save' && <SaveViewDialog address={address} onClose={close} />}
      {open === 'manage' && <ManageViewsDialog views={views} onClose={close} />}
    </>
  );
}

/** The number is asked for only while the link is visible: there may be fifty views. */
function SavedView({ view, ready, isPresent }: { view: View; ready: boolean; isPresent: boolean }) {
  const { address } = useListAddress();
  const [ref, inSight] = useInSight(0);
  return (
    <ViewLink
      ref={ref}
      name={view.name}
      to={readAddress({ ...toAddress(view.query), pageSize: address.pageSize })}
      isPresent={isPresent}
      ready={ready && inSight}
      counted
    />
  );
}

/** Asks for the name of a view with the current filters and sort order. */
function SaveViewDialog({ address, onClose }: { address: ListAddress; onClose: () => void }) {
  const { toasts } = useApp();
  const { allowed: mayShare } = usePermission('shareViews');
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [refused, setRefused] = useState<Readonly<Record<string, string[]>>>({});
  const saving = useMutation({
    ...addView,
    onSuccess: (added, ...rest) => {
      addView.onSuccess?.(added, ...rest);
      toasts.show('ok', `View “${added.name}” was saved${added.shared ? ' for everybody' : ''}.`);
      onClose();
    },
  });
  const answered = saving.error instanceof ApiError ? saving.error.fields : {};
  const { name: nameErrors, ...others } = { ...refused, ...answered };
  const trouble =
    Object.values(others)[0]?.[0] ??
    (saving.error && !nameErrors
      ? describeError(saving.error, { done: 'the view was saved', check: 'Check your views' })
      : undefined);

  function save(): void {
    const body = { name, query: asText(viewQueryOf(address)), ...(shared && { shared }) };
    const read = AddViewBody.safeParse(body);
    setRefused(read.success ? {} : fieldErrors(read.error.issues));
    saving.reset();
    if (read.success) saving.mutate(body);
  }

  return (
    <ConfirmDialog
      title="Save view"
      action="Save view"
      busyAction="Saving…"
      busy={saving.isPending}
      error={trouble}
      onSubmit={save}
      onClose={onClose}
    >
      <ViewNameField
        value={name}
        onChange={setName}
        error={nameErrors?.[0]}
        hint="Saves the current filters and order. Available wherever you sign in."
      />
      {mayShare && (
        <CheckBox checked={shared} onChange={setShared}>
          Share with everybody
        </CheckBox>
      )}
    </ConfirmDialog>
  );
}
