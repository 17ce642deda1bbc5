import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { View } from '../../../contract/bff/view.ts';
import { changeView } from '../../api/mutations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { describeFailure } from '../../changes/change-failure.tsx';
import { ManagedView } from './managed-view.tsx';
import styles from './manage-views-dialog.module.css';

/** One's own views: their order, their names, and which of them go. */
export function ManageViewsDialog({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [said, setSaid] = useState('');
  const moving = useMutation(changeView);
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<string>(undefined);

  const order = views.map(({ id }) => id).join(' ');
  const shown = useRef(order);
  // A row that is moved in the page loses the focus, and one that goes takes it along; the next key must not be lost.
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
      { onSuccess: () => setSaid(`${view.name} is now ${place + 1} of ${views.length}.`) },
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
      {views.length === 0 && <p>There are none left. “Save view” keeps the present filters as one.</p>}
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
          <Notice tone="bad">{describeFailure(moving.error, 'it was moved', 'Look at the order')}</Notice>
        )}
      </div>
    </Dialog>
  );
}
