import type { Job } from '../../contract/bff/job.ts';
import { outcomeOf, toChangeIn } from '../subscriber/job-words.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { Notice } from '../components/notice.tsx';
import { UndoJob } from './report.tsx';
import type { JobActions } from './job-actions.ts';
import { pauseSentence } from './state.tsx';
import styles from './jobs.module.css';

/** How many subscribers of a job have been dealt with, and of how many. */
export function progressIn(job: Job): { done: number; of: number } {
  const of = toChangeIn(job);
  return { done: of - job.counts.change, of };
}

/** While the preview is being made. */
export function Preparing({ job, act }: { job: Job; act: JobActions }) {
  const seen = Object.values(job.counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      {job.pause === 'service' ? (
        <Notice tone="warn">The subscriber service doesn’t answer. We’ll keep trying.</Notice>
      ) : (
        <p className={styles.lead}>Looking at each subscriber. Nothing is changed yet.</p>
      )}
      <div className="row">
        <progress
          aria-label="Subscribers looked at"
          {...(job.total > 0 && { value: seen, max: Math.max(job.total, seen) })}
        />
        <p>
          {grouped(seen)}
          {job.total > 0 && ` of ${grouped(Math.max(job.total, seen))}`}
        </p>
      </div>
      <div className="row">
        <Button busy={act.pending !== null} onClick={() => act.run({ operation: 'stopJob', id: job.id })}>
          Discard
        </Button>
      </div>
    </>
  );
}

/** While the job runs or is paused. */
export function Progress({ job, act }: { job: Job; act: JobActions }) {
  const { done, of } = progressIn(job);
  const { id, state, pause, counts } = job;
  const isWaiting = pause === 'service' || pause === 'rights';
  const goesOn = state === 'running' || pause === 'service';
  const rest = counts.change;
  return (
    <>
      {state === 'paused' &&
        (isWaiting ? (
          <Notice tone="warn">{pauseSentence(job)}</Notice>
        ) : (
          <p className={styles.lead}>{pauseSentence(job)}</p>
        ))}
      <div className="row">
        <progress aria-label="Subscribers done" value={done} max={of} />
        <p>
          {grouped(done)} of {grouped(of)}
          {state === 'running' && <span className="aside"> · {speedOf(job)}</span>}
        </p>
      </div>
      {counts.failed + counts.skipped + counts.unconfirmed > 0 && (
        <p className="aside">So far: {outcomeOf({ ...job, counts: { ...counts, change: 0 } })}.</p>
      )}
      <div className="row">
        {goesOn ? (
          <Button
            look="primary"
            busy={act.pending !== null}
            onClick={() => act.run({ operation: 'pauseJob', id })}
          >
            Pause
          </Button>
        ) : (
          <Button
            look="primary"
            busy={act.pending !== null}
            onClick={() => act.run({ operation: 'startJob', id })}
          >
            {done > 0 ? `Continue with the other ${grouped(rest)}` : 'Continue'}
          </Button>
        )}
        <Button busy={act.pending !== null} onClick={() => act.run({ operation: 'stopJob', id })}>
          Stop
        </Button>
        {!goesOn && <UndoJob job={job} act={act} />}
      </div>
      {goesOn && <p className="aside">You can leave this page or close the browser: the job goes on.</p>}
    </>
  );
}

/** "about 9,000 a minute, less than a minute left". */
function speedOf({ perMinute, counts }: Job): string {
  if (!perMinute) return 'starting…';
  const minutes = counts.change / perMinute;
  return `about ${grouped(Math.max(1, Math.round(perMinute)))} a minute, ${timeLeft(minutes)} left`;
}

function timeLeft(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 90) return `about ${Math.round(minutes)} ${Math.round(minutes) === 1 ? 'minute' : 'minutes'}`;
  return `about ${Math.round(minutes / 60)} hours`;
}
