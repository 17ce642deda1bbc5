import { MutationObserver, useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useState, type ComponentProps } from 'react';
import type { ViewQuery } from '../../contract/bff/view-bodies.ts';
import type { View } from '../../contract/bff/view.ts';
import { describeFailure } from '../api/action-errors.ts';
import { addView, changeView } from '../api/mutations.ts';
import { usePermission } from '../api/session.ts';
import { useApp, type App, useLeavesFocus } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { CheckBox } from '../components/check-box.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { useInSight } from '../components/use-in-sight.ts';
import { isView, readAddress, toAddress, viewQueryOf } from '../subscriber/list-address.ts';
import { ManageViewsDialog, problemsOf, ViewNameField } from './manage-views.tsx';
import { useListAddress } from './use-list-address.ts';
import { ViewLink } from './views.tsx';
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
  const query = viewQueryOf(address);
  return (
    <>
      {views.map((view) => (
        <SavedView key={view.id} view={view} ready={ready} isPresent={view === present} />
      ))}
      <div className={styles.tools}>
        {isSavable && left && <UpdateButton key={left.id} view={left} query={query} />}
        {isSavable && <Tool onClick={() => setOpen('save')}>Save view</Tool>}
        {views.length > 0 && <Tool onClick={() => setOpen('manage')}>Manage views</Tool>}
      </div>
      {open === 'save' && <SaveViewDialog query={query} onClose={close} />}
      {open === 'manage' && <ManageViewsDialog views={views} onClose={close} />}
    </>
  );
}

/** A button that disappears once the list is a view, or no view is left. */
const Tool = (props: ComponentProps<typeof Button>) => (
  <Button ref={useLeavesFocus()} small variant="quiet" {...props} />
);

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
function SaveViewDialog({ query, onClose }: { query: ViewQuery; onClose: () => void }) {
  const { toasts } = useApp();
  const { allowed: mayShare } = usePermission('shareViews');
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const saving = useMutation({
    ...addView,
    onSuccess: (added, ...rest) => {
      addView.onSuccess?.(added, ...rest);
      toasts.show('ok', `View “${added.name}” was saved${added.shared ? ' for everybody' : ''}.`);
      onClose();
    },
  });
  const { ofName, other } = problemsOf(saving.error, 'the view was saved');
  return (
    <ConfirmDialog
      title="Save view"
      action="Save view"
      busyAction="Saving…"
      busy={saving.isPending}
      error={other}
      onSubmit={() => saving.mutate({ name, query: asText(query), ...(shared && { shared }) })}
      onClose={onClose}
    >
      <ViewNameField
        value={name}
        onChange={setName}
        error={ofName}
        hint="Saves the current filters and order. Available wherever you sign in."
      />
      {mayShare && (
        <CheckBox checked={shared} onChange={(event) => setShared(event.target.checked)}>
          Share with everybody
        </CheckBox>
      )}
    </ConfirmDialog>
  );
}

/** Gives a view the filters and the order that the list has now. */
function UpdateButton({ view, query }: { view: View; query: ViewQuery }) {
  const app = useApp();
  const updating = useMutation({
    ...changeView,
    onSuccess: (changed, ...rest) => {
      changeView.onSuccess?.(changed, ...rest);
      const toast = app.toasts.show('ok', `View “${changed.name}” was updated.`, {
        label: 'Undo',
        description: 'Gives the view its former filters and order back.',
        onPress: () => void undoUpdate(app, view, toast),
      });
    },
    onError: (error) => app.toasts.show('bad', reasonFor(error)),
  });
  return (
    <Tool busy={updating.isPending} onClick={() => updating.mutate({ id: view.id, query: asText(query) })}>
      Update view “{view.name}”
    </Tool>
  );
}

/** @param view as it was before the update */
async function undoUpdate({ queryClient, toasts }: App, view: View, toast: number): Promise<void> {
  toasts.replace(toast, 'busy', 'Undoing…', { label: 'Undo', onPress: null });
  try {
    // The toast may outlive the list.
    const change = { id: view.id, query: asText(view.query) };
    await new MutationObserver(queryClient, changeView).mutate(change);
    toasts.replace(toast, 'ok', `Undone: view “${view.name}” is as it was before.`);
  } catch (error) {
    toasts.replace(toast, 'bad', reasonFor(Object(error) as Error));
  }
}

const reasonFor = (error: Error) =>
  describeFailure(error, { done: 'the view was updated', check: 'Check the view' });

/** Each value as text, as in an address: the BFF reads it that way. */
const asText = (query: object) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
