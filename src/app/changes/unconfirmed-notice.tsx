import type { Doubt } from '../api/send-idempotent.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './unconfirmed-notice.module.css';

/**
 * Says that an answer was lost, and that it is being found out.
 *
 * @param done what would be so if it had gone through, such as "the token was replaced"
 */
export function DoubtNotice({ doubt, done }: { doubt: Doubt; done: string }) {
  return (
    <Notice tone="warn">
      <div className={styles.doubt}>
        <p>{doubtOf(done)}</p>
        <Button small busy={doubt.asking} onClick={doubt.askNow}>
          {doubt.asking ? 'Asking…' : 'Try again'}
        </Button>
      </div>
    </Notice>
  );
}

/** What is said while an answer is lost. */
export const doubtOf = (done: string): string =>
  `No answer came back that says whether ${done}. The desk asks again by itself, and nothing is done twice.`;
