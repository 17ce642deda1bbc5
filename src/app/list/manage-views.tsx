import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { View, ViewQuery, ChangeViewBody } from '../../contract/bff/view.ts';
import type { SortOrder } from '../../contract/service/list-query.ts';
import { changeView } from '../api/mutations.ts';
import { usePermission } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Icon } from '../components/icon.tsx';
import { Notice } from '../components/notice.tsx';
import { filterWords } from '../subscriber/filter-words.ts';
import { nameOfStatus, useStatuses } from '../subscriber/status-badge.tsx';
import { DeleteView, reasonFor, RenameView } from './manage-view-forms.tsx';
import styles from './manage-views.module.css';

type ViewChange = ChangeViewBody & { id: string };

/** Moves, shares, renames and deletes the user's own views and, for managers, the shared ones. */
export function ManageViewsDialog({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [said, setSaid] = useState('');
  const changing = useMutation(changeView);
  const { allowed: mayShare, reason } = usePermission('shareViews');
  const { shared = [], own = [] } = Object.groupBy(views, (view) => (view.shared ? 'shared' : 'own'));
  const list = useRef<HTMLDivElement>(null);
  const pressed = useRef<string>(undefined);

  const order = views.map(({ id, shared }) => `${id} ${shared}`).join();
  const shown = useRef(order);
  // A row that moves or disappears loses the focus, and the next key would do nothing.
  useEffect(() => {
    if (order === shown.current) return;
    shown.current = order;
    if (document.activeElement !== document.body) return;
    (document.getElementById(pressed.current ?? '') ?? list.current)?.focus();
  }, [order]);

  function change(body: ViewChange, button: string, outcome: string): void {
    if (changing.isPending) return;
    pressed.current = button;
    changing.mutate(body, { onSuccess: () => setSaid(outcome) });
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
        onMove={(step, button) => {
          const to = place + step;
          if (to < 0 || to >= group.length) return;
          const outcome = `${view.name} is now in position ${to + 1} of ${group.length}.`;
          change({ id: view.id, place: to }, button, outcome);
        }}
        onShare={(shared, button) =>
          change(
            { id: view.id, shared },
            button,
            shared ? `Everybody has ${view.name} now.` : `Only you have ${view.name} now.`,
          )
        }
      />
    ));

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
      {shared.length > 0 && reason && <p>{reason}</p>}
      <div
        ref={list}
        className={styles.groups}
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
      <div role="alert">
        {changing.error && (
          <Notice tone="bad">{reasonFor(changing.error, describeChange(changing.variables))}</Notice>
        )}
      </div>
    </Dialog>
  );
}

/** What would be true after a change. */
function describeChange({ shared }: ViewChange): string {
  if (shared === undefined) return 'the view was moved';
  return shared ? 'the view was shared' : 'the sharing was stopped';
}

/** One view: what it shows and, for those who may change it, its buttons. */
function ManagedView(props: {
  view: View;
  mayShare: boolean;
  isFirst: boolean;
  isLast: boolean;
  isChanging: boolean;
  /** @param button the id of the one that was pressed */
  onMove: (step: -1 | 1, button: string) => void;
  onShare: (shared: boolean, button: string) => void;
}) {
  const { view, mayShare, onMove, onShare } = props;
  // It stays the same when the view moves to the other list.
  const id = `view-${view.id}`;
  const words = useViewWords(view.query);
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
      <div className={styles.name}>
        {view.name}
        <p>{words}</p>
      </div>
      {(mayShare || !view.shared) && (
        <div className={styles.buttons}>
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
          {mayShare && (
            <Button
              id={`${id}-share`}
              small
              busy={props.isChanging}
              aria-label={view.shared ? `Stop sharing ${view.name}` : `Share ${view.name} with everybody`}
              onClick={() => onShare(!view.shared, `${id}-share`)}
            >
              {view.shared ? 'Stop sharing' : 'Share'}
            </Button>
          )}
          <Button
            id={`${id}-rename`}
            small
            aria-label={`Rename ${view.name}`}
            onClick={() => setDoing('rename')}
          >
            Rename
          </Button>
          <Button
            id={`${id}-delete`}
            small
            aria-label={`Delete ${view.name}`}
            onClick={() => setDoing('delete')}
          >
            Delete
          </Button>
        </div>
      )}
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
