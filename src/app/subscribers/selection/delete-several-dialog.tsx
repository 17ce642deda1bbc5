import { useEffect, useRef, useState } from 'react';
import { UnconfirmedNotice } from '../../changes/change-failure.tsx';
import { Button } from '../../components/button.tsx';
import { counted, grouped } from '../../components/count.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { ArmingFields } from './arming-fields.tsx';
import { canTry, isAway, type Target } from './delete-run.ts';
import { tally } from './deletion-summary.ts';
import { TargetList } from './target-list.tsx';
import { useDeleteRun } from './use-delete-run.ts';
import styles from './delete-several-dialog.module.css';

/** Asks before several go, by all their names; tells how far it has come, and truly what came of it. */
export function DeleteSeveralDialog(props: {
  targets: readonly Target[];
  onClose: () => void;
  /** Called in place of `onClose` where nobody of them is left. */
  onDone: () => void;
}) {
  const { targets, onClose } = props;
  const run = useDeleteRun(targets, props.onDone);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const { phase, fates, unconfirmed } = run;
  const first = targets[0]?.username ?? '';
  const who = counted(targets.length, 'subscriber');
  const present = targets.find(({ id }) => fates.get(id)?.state === 'deleting');
  const titles = { asking: `Delete ${who}?`, running: `Deleting ${who}`, over: `Deletion of ${who}` };

  return (
    <Dialog
      title={titles[phase]}
      // While nobody knows, the one under way goes on by itself and tells of it on the page.
      busy={phase === 'running' && !unconfirmed}
      onClose={onClose}
      actions={
        <Actions
          run={run}
          words={`Delete ${who}`}
          left={targets.filter(({ id }) => canTry(fates.get(id))).length}
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
        <Progress done={targets.filter(({ id }) => isAway(fates.get(id))).length} of={targets.length} />
      )}
      <div role="alert">
        {unconfirmed && (
          <UnconfirmedNotice unconfirmed={unconfirmed} done={`${present?.username ?? 'it'} was deleted`} />
        )}
        {phase === 'over' && <Notice tone="bad">{tally(targets, fates)}</Notice>}
      </div>
      <TargetList targets={targets} fates={fates} phase={phase} />
      {phase === 'asking' && <ArmingFields {...{ first, reason, setReason, typed, setTyped }} />}
    </Dialog>
  );
}

function Actions(props: {
  run: ReturnType<typeof useDeleteRun>;
  words: string;
  /** How many can be tried again. */
  left: number;
  /** Why it is not armed yet. */
  reason: string | undefined;
  onStart: () => void;
  onClose: () => void;
}) {
  const { run, left, onStart, onClose } = props;
  const { phase, unconfirmed, isStopping } = run;
  const close = useRef<HTMLButtonElement>(null);
  // Whichever was pressed may be gone by now.
  useEffect(() => {
    if (phase === 'over') close.current?.focus();
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
          {phase === 'asking' ? props.words : `Try again (${grouped(left)})`}
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
