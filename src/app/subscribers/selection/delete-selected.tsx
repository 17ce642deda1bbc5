import { useEffect, useRef, useState } from 'react';
import { ReasonField } from '../../changes/change-dialog.tsx';
import { describeFailure, UnconfirmedNotice } from '../../changes/change-failure.tsx';
import { UndoNote } from '../../changes/undo-note.tsx';
import { Button } from '../../components/button.tsx';
import { counted, grouped } from '../../components/count.ts';
import { Dialog } from '../../components/dialog.tsx';
import { RequestId } from '../../components/failure.tsx';
import { Field, inputClass } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { DeleteDialog } from '../detail/delete-dialog.tsx';
import {
  canTry,
  hasErrors,
  isRemoved,
  summarizeDeletion,
  type DeletionResult,
  type DeletionResults,
  type Target,
} from './delete-run.ts';
import { useDeleteRun } from './use-delete-run.ts';
import styles from './delete-selected.module.css';

/** Asks before the selected subscribers are deleted: one as in the pane, several in a dialog of their own. */
export function DeleteSelected(props: {
  targets: readonly Target[];
  onClose: () => void;
  /** Called instead of `onClose` when none of them is left. */
  onDone: () => void;
}) {
  const { targets, onClose, onDone } = props;
  const [only, second] = targets;
  if (!only || second) return <DeleteSeveralDialog {...props} />;
  return <DeleteDialog subscriber={only} etag={only.etag} onClose={onClose} onDone={onDone} />;
}

/** Asks with all the names, then shows the progress and the result for each. */
function DeleteSeveralDialog(props: {
  targets: readonly Target[];
  onClose: () => void;
  /** Called instead of `onClose` when none of them is left. */
  onDone: () => void;
}) {
  const { targets, onClose } = props;
  const run = useDeleteRun(targets, props.onDone);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const { phase, results, unconfirmed, isStopping } = run;
  const first = targets[0]?.username ?? '';
  const amount = counted(targets.length, 'subscriber');
  const present = targets.find(({ id }) => results.get(id)?.state === 'deleting');
  const titles = {
    asking: `Delete ${amount}?`,
    running: `Deleting ${amount}`,
    ended: `Deletion of ${amount}`,
  };

  return (
    <Dialog
      title={titles[phase]}
      // An unconfirmed change continues without the dialog, and a toast says how it ended.
      busy={phase === 'running' && !unconfirmed}
      onClose={onClose}
      actions={
        <Actions
          run={run}
          label={`Delete ${amount}`}
          left={targets.filter(({ id }) => canTry(results.get(id))).length}
          reason={phase === 'asking' && typed.trim() !== first ? `Type “${first}” to confirm.` : undefined}
          onStart={() => run.start(reason)}
          onClose={onClose}
        />
      }
    >
      {phase === 'asking' && (
        <p>
          This removes them with all their lists. Their access tokens stop working immediately. Each deletion
          gets its own entry under Activity.
        </p>
      )}
      {phase === 'running' && (
        <Progress done={targets.filter(({ id }) => isRemoved(results.get(id))).length} of={targets.length} />
      )}
      <div role="alert">
        {unconfirmed && (
          <UnconfirmedNotice
            unconfirmed={unconfirmed}
            done={`${present?.username ?? 'the subscriber'} was deleted`}
          />
        )}
        {phase === 'ended' && (
          <Summary text={summarizeDeletion(targets, results, isStopping)} bad={hasErrors(results)} />
        )}
      </div>
      <TargetList targets={targets} results={results} phase={phase} isStopped={isStopping} />
      {phase === 'asking' && <ConfirmationFields {...{ first, reason, setReason, typed, setTyped }} />}
    </Dialog>
  );
}

/** How it ended. After the user stopped it, and without errors, that is no failure. */
function Summary({ text, bad }: { text: string; bad: boolean }) {
  return bad ? <Notice tone="bad">{text}</Notice> : <p>{text}</p>;
}

function Actions(props: {
  run: ReturnType<typeof useDeleteRun>;
  label: string;
  /** How many can be tried again. */
  left: number;
  /** Why the button cannot be pressed yet. */
  reason: string | undefined;
  onStart: () => void;
  onClose: () => void;
}) {
  const { run, left, onStart, onClose } = props;
  const { phase, unconfirmed, isStopping } = run;
  const isStopped = isStopping && !hasErrors(run.results);
  const again = isStopped ? `Delete the other ${grouped(left)}` : `Try again (${grouped(left)})`;
  const close = useRef<HTMLButtonElement>(null);
  // The button that had the focus may have disappeared.
  useEffect(() => {
    if (phase === 'ended') close.current?.focus();
  }, [phase]);
  if (phase === 'running')
    return (
      <>
        <Button key="close" busy={isStopping && !unconfirmed} onClick={unconfirmed ? onClose : run.stop}>
          {unconfirmed ? 'Close' : isStopping ? 'Stopping…' : 'Stop'}
        </Button>
        <Button key="delete" look="danger" busy>
          Deleting…
        </Button>
      </>
    );
  return (
    <>
      <Button key="close" ref={close} onClick={onClose}>
        {phase === 'asking' ? 'Cancel' : 'Close'}
      </Button>
      {left > 0 && (
        <Button key="delete" look="danger" reason={props.reason} onClick={onStart}>
          {phase === 'asking' ? props.label : again}
        </Button>
      )}
    </>
  );
}

function Progress({ done, of }: { done: number; of: number }) {
  return (
    <div className={styles.progress}>
      <progress aria-label="Deleted so far" value={done} max={of} />
      <p role="status">
        {grouped(done)} of {grouped(of)} deleted
      </p>
    </div>
  );
}

/** Whether it can be undone, a reason, and the name that the user has to type. */
function ConfirmationFields(props: {
  first: string;
  reason: string;
  setReason: (reason: string) => void;
  typed: string;
  setTyped: (typed: string) => void;
}) {
  const { first } = props;
  return (
    <>
      <UndoNote operation="deleteSubscriber" several />
      <ReasonField value={props.reason} onChange={props.setReason} several />
      <Field label={`Type “${first}” to confirm`}>
        {(parts) => (
          <input
            {...parts}
            className={inputClass}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={props.typed}
            onChange={(event) => props.setTyped(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

/** All of them by name, with their results. At the end, those that are left come first. */
function TargetList(props: {
  targets: readonly Target[];
  results: DeletionResults;
  phase: 'asking' | 'running' | 'ended';
  isStopped: boolean;
}) {
  const { targets, results, phase } = props;
  const notTried = phase === 'ended' ? (props.isStopped ? 'Unchanged' : 'Not tried') : '';
  const rank = ({ id }: Target) => {
    const result = results.get(id);
    return result && 'error' in result ? 0 : result ? 2 : 1;
  };
  const ordered = phase === 'ended' ? targets.toSorted((one, other) => rank(one) - rank(other)) : targets;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that keys can scroll it
    <div className={styles.frame} role="group" aria-label="Subscribers to delete" tabIndex={0}>
      <ul className={styles.list}>
        {ordered.map(({ id, username, email }) => {
          const result = results.get(id);
          return (
            <li key={id}>
              <strong>{username}</strong> <span className={styles.email}>{email}</span>
              {phase !== 'asking' && (
                <span className={styles.result} data-state={result?.state}>
                  {result ? resultNames[result.state] : notTried}
                </span>
              )}
              {result && 'error' in result && (
                <div className={styles.why}>
                  {describeFailure(result.error, 'it was deleted', 'Check the subscriber')}
                  <RequestId error={result.error} />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const resultNames: Readonly<Record<DeletionResult['state'], string>> = {
  deleting: 'Deleting…',
  deleted: 'Deleted',
  gone: 'Already deleted',
  kept: 'Not deleted',
  unknown: 'Unknown',
};
