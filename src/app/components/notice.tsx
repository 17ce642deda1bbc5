import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import { Button } from './button.tsx';
import styles from './tone.module.css';

/** An important sentence on a coloured background. */
export function Notice({ tone, children }: { tone: Tone; children: ReactNode }) {
  return <div className={`${styles.notice} ${styles[tone]}`}>{children}</div>;
}

/** The answer to an action was lost. The server is asked until it says whether the action was done. */
export interface Unconfirmed {
  /** A request is in progress. */
  asking: boolean;
  /** Ends the pause before the next request. */
  askNow: () => void;
}

/** The state of an action, as dialogs and forms show it. */
export interface Acting {
  isBusy: boolean;
  /** A sentence that would be true if it had gone through, such as "the token was replaced". */
  done: string;
  /** The reason why it failed, in sentences; null unless it did. */
  failure: string | null;
  /** The errors of single fields. */
  fields: Readonly<Record<string, readonly string[] | undefined>>;
  unconfirmed: Unconfirmed | null;
}

/** Says that it is unknown whether something was done, and that the server is being asked. Nothing if it is known. */
export function UnconfirmedNotice({ acting: { unconfirmed, done } }: { acting: Acting }) {
  if (!unconfirmed) return null;
  return (
    <Notice tone="warn">
      <div className="stack">
        <p>{unconfirmedText(done)}</p>
        <div>
          <Button small busy={unconfirmed.asking} onClick={unconfirmed.askNow}>
            {unconfirmed.asking ? 'Checking…' : checkNow}
          </Button>
        </div>
      </div>
    </Notice>
  );
}

/** The text of the button that asks again without waiting. */
export const checkNow = 'Check now';

/** The sentences that are shown while the answer to an action is lost. */
export const unconfirmedText = (done: string): string =>
  `We don’t know yet whether ${done}. We’ll keep checking, and it won’t happen twice.`;
