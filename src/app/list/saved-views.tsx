import { useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useState, type ComponentProps } from 'react';
import * as z from 'zod/mini';
import { type AddViewBody, viewLimits, type View } from '../../contract/bff/view.ts';
import { usePermission } from '../api/session.ts';
import { undoBy, useAction } from '../api/use-action.ts';
import { useApp, useLeavesFocus } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { CheckBox, InputField } from '../components/field.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { usePreference } from '../components/preference.ts';
import {
  hiddenColumns,
  hiddenInView,
  isView,
  readAddress,
  toAddress,
  viewQueryOf,
  type ListAddress,
} from '../subscriber/list-address.ts';
import { ManageViewsDialog, showView, viewErrors } from './manage-views.tsx';
import { useListAddress } from './use-list-address.ts';
import { ViewLink } from './view-links.tsx';
import styles from './view-links.module.css';

/** The shared views and the user's own, and buttons to save the current list as one, to update and to manage them. */
export function SavedViews(props: { views: readonly View[]; ready: boolean; isSavable: boolean }) {
  const { views, ready, isSavable } = props;
  const { address } = useListAddress();
  const [open, setOpen] = useState<'save' | 'manage'>();
  const close = () => setOpen(undefined);
  const { allowed: mayShare } = usePermission('shareViews');
  const present = views.find((view) => isView(view, address));
  const previousId = useLocation({ select: ({ state }) => state.view });
  const previous = views.find(({ id, shared }) => id === previousId && (mayShare || !shared));
  const shown = { query: asText(viewQueryOf(address)), hidden: usePreference(hiddenColumns) };
  const { id, hidden } = present ?? views.find((view) => view.id === previousId) ?? {};
  // The columns of a view are there as long as it is, also while its filters are being changed.
  useEffect(() => {
    if (id === undefined || hidden === undefined) return undefined;
    hiddenInView.set(hidden);
    return () => hiddenInView.set(null);
  }, [id, hidden]);
  const changed =
    present && (mayShare || !present.shared) && hidden !== undefined && hidden !== shown.hidden
      ? present
      : null;
  const outdated = (isSavable && previous) || changed;
  return (
    <>
      {views.map((view) => (
        <SavedView key={view.id} view={view} ready={ready} isPresent={view === present} />
      ))}
      <div className={styles.tools}>
        {outdated && <UpdateButton key={outdated.id} view={outdated} shown={shown} />}
        {isSavable && <Tool onClick={() => setOpen('save')}>Save view</Tool>}
        {views.length > 0 && <Tool onClick={() => setOpen('manage')}>Manage views</Tool>}
      </div>
      {open === 'save' && <SaveViewDialog shown={shown} onClose={close} />}
      {open === 'manage' && <ManageViewsDialog views={views} onClose={close} />}
    </>
  );
}

/**
 * “Expiring next” of a list by bundle, country, address or app: those who have not expired. Without a count of those who have,
 * for which a service without these filters would have to be read again. Undefined for other lists.
 */
export function linkToExpiring(address: ListAddress, ready: boolean) {
  const { bundle, country, ip, app, pageSize } = address;
  if ((bundle ?? country ?? ip ?? app) === undefined) return undefined;
  const to = readAddress({ bundle, country, ip, app, expired: false, sort: 'expiresAt', pageSize });
  const isPresent = JSON.stringify(viewQueryOf(to)) === JSON.stringify(viewQueryOf(address));
  return <ViewLink name="Expiring next" to={to} isPresent={isPresent} ready={ready} counted={false} />;
}

/** A button that disappears once the list is a view, or no view was left. */
const Tool = (props: ComponentProps<typeof Button>) => (
  <Button ref={useLeavesFocus()} small variant="quiet" {...props} />
);

/** The number is asked for only while the link is visible: there may be fifty views. */
function SavedView({ view, ready, isPresent }: { view: View; ready: boolean; isPresent: boolean }) {
  const { address } = useListAddress();
  const [ref, inSight] = useInSight();
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

/** True once an element has been visible. */
function useInSight(): [ref: (element: Element | null) => void, inSight: boolean] {
  const [inSight, setInSight] = useState(false);
  const ref = useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setInSight(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, inSight];
}

const saveSchema = z.object({ name: z.string(), shared: z.boolean() });

/** The filters, the order and the hidden columns of the list. */
type Shown = Pick<AddViewBody, 'query'> & { hidden: string };

/** Asks for the name of a view with the current filters, sort order and columns. */
function SaveViewDialog({ shown, onClose }: { shown: Shown; onClose: () => void }) {
  const { queryClient } = useApp();
  const { allowed: mayShare } = usePermission('shareViews');
  const saving = useAction('addView', {
    ...viewErrors,
    done: 'the view was saved',
    onReply: ({ data }) => showView(queryClient, data),
    toast: ({ data }) => `View “${data.name}” was saved${data.shared ? ' for everybody' : ''}.`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Save view"
      action="Save view"
      busyAction="Saving…"
      schema={saveSchema}
      values={{ name: '', shared: false }}
      acting={saving}
      onSubmit={({ name, shared }) =>
        void saving.run({ body: { name, ...shown, ...(shared && { shared }) } })
      }
      onClose={onClose}
    >
      {(form) => (
        <>
          <InputField
            form={form}
            name="name"
            label="Name"
            hint="Saves the current filters, order and columns. Available wherever you sign in."
            maxLength={viewLimits.name}
          />
          {mayShare && <CheckBox {...form.register('shared')}>Share with everybody</CheckBox>}
        </>
      )}
    </FormDialog>
  );
}

/** Gives a view the filters, the order and the columns that the list has now. */
function UpdateButton({ view, shown }: { view: View; shown: Shown }) {
  const { queryClient } = useApp();
  const { id, name } = view;
  const outcome = {
    ...viewErrors,
    done: 'the view was updated',
    onReply: ({ data }: { data: View }) => showView(queryClient, data),
  };
  const undo = undoBy(
    'changeView',
    { params: { id }, body: { query: asText(view.query), hidden: view.hidden ?? null } },
    { ...outcome, toast: `Undone: view “${name}” is as it was before.` },
  );
  const updating = useAction('changeView', {
    ...outcome,
    failures: 'toast',
    toast: () => ({
      text: `View “${name}” was updated.`,
      undo: { description: 'Gives the view its former filters, order and columns back.', run: undo },
    }),
  });
  return (
    <Tool busy={updating.isBusy} onClick={() => void updating.run({ params: { id }, body: shown })}>
      Update view “{name}”
    </Tool>
  );
}

/** Each value as text, as in an address: the BFF reads it that way. */
const asText = (query: object) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
