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
  isRemoved,
  summarizeDeletion,
  type DeletionResult,
  type DeletionResults,
  type Target,
} from './delete-run.ts';
import { useDeleteRun } from './use-delete-run.ts';
import styles from './delete-selected.module.css';

/** Asks before the selected subscribers are deleted: one as everywhere else, several with more care. */
export function DeleteSelected(props: {
  targets: readonly Target[];
  onClose: () => void;
  /** Called in place of `onClose` when none of them is left. */
  onDone: () => void;
}) {
  const { targets, onClose, onDone } = props;
  const [only, second] = targets;
  if (!only || second) return <DeleteSeveralDialog {...props} />;
  return <DeleteDialog subscriber={only} etag={only.etag} onClose={onClose} onDone={onDone} />;
}

/** Asks with all the names, then shows the progress and the result of each. */
function DeleteSeveralDialog(props: {
  targets: readonly Target[];
  onClose: () => void;
  /** Called in place of `onClose` when none of them is left. */
  onDone: () => void;
}) {
  const { targets, onClose } = props;
  const run = useDeleteRun(targets, props.onDone);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const { phase, results, unconfirmed } = run;
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
      // A change whose answer was lost goes on without the dialog, and the page reports it.
      busy={phase === 'running' && !unconfirmed}
      onClose={onClose}
      actions={
        <Actions
          run={run}
          label={`Delete ${amount}`}
          left={targets.filter(({ id }) => canTry(results.get(id))).length}
          reason={phase === 'asking' && typed.trim() !== first ? `Type ${first} first.` : undefined}
          onStart={() => run.start(reason)}
          onClose={onClose}
        />
      }
    >
      {phase === 'asking' && (
        <p>
          They are removed with their lists, and their access tokens stop working at once. Each has an entry
          of its own under Activity.
        </p>
      )}
      {phase === 'running' && (
        <Progress done={targets.filter(({ id }) => isRemoved(results.get(id))).length} of={targets.length} />
      )}
      <div role="alert">
        {unconfirmed && (
          <UnconfirmedNotice unconfirmed={unconfirmed} done={`${present?.username ?? 'it'} was deleted`} />
        )}
        {phase === 'ended' && <Notice tone="bad">{summarizeDeletion(targets, results)}</Notice>}
      </div>
      <TargetList targets={targets} results={results} phase={phase} />
      {phase === 'asking' && <ConfirmationFields {...{ first, reason, setReason, typed, setTyped }} />}
    </Dialog>
  );
}

function Actions(props: {
  run: ReturnType<typeof useDeleteRun>;
  label: string;
  /** How many can be tried again. */
  left: number;
  /** Why it cannot be pressed yet. */
  reason: string | undefined;
  onStart: () => void;
  onClose: () => void;
}) {
  const { run, left, onStart, onClose } = props;
  const { phase, unconfirmed, isStopping } = run;
  const close = useRef<HTMLButtonElement>(null);
  // The button that was pressed may be gone.
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
          {phase === 'asking' ? props.label : `Try again (${grouped(left)})`}
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

/** Whether it can be undone, a reason, and the name that has to be typed first. */
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
      <UndoNote operation="deleteSubscriber" />
      <ReasonField value={props.reason} onChange={props.setReason} />
      <Field label={`To arm the button, type ${first}, the first of them.`}>
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

/** All of them by name, with the result of each; at the end those that are left come first. */
function TargetList(props: {
  targets: readonly Target[];
  results: DeletionResults;
  phase: 'asking' | 'running' | 'ended';
}) {
  const { targets, results, phase } = props;
  const rank = ({ id }: Target) => {
    const result = results.get(id);
    return result && 'error' in result ? 0 : result ? 2 : 1;
  };
  const ordered = phase === 'ended' ? targets.toSorted((one, other) => rank(one) - rank(other)) : targets;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, which keys have to be able to do
    <div className={styles.frame} role="group" aria-label="Subscribers to delete" tabIndex={0}>
      <ul className={styles.list}>
        {ordered.map(({ id, username, email }) => {
          const result = results.get(id);
          return (
            <li key={id}>
              <strong>{username}</strong> <span className={styles.email}>{email}</span>
              {phase !== 'asking' && (
                <span className={styles.result} data-state={result?.state}>
                  {result ? resultNames[result.state] : phase === 'ended' ? 'Not tried' : ''}
                </span>
              )}
              {result && 'error' in result && (
                <div className={styles.why}>
                  {describeFailure(result.error, 'it was deleted', 'Look at it')}
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
  gone: 'Not there any more',
  kept: 'Not deleted',
  unknown: 'Not known',
};
