import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ExtendChange, FieldsChange, Job, NewJob } from '../../contract/bff/job.ts';
import { createJob } from '../api/jobs.ts';
import { outcomeOf } from '../subscriber/job-words.ts';
import { useApp } from '../components/app-context.ts';
import { Button, buttonClass } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { describeError } from '../api/errors.ts';
import { Notice } from '../components/notice.tsx';
import type { JobActions } from './job-actions.ts';
import styles from './jobs.module.css';

/** What became of a job that has ended, and what can be done about it. */
export function Report({ job, act }: { job: Job; act: JobActions }) {
  const { id, counts, state, preview, startedAt, problem, undoneBy } = job;
  const failed = counts.failed + counts.unconfirmed;
  return (
    <>
      {problem === null ? (
        <p className={styles.lead}>{sentenceOf(job)}</p>
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
      {preview && (
        <div className="row">
          {state === 'stopped' && startedAt !== null && counts.change > 0 && (
            <Button
              look="primary"
              busy={act.pending !== null}
              onClick={() => act.run({ operation: 'startJob', id })}
            >
              Continue with the other {grouped(counts.change)}
            </Button>
          )}
          {failed > 0 && (
            <Button
              look="primary"
              busy={act.pending !== null}
              onClick={() => act.run({ operation: 'retryJob', id })}
            >
              Retry failed ({grouped(failed)})
            </Button>
          )}
          <PrepareAgain job={job} />
          <UndoJob job={job} act={act} />
        </div>
      )}
    </>
  );
}

function sentenceOf(job: Job): string {
  if (job.startedAt === null) return 'Discarded. Nothing was changed.';
  return `${job.state === 'done' ? 'Done' : 'Stopped'}. ${outcomeOf(job)}.`;
}

/** Prepares the job that undoes this one; it has a preview of its own. */
export function UndoJob({ job, act }: { job: Job; act: JobActions }) {
  const { id, kind, counts, startedAt, undoneBy } = job;
  if (startedAt === null || kind === 'regenerate' || counts.done === 0 || undoneBy !== null) return null;
  return (
    <Button
      busy={act.pending !== null}
      title={
        kind === 'delete'
          ? 'Creates the subscribers again, with new IDs and access tokens. You see a preview first.'
          : 'You see a preview first.'
      }
      onClick={() => act.run({ operation: 'undoJob', id })}
    >
      Undo this job…
    </Button>
  );
}

/** Makes a new job for those that somebody has changed since the preview. */
function PrepareAgain({ job }: { job: Job }) {
  const { toasts } = useApp();
  const navigate = useNavigate();
  const again = useMutation({
    ...createJob,
    onSuccess: ({ id }) => navigate({ to: '/jobs/$id', params: { id } }),
    onError: (error) => toasts.show('bad', describeError(error)),
  });
  const next = repetitionOf(job);
  const skippedBefore = job.preview?.others
    .filter(({ result }) => result === 'skipped')
    .reduce((sum, { count }) => sum + count, 0);
  if (!next || job.counts.skipped <= (skippedBefore ?? 0)) return null;
  return (
    <Button busy={again.isPending} onClick={() => again.mutate(next)}>
      Prepare again for the {grouped(job.counts.skipped)} skipped
    </Button>
  );
}

/** The same change, for the subscribers that this job skipped; null for an undo. */
function repetitionOf({ id, kind, change, reason }: Job): NewJob | null {
  const common = { targets: { job: id, result: 'skipped' }, ...(reason !== null && { reason }) } as const;
  switch (kind) {
    // The file is with whoever imported it.
    case 'import':
    case 'undo':
      return null;
    // The kind says which of the two changes it is.
    case 'extend':
      return { kind, ...common, change: change as ExtendChange };
    case 'update':
      return { kind, ...common, change: change as FieldsChange };
    default:
      return { kind, ...common };
  }
}
