import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { ChangeViewBody } from '../../../contract/bff/view-bodies.ts';
import { viewLimits, type View } from '../../../contract/bff/view.ts';
import { ApiError } from '../../../contract/http/client.ts';
import { fieldErrors } from '../../../contract/http/refusal.ts';
import { changeView, deleteView } from '../../api/mutations.ts';
import { describeFailure } from '../../changes/change-failure.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { Icon } from '../../components/icon.tsx';
import { Notice } from '../../components/notice.tsx';
import styles from './manage-views.module.css';

/** Moves, renames and deletes the account's own views. */
export function ManageViewsDialog({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [said, setSaid] = useState('');
  const moving = useMutation(changeView);
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<string>(undefined);

  const order = views.map(({ id }) => id).join(' ');
  const shown = useRef(order);
  // A row that moves or disappears loses the focus, and the next key would do nothing.
  useEffect(() => {
    if (order === shown.current) return;
    shown.current = order;
    if (document.activeElement !== document.body) return;
    (document.getElementById(moved.current ?? '') ?? list.current)?.focus();
  }, [order]);

  function move(view: View, place: number, button: string): void {
    if (moving.isPending || place < 0 || place >= views.length) return;
    moved.current = button;
    moving.mutate(
      { id: view.id, place },
      { onSuccess: () => setSaid(`${view.name} is now in position ${place + 1} of ${views.length}.`) },
    );
  }

  return (
    <Dialog
      title="Manage views"
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {views.length === 0 && <p>No saved views. To save one, set filters and select “Save view”.</p>}
      <ul ref={list} tabIndex={-1} className={styles.views} aria-label="Your views">
        {views.map((view, place) => (
          <ManagedView
            key={view.id}
            view={view}
            isFirst={place === 0}
            isLast={place === views.length - 1}
            onMove={(step, button) => move(view, place + step, button)}
          />
        ))}
      </ul>
      <p role="status" className="visually-hidden">
        {said}
      </p>
      <div role="alert">
        {moving.error && (
          <Notice tone="bad">{describeFailure(moving.error, 'the view was moved', 'Check the order')}</Notice>
        )}
      </div>
    </Dialog>
  );
}

/** One view with its buttons. */
function ManagedView(props: {
  view: View;
  isFirst: boolean;
  isLast: boolean;
  /** @param button the id of the one that was pressed */
  onMove: (step: -1 | 1, button: string) => void;
}) {
  const { view, onMove } = props;
  const id = useId();
  const [doing, setDoing] = useState<'rename' | 'delete'>();
  const done = useRef(doing);
  const end = () => setDoing(undefined);
  // When the form closes, the focus goes back to the button that opened it.
  useEffect(() => {
    if (!doing && done.current) document.getElementById(`${id}-${done.current}`)?.focus();
    done.current = doing;
  }, [doing, id]);

  if (doing === 'rename') return <RenameView view={view} onEnd={end} />;
  if (doing === 'delete') return <DeleteView view={view} onEnd={end} />;
  return (
    <li>
      <span className={styles.name}>{view.name}</span>
      <Button
        id={`${id}-up`}
        look="quiet"
        square
        small
        aria-label={`Move ${view.name} up`}
        aria-disabled={props.isFirst || undefined}
        onClick={() => onMove(-1, `${id}-up`)}
      >
        <Icon name="ascending" />
      </Button>
      <Button
        id={`${id}-down`}
        look="quiet"
        square
        small
        aria-label={`Move ${view.name} down`}
        aria-disabled={props.isLast || undefined}
        onClick={() => onMove(1, `${id}-down`)}
      >
        <Icon name="descending" />
      </Button>
      <Button id={`${id}-rename`} small aria-label={`Rename ${view.name}`} onClick={() => setDoing('rename')}>
        Rename
      </Button>
      <Button id={`${id}-delete`} small aria-label={`Delete ${view.name}`} onClick={() => setDoing('delete')}>
        Delete
      </Button>
    </li>
  );
}

interface RowFormProps {
  view: View;
  onEnd: () => void;
}

/** Escape closes the whole dialog, "Cancel" only this form. */
function RenameView({ view, onEnd }: RowFormProps) {
  const field = useFocus<HTMLInputElement>();
  const [name, setName] = useState(view.name);
  const [refused, setRefused] = useState<string>();
  const renaming = useMutation(changeView);

  function rename(): void {
    const read = ChangeViewBody.safeParse({ name });
    setRefused(read.success ? undefined : fieldErrors(read.error.issues)['name']?.[0]);
    if (read.success) renaming.mutate({ id: view.id, name: read.data.name ?? name }, { onSuccess: onEnd });
  }

  return (
    <li>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          rename();
        }}
      >
        <Field label="Name" error={refused ?? (renaming.error ? reasonFor(renaming.error) : undefined)}>
          {(parts) => (
            <input
              {...parts}
              ref={field}
              className={inputClass}
              autoComplete="off"
              maxLength={viewLimits.name}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Button small busy={renaming.isPending} onClick={onEnd}>
          Cancel
        </Button>
        <Button type="submit" small look="primary" busy={renaming.isPending}>
          Save name
        </Button>
      </form>
    </li>
  );
}

function reasonFor(error: Error): string {
  const field = error instanceof ApiError ? error.fields['name']?.[0] : undefined;
  return field ?? describeFailure(error, 'the view was renamed', 'Check your views');
}

/** Asks before the view is deleted. */
function DeleteView({ view, onEnd }: RowFormProps) {
  const keep = useFocus<HTMLButtonElement>();
  const deleting = useMutation(deleteView);
  return (
    <li>
      <span className={styles.name}>Delete “{view.name}”?</span>
      <Button ref={keep} small busy={deleting.isPending} onClick={onEnd}>
        Cancel
      </Button>
      <Button small look="danger" busy={deleting.isPending} onClick={() => deleting.mutate(view.id)}>
        Delete view
      </Button>
      {deleting.error && (
        <div role="alert" className={styles.trouble}>
          <Notice tone="bad">
            {describeFailure(deleting.error, 'the view was deleted', 'Check your views')}
          </Notice>
        </div>
      )}
    </li>
  );
}

/** Takes the focus from the button that it replaces. */
function useFocus<T extends HTMLElement>() {
  const ref = useRef<T>(null);
  useEffect(() => ref.current?.focus(), []);
  return ref;
}
