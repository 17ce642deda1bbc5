import { Button } from '../../components/button.tsx';
import { Moment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import styles from './restored-notice.module.css';

/** Says that the form begins with what was typed before, and how to be rid of it. */
export function RestoredNotice({ savedAt, onDrop }: { savedAt: string; onDrop: () => void }) {
  return (
    <div role="status">
      <Notice tone="ok">
        <div className={styles.restored}>
          <p>
            What you entered <Moment at={Date.parse(savedAt)} /> and did not save is here again.
          </p>
          <Button small onClick={onDrop}>
            Drop it
          </Button>
        </div>
      </Notice>
    </div>
  );
}
