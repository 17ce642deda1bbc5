import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job, NewJob } from '../../contract/bff/job.ts';
import { Button, buttonClass, type ButtonVariant } from '../components/button.tsx';
import { counted, grouped } from '../components/format.ts';
import { Form } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { ProgressBar } from '../components/progress-bar.tsx';
import { jobTitle, outcomeOf, toChangeIn } from '../subscriber/job-words.ts';
import { canStartFew, FirstFew, StartLater } from './job-start.tsx';
import { isAtWork, progressIn, useJobAction, usePrepareJob, type JobOperation } from './jobs.ts';
import { isDangerous, NumberField, numberToType, PreviewFacts } from './preview.tsx';
import { pauseSentence, sayState, startSentence } from './state.tsx';
import styles from './jobs.module.css';

const names: Readonly<Record<Job['state'], string>> = {
  preparing: 'Progress',
  ready: 'Preview',
  running: 'Progress',
  paused: 'Progress',
  done: 'Report',
  stopped: 'Report',
};

/** State of a job, and buttons for what can be done about it. */
export function JobPanel({ job }: { job: Job }) {
  const act = useJobAction(job);
  const [typed, setTyped] = useState('');
  /** The start that was set when the dialog was opened, which closes once there is another one; undefined without a dialog. */
  const [startBefore, setStartBefore] = useState<string | null>();
  const number = numberToType(job);
  const isTyped = number === null || typed.replaceAll(/\D/g, '') === String(number);
  const reason = isTyped ? undefined : `Type ${number} first.`;
  return (
    <section className={`card stack ${styles.panel}`} aria-label={names[job.state]}>
      <Form
        className="stack"
        onSubmit={() => {
          if (!act.isBusy && isTyped) act.run('startJob');
        }}
      >
        <State job={job} />
        {number !== null && <NumberField amount={number} typed={typed} onType={setTyped} />}
        <div className="row">
          {buttonsOf(job).map(({ text, operation, submits, ...button }) => (
            <Button
              key={text}
              {...button}
              type={submits ? 'submit' : 'button'}
              busy={act.isBusy}
              reason={operation === 'startJob' ? reason : undefined}
              onClick={submits ? undefined : () => act.run(operation)}
            >
              {text}
            </Button>
          ))}
          <PrepareAgain job={job} />
          {job.state === 'ready' && toChangeIn(job) > 0 && (
            <Button variant="quiet" reason={reason} onClick={() => setStartBefore(job.startsAt)}>
              {job.startsAt === null ? 'Start later…' : 'Change time…'}
            </Button>
          )}
        </div>
      </Form>
      {job.state === 'ready' && startBefore === job.startsAt && (
        <StartLater job={job} onClose={() => setStartBefore(undefined)} />
      )}
      {canStartFew(job) && <FirstFew job={job} act={act} />}
      {isUnderWay(job) && (
        <div className="aside">
          <p>You can leave this page or close the browser: the job goes on.</p>
          <p>Pause holds it until you continue. Stop ends it: what is done stays done.</p>
        </div>
      )}
      <div role="alert">{act.failure && <Notice tone="bad">{act.failure}</Notice>}</div>
    </section>
  );
}

const isUnderWay = (job: Job) => isAtWork(job) && job.state !== 'preparing';

interface ActButton {
  text: string;
  operation: JobOperation;
  variant?: ButtonVariant;
  title?: string;
  /** Enter in the field of the number presses it. */
  submits?: true;
}

function buttonsOf(job: Job): ActButton[] {
  const { kind, state, counts, startedAt, startsAt, preview } = job;
  const amount = toChangeIn(job);
  const rest = `the other ${grouped(counts.change)}`;
  const failed = counts.failed + counts.unconfirmed;
  const isOver = state === 'done' || state === 'stopped';
  const all: (ActButton | false | undefined)[] = [
    state === 'ready' &&
      amount > 0 && {
        text: startsAt === null ? jobTitle(kind, amount) : 'Start now',
        operation: 'startJob',
        variant: isDangerous(job) ? 'danger' : 'primary',
        submits: true,
      },
    state === 'ready' &&
      preview?.others.some(({ why }) => why === 'changed-since-export') && {
        text: 'Import these anyway',
        operation: 'importAnyway',
        title: 'Also imports the rows that are older than what is there now. You see a preview first.',
      },
    (state === 'ready' || state === 'preparing') && {
      text: 'Discard',
      operation: 'stopJob',
      variant: state === 'ready' ? 'quiet' : 'plain',
    },
    isUnderWay(job) && { text: 'Pause', operation: 'pauseJob', variant: 'primary' },
    ((state === 'paused' && !isAtWork(job)) ||
      (state === 'stopped' && startedAt !== null && counts.change > 0)) && {
      text: progressIn(job).done > 0 || isOver ? `Continue with ${rest}` : 'Continue',
      operation: 'startJob',
      variant: 'primary',
    },
    (state === 'running' || state === 'paused') && { text: 'Stop', operation: 'stopJob' },
    isOver &&
      preview !== null &&
      failed > 0 && { text: `Retry failed (${grouped(failed)})`, operation: 'retryJob', variant: 'primary' },
    canBeUndone(job) && {
      text: 'Undo this job…',
      operation: 'undoJob',
      title:
        kind === 'delete'
          ? 'Creates the subscribers again, with new IDs and access tokens. You see a preview first.'
          : 'You see a preview first.',
    },
  ];
  return all.filter((button) => button !== false && button !== undefined);
}

/** True if a job has changed something, and nothing is under way; what undoes it is a job with a preview of its own. */
const canBeUndone = (job: Job) =>
  job.startedAt !== null &&
  (job.state === 'done' || !(isAtWork(job) || job.isHeld)) &&
  job.kind !== 'regenerate' &&
  job.counts.done > 0 &&
  job.undoneBy === null;

/** Makes a new job for those that somebody has changed since the preview. */
function PrepareAgain({ job }: { job: Job }) {
  const preparing = usePrepareJob({ failures: 'toast' });
  const next = repetitionOf(job);
  const skippedBefore = job.preview?.others
    .filter(({ result }) => result === 'skipped')
    .reduce((sum, { count }) => sum + count, 0);
  const isOver = job.state === 'done' || job.state === 'stopped';
  if (!isOver || !next || job.counts.skipped <= (skippedBefore ?? 0)) return null;
  return (
    <Button busy={preparing.isBusy} onClick={() => void preparing.run(next)}>
      Prepare again for the {grouped(job.counts.skipped)} skipped
    </Button>
  );
}

/** The same change, for the subscribers that this job skipped; null for an undo, and for an import: who made it has the file. */
function repetitionOf({ id, kind, change, reason }: Job): NewJob | null {
  if (kind === 'import' || kind === 'undo') return null;
  const targets = { job: id, result: 'skipped' };
  // The kind says which change it is, if any.
  return { kind, targets, ...(change && { change }), ...(reason !== null && { reason }) } as NewJob;
}

function State({ job }: { job: Job }) {
  switch (job.state) {
    case 'preparing':
      return <Preparing job={job} />;
    case 'ready':
      return (
        <>
          {job.startsAt !== null && <Notice tone="ok">{startSentence(job.startsAt)}</Notice>}
          <PreviewFacts job={job} />
        </>
      );
    case 'running':
    case 'paused':
      return <Progress job={job} />;
    case 'done':
    case 'stopped':
      return <Report job={job} />;
  }
}

function Preparing({ job }: { job: Job }) {
  const seen = Object.values(job.counts).reduce((sum, count) => sum + count, 0);
  const of = job.total > 0 ? Math.max(job.total, seen) : null;
  return (
    <>
      {job.pause === 'service' ? (
        <Notice tone="warn">The subscriber service doesn’t answer. We’ll keep trying.</Notice>
      ) : (
        <p className={styles.lead}>Looking at each subscriber. Nothing is changed yet.</p>
      )}
      <ProgressBar label="Subscribers looked at" done={seen} of={of} />
    </>
  );
}

function Progress({ job }: { job: Job }) {
  const { done, of } = progressIn(job);
  const { state, pause, counts } = job;
  const isWaiting = pause === 'service' || pause === 'rights';
  return (
    <>
      {state === 'paused' &&
        (isWaiting ? (
          <Notice tone="warn">{pauseSentence(job)}</Notice>
        ) : (
          <p className={styles.lead}>{pauseSentence(job)}</p>
        ))}
      <ProgressBar label="Subscribers done" done={done} of={of}>
        {state === 'running' && <span className="aside"> · {speedOf(job)}</span>}
      </ProgressBar>
      {counts.failed + counts.skipped + counts.unconfirmed > 0 && (
        <p className="aside">So far: {outcomeOf({ ...job, counts: { ...counts, change: 0 } })}.</p>
      )}
    </>
  );
}

/** "about 9,000 a minute, less than a minute left". */
function speedOf({ perMinute, counts, isHeld }: Job): string {
  if (!perMinute) return 'starting…';
  if (!isHeld) return 'waiting for a server to take over…';
  const minutes = counts.change / perMinute;
  return `about ${grouped(Math.max(1, Math.round(perMinute)))} a minute, ${timeLeft(minutes)} left`;
}

function timeLeft(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 90) return `about ${counted(Math.round(minutes), 'minute')}`;
  return `about ${Math.round(minutes / 60)} hours`;
}

/** Results of a job that has ended. */
function Report({ job }: { job: Job }) {
  const { startedAt, problem, undoneBy } = job;
  return (
    <>
      {problem === null ? (
        <p className={styles.lead}>{sayState(job)}</p>
      ) : (
        <Notice tone="warn">The preview couldn’t be made. {problem}</Notice>
      )}
      {startedAt === null && (
        <div>
          <Link to="/subscribers" search={true} className={buttonClass()}>
            Go to subscribers
          </Link>
        </div>
      )}
      {undoneBy !== null && (
        <p className="aside">
          <Link to="/jobs/$id" params={{ id: undoneBy }}>
            Another job
          </Link>{' '}
          undoes this one.
        </p>
      )}
    </>
  );
}
