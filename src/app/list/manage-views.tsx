import type { QueryClient } from '@tanstack/react-query';
import { useApp, useLeavesFocus } from '../components/app-context.ts';
import { useState } from 'react';
import { type ChangeViewBody, type ViewQuery, viewLimits, type View } from '../../contract/bff/view.ts';
import type { ApiError } from '../../contract/http/client.ts';
import type { SortOrder } from '../../contract/service/list-rules.ts';
import { viewsQuery } from '../api/queries.ts';
import { usePermission } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Form, TextField } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Notice } from '../components/notice.tsx';
import { useBundles } from '../subscriber/bundles.ts';
import { filterWords } from '../subscriber/filter-words.ts';
import { useStatuses } from '../subscriber/status-badge.tsx';
import styles from './manage-views.module.css';

/* oxlint-disable jsx-a11y/no-autofocus -- each is on the control that takes the place of the button just pressed */

/** The views with one that is new or changed, at its place among the shared or the own ones; the shared ones are first. */
function withView(views: readonly View[], view: View, place?: number): View[] {
  const alike = views.filter(({ shared }) => shared === view.shared);
  const before = alike.findIndex(({ id }) => id === view.id);
  const others = alike.filter(({ id }) => id !== view.id);
  const group = others.toSpliced(place ?? (before < 0 ? others.length : before), 0, view);
  const rest = views.filter(({ id, shared }) => shared !== view.shared && id !== view.id);
  return view.shared ? [...group, ...rest] : [...rest, ...group];
}

/** Shows a view that is new or changed at once; the views are also read again. */
export const showView = (cache: QueryClient, view: View, place?: number): void =>
  void cache.setQueryData(viewsQuery.queryKey, (views) => views && withView(views, view, place));

/** Error texts of all actions on views: what is wrong with a field, or what to look at. */
export const viewErrors = {
  check: 'Check your views',
  describe: (error: ApiError) => Object.values(error.fields).flat()[0],
};

/** Moves, shares, renames and deletes the user's own views and, for managers, the shared ones. */
export function ManageViewsDialog({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const { queryClient } = useApp();
  const [said, setSaid] = useState('');
  const [done, setDone] = useState('');
  const changing = useAction('changeView', { ...viewErrors, done });
  const { allowed: mayShare, reason } = usePermission('shareViews');
  const { shared = [], own = [] } = Object.groupBy(views, (view) => (view.shared ? 'shared' : 'own'));
  const sent = changing.sent?.input;

  /** @param isDone what would be true of the view then */
  async function change(id: string, body: ChangeViewBody, isDone: string, sentence: string): Promise<void> {
    if (changing.isBusy) return;
    setDone(isDone);
    const reply = await changing.run({ params: { id }, body });
    if (!reply) return;
    showView(queryClient, reply.data, body.place);
    setSaid(sentence);
  }

  const rowsOf = (group: readonly View[]) =>
    group.map((view, place) => (
      <ManagedView
        key={view.id}
        view={view}
        mayShare={mayShare}
        isFirst={place === 0}
        isLast={place === group.length - 1}
        isChanging={changing.isBusy}
        // It comes from the other group, with another button.
        wasShared={sent?.params.id === view.id && sent.body.shared === view.shared}
        onMove={(step) => {
          const to = place + step;
          if (to >= 0 && to < group.length)
            void change(
              view.id,
              { place: to },
              'the view was moved',
              `${view.name} is now in position ${to + 1} of ${group.length}.`,
            );
        }}
        onShare={() =>
          void change(
            view.id,
            { shared: !view.shared },
            view.shared ? 'the sharing was stopped' : 'the view was shared',
            view.shared ? `Only you have ${view.name} now.` : `Everybody has ${view.name} now.`,
          )
        }
      />
    ));

  return (
    <Dialog
      title="Manage views"
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {views.length === 0 && <p>No saved views. To save one, set filters and select “Save view”.</p>}
      {shared.length > 0 && reason && <p>{reason}</p>}
      <div
        className={`stack ${styles.groups}`}
        role="group"
        aria-label="Saved views"
        // Without a button in it, the keyboard could not scroll it.
        tabIndex={mayShare || own.length > 0 ? -1 : 0}
      >
        {shared.length > 0 && (
          <>
            <h3>Shared with everybody</h3>
            <ul className={styles.views} aria-label="Shared with everybody">
              {rowsOf(shared)}
            </ul>
            {own.length > 0 && <h3>Your views</h3>}
          </>
        )}
        <ul className={styles.views} aria-label="Your views">
          {rowsOf(own)}
        </ul>
      </div>
      <p role="status" className="visually-hidden">
        {said}
      </p>
      <Problem failure={changing.failure} />
    </Dialog>
  );
}

const Problem = ({ failure }: { failure: string | null }) => (
  <div role="alert" className={styles.problem}>
    {failure && <Notice tone="bad">{failure}</Notice>}
  </div>
);

/** One view: what it shows and, for those who may change it, its buttons, or the form that one of them opens. */
function ManagedView(props: {
  view: View;
  mayShare: boolean;
  isFirst: boolean;
  isLast: boolean;
  isChanging: boolean;
  /** True if the user has just shared it, or stopped that. */
  wasShared: boolean;
  onMove: (step: -1 | 1) => void;
  onShare: () => void;
}) {
  const { view, mayShare, onMove } = props;
  const { name, shared } = view;
  const words = useViewWords(view.query);
  const [form, setForm] = useState<'Rename' | 'Delete'>();
  const [lastForm, setLastForm] = useState<typeof form>();
  const open = (next: typeof form) => {
    setForm(next);
    setLastForm(next);
  };
  const close = () => setForm(undefined);
  if (form === 'Rename') return <RenameView view={view} onEnd={close} />;
  if (form === 'Delete') return <DeleteView view={view} onEnd={close} />;
  return (
    <li className="row">
      <div className={styles.name}>
        {name}
        <p className="aside">{words}</p>
      </div>
      {(mayShare || !shared) && (
        <div className={`row ${styles.buttons}`}>
          {([-1, 1] as const).map((step) => (
            <Button
              key={step}
              variant="quiet"
              square
              small
              aria-label={`Move ${name} ${step < 0 ? 'up' : 'down'}`}
              // At the end it keeps the focus, but does nothing.
              aria-disabled={(step < 0 ? props.isFirst : props.isLast) || undefined}
              onClick={() => onMove(step)}
            >
              <Icon name={step < 0 ? 'ascending' : 'descending'} />
            </Button>
          ))}
          {mayShare && (
            <Button
              small
              autoFocus={props.wasShared}
              busy={props.isChanging}
              aria-label={shared ? `Stop sharing ${name}` : `Share ${name} with everybody`}
              onClick={props.onShare}
            >
              {shared ? 'Stop sharing' : 'Share'}
            </Button>
          )}
          {(['Rename', 'Delete'] as const).map((next) => (
            <Button
              key={next}
              small
              autoFocus={lastForm === next}
              aria-label={`${next} ${name}`}
              onClick={() => open(next)}
            >
              {next}
            </Button>
          ))}
        </div>
      )}
    </li>
  );
}

/** Asks for another name. Escape closes the whole dialog, "Cancel" only this form. */
function RenameView({ view, onEnd }: { view: View; onEnd: () => void }) {
  const { queryClient } = useApp();
  const [name, setName] = useState(view.name);
  const renaming = useAction('changeView', {
    ...viewErrors,
    done: 'the view was renamed',
    onReply: ({ data }) => showView(queryClient, data),
    onDone: onEnd,
  });
  return (
    <li>
      <Form
        className={`row ${styles.form}`}
        onSubmit={() => void renaming.run({ params: { id: view.id }, body: { name } })}
      >
        <TextField
          label="Name"
          error={renaming.failure ?? undefined}
          autoFocus
          maxLength={viewLimits.name}
          value={name}
          onChange={setName}
        />
        <Button small busy={renaming.isBusy} onClick={onEnd}>
          Cancel
        </Button>
        <Button type="submit" small variant="primary" busy={renaming.isBusy}>
          Save name
        </Button>
      </Form>
    </li>
  );
}

/** Gets the focus once the view is deleted. */
const savedViewsAround = (button: HTMLElement) => button.closest<HTMLElement>('[role=group]');

/** Asks before the view is deleted. */
function DeleteView({ view: { id, name, shared }, onEnd }: { view: View; onEnd: () => void }) {
  const { queryClient } = useApp();
  const deleting = useAction('deleteView', {
    ...viewErrors,
    done: 'the view was deleted',
    onReply: () =>
      void queryClient.setQueryData(viewsQuery.queryKey, (views) => views?.filter((view) => view.id !== id)),
  });
  return (
    <li className="row">
      <span className={styles.name}>{shared ? `Delete “${name}” for everybody?` : `Delete “${name}”?`}</span>
      <Button autoFocus small busy={deleting.isBusy} onClick={onEnd}>
        Cancel
      </Button>
      <Button
        small
        variant="danger"
        busy={deleting.isBusy}
        confirms
        ref={useLeavesFocus(savedViewsAround)}
        onClick={() => void deleting.run({ params: { id } })}
      >
        Delete view
      </Button>
      <Problem failure={deleting.failure} />
    </li>
  );
}

/** "Status Suspended, expired · sorted by expiry". */
function useViewWords(query: ViewQuery): string {
  const filters = filterWords(query, useStatuses(), useBundles()).join(', ') || 'all subscribers';
  const order = query.SortBy && ` · ${orderWords[query.SortBy]}`;
  return `${filters.charAt(0).toUpperCase()}${filters.slice(1)}${order ?? ''}`;
}

const orderWords: Readonly<Record<SortOrder, string>> = {
  username: 'sorted by username',
  username_desc: 'sorted by username, Z to A',
  expiresAt: 'sorted by expiry',
  expiresAt_desc: 'sorted by expiry, latest first',
};
