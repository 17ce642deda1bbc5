import { useEffect, useId, useRef, useState } from 'react';
import type { View } from '../../../contract/bff/view.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { DeleteView, RenameView } from './view-forms.tsx';
import styles from './manage-views-dialog.module.css';

/** A view in the list of one's own, with all that can be done to it. */
export function ManagedView(props: {
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
  // The button that opened the form has the focus again when the form goes.
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
