import { useMutation } from '@tanstack/react-query';
import { useLeavesFocus } from '../components/app-context.ts';
import { useRef, useState, type RefObject } from 'react';
import type { ChangeViewBody, ViewQuery } from '../../contract/bff/view-bodies.ts';
import { viewLimits, type View } from '../../contract/bff/view.ts';
import { ApiError } from '../../contract/http/client.ts';
import type { SortOrder } from '../../contract/service/list-query.ts';
import { describeFailure } from '../api/action-errors.ts';
import { changeView, deleteView } from '../api/mutations.ts';
import { usePermission } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import { Notice } from '../components/notice.tsx';
import { filterWords } from '../subscriber/filter-words.ts';
import { nameOfStatus, useStatuses } from '../subscriber/status-badge.tsx';
import styles from './manage-views.module.css';

// Whoever pressed a button goes on there: each `autoFocus` below is on the control that takes its place.
/* oxlint-disable jsx-a11y/no-autofocus */

type ViewChange = ChangeViewBody & { id: string };

/** Moves, shares, renames and deletes the user's own views and, for managers, the shared ones. */
export function ManageViewsDialog({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [said, setSaid] = useState('');
  const changing = useMutation(changeView);
  const { allowed: mayShare, reason } = usePermission('shareViews');
  const { shared = [], own = [] } = Object.groupBy(views, (view) => (view.shared ? 'shared' : 'own'));
  const groups = useRef<HTMLDivElement>(null);

  function change(body: ViewChange, done: string): void {
    if (!changing.isPending) changing.mutate(body, { onSuccess: () => setSaid(done) });
  }

  const rowsOf = (group: readonly View[]) =>
    group.map((view, place) => (
      <ManagedView
        key={view.id}
        view={view}
        mayShare={mayShare}
        isFirst={place === 0}
        isLast={place === group.length - 1}
        isChanging={changing.isPending}
        // It comes from the other group, with another button.
        wasShared={changing.variables?.id === view.id && changing.variables.shared === view.shared}
        onMove={(step) => {
          const to = place + step;
          if (to >= 0 && to < group.length)
            change(
              { id: view.id, place: to },
              `${view.name} is now in position ${to + 1} of ${group.length}.`,
            );
        }}
        onShare={() =>
          change(
            { id: view.id, shared: !view.shared },
            view.shared ? `Only you have ${view.name} now.` : `Everybody has ${view.name} now.`,
          )
        }
        groups={groups}
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
        ref={groups}
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
      <Problem error={changing.error} done={describeChange(changing.variables)} />
    </Dialog>
  );
}

/** A sentence about what would be true after a change. */
function describeChange({ shared }: Partial<ViewChange> = {}): string {
  if (shared === undefined) return 'the view was moved';
  return shared ? 'the view was shared' : 'the sharing was stopped';
}

function Problem({ error, done }: { error: Error | null; done: string }) {
  const { ofName, other } = problemsOf(error, done);
  return (
    <div role="alert" className={styles.problem}>
      {error && <Notice tone="bad">{ofName ?? other}</Notice>}
    </div>
  );
}

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
  /** Gets the focus once the view is deleted. */
  groups: RefObject<HTMLElement | null>;
}) {
  const { view, mayShare, onMove } = props;
  const { name, shared } = view;
  const words = useViewWords(view.query);
  const [form, setForm] = useState<'rename' | 'delete'>();
  const [lastForm, setLastForm] = useState<typeof form>();
  const open = (next: 'rename' | 'delete') => {
    setForm(next);
    setLastForm(next);
  };
  const close = () => setForm(undefined);
  if (form === 'rename') return <RenameView view={view} onEnd={close} />;
  if (form === 'delete') return <DeleteView view={view} onEnd={close} groups={props.groups} />;
  return (
    <li className="row">
      <div className={styles.name}>
        {name}
        <p className="aside">{words}</p>
      </div>
      {(mayShare || !shared) && (
        <div className={`row ${styles.buttons}`}>
          <MoveButton
            name={`Move ${name} up`}
            icon="ascending"
            isEnd={props.isFirst}
            onMove={() => onMove(-1)}
          />
          <MoveButton
            name={`Move ${name} down`}
            icon="descending"
            isEnd={props.isLast}
            onMove={() => onMove(1)}
          />
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
          <Button
            small
            autoFocus={lastForm === 'rename'}
            aria-label={`Rename ${name}`}
            onClick={() => open('rename')}
          >
            Rename
          </Button>
          <Button
            small
            autoFocus={lastForm === 'delete'}
            aria-label={`Delete ${name}`}
            onClick={() => open('delete')}
          >
            Delete
          </Button>
        </div>
      )}
    </li>
  );
}

/** At the end it keeps the focus, but does nothing. */
function MoveButton(props: {
  name: string;
  icon: 'ascending' | 'descending';
  isEnd: boolean;
  onMove: () => void;
}) {
  return (
    <Button
      variant="quiet"
      square
      small
      aria-label={props.name}
      aria-disabled={props.isEnd || undefined}
      onClick={props.onMove}
    >
      <Icon name={props.icon} />
    </Button>
  );
}

/** The field of a view's name. */
export function ViewNameField(props: {
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
  hint?: string;
}) {
  return (
    <Field label="Name" error={props.error} {...(props.hint && { hint: props.hint })}>
      {(parts) => (
        <input
          {...parts}
          autoFocus
          autoComplete="off"
          maxLength={viewLimits.name}
          value={props.value}
          onChange={(event) => props.onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/**
 * Why a view was not saved or changed: `ofName` is for the field of the name, `other` for anything else.
 *
 * @param done what would be true if it had been, such as "the view was renamed"
 */
export function problemsOf(error: Error | null, done: string) {
  const { name, ...fields } = error instanceof ApiError ? error.fields : {};
  const [ofOther] = Object.values(fields).flat();
  const isKnown = name !== undefined || ofOther !== undefined;
  const other = error && !isKnown ? describeFailure(error, { done, check: 'Check your views' }) : ofOther;
  return { ofName: name?.[0], other };
}

/** Asks for another name. Escape closes the whole dialog, "Cancel" only this form. */
function RenameView({ view, onEnd }: { view: View; onEnd: () => void }) {
  const [name, setName] = useState(view.name);
  const renaming = useMutation(changeView);
  const { ofName, other } = problemsOf(renaming.error, 'the view was renamed');
  return (
    <li className="row">
      <form
        className={`row ${styles.form}`}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          renaming.mutate({ id: view.id, name }, { onSuccess: onEnd });
        }}
      >
        <ViewNameField value={name} onChange={setName} error={ofName ?? other} />
        <Button small busy={renaming.isPending} onClick={onEnd}>
          Cancel
        </Button>
        <Button type="submit" small variant="primary" busy={renaming.isPending}>
          Save name
        </Button>
      </form>
    </li>
  );
}

/** Asks before the view is deleted. */
function DeleteView(props: { view: View; onEnd: () => void; groups: RefObject<HTMLElement | null> }) {
  const { id, name, shared } = props.view;
  const deleting = useMutation(deleteView);
  return (
    <li className="row">
      <span className={styles.name}>{shared ? `Delete “${name}” for everybody?` : `Delete “${name}”?`}</span>
      <Button autoFocus small busy={deleting.isPending} onClick={props.onEnd}>
        Cancel
      </Button>
      <Button
        small
        variant="danger"
        busy={deleting.isPending}
        confirms
        ref={useLeavesFocus(props.groups)}
        onClick={() => deleting.mutate(id)}
      >
        Delete view
      </Button>
      <Problem error={deleting.error} done="the view was deleted" />
    </li>
  );
}

/** "Status Suspended, expired · sorted by expiry". */
function useViewWords(query: ViewQuery): string {
  const status = nameOfStatus(query.StatusId ?? Number.NaN, useStatuses());
  const filters = filterWords(query, status).join(', ') || 'all subscribers';
  const order = query.SortBy && ` · ${orderWords[query.SortBy]}`;
  return `${filters.charAt(0).toUpperCase()}${filters.slice(1)}${order ?? ''}`;
}

const orderWords: Readonly<Record<SortOrder, string>> = {
  username: 'sorted by username',
  username_desc: 'sorted by username, Z to A',
  expiresAt: 'sorted by expiry',
  expiresAt_desc: 'sorted by expiry, latest first',
};
