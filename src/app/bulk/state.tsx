import type { Job } from '../../contract/bff/job.ts';
import { outcomeOf } from '../subscriber/job-words.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { grouped } from '../components/count.ts';
import { localTime } from '../components/time.ts';

/** The state of a job in a word. Stopping is no failure. */
export function StateBadge({ job }: { job: Job }) {
  const [tone, name] = stateOf(job);
  return (
    <Badge tone={tone} dot={job.state === 'running'}>
      {name}
    </Badge>
  );
}

function stateOf({ state, pause, problem, startedAt, startsAt, counts }: Job): [Tone, string] {
  switch (state) {
    case 'preparing':
      return ['neutral', 'Preparing'];
    case 'ready':
      return ['neutral', startsAt === null ? 'Preview' : 'Scheduled'];
    case 'running':
      return ['ok', 'Running'];
    case 'paused':
      return [pause === 'service' || pause === 'rights' ? 'warn' : 'neutral', 'Paused'];
    case 'stopped':
      if (problem !== null) return ['warn', 'Not prepared'];
      return ['neutral', startedAt === null ? 'Discarded' : 'Stopped'];
    case 'done':
      return counts.failed + counts.unconfirmed > 0 ? ['warn', 'Done, some failed'] : ['ok', 'Done'];
  }
}

/** Said by screen readers whenever the state is another one; not at each step of the progress. */
export function sayState(job: Job): string {
  switch (job.state) {
    case 'preparing':
      return 'Preparing the preview.';
    case 'ready':
      return job.startsAt === null
        ? 'The preview is ready. Nothing is changed yet.'
        : startSentence(job.startsAt);
    case 'running':
      return 'Running.';
    case 'paused':
      return pauseSentence(job);
    case 'stopped':
      if (job.startedAt !== null) return `Stopped. ${outcomeOf(job)}.`;
      return `${job.problem === null ? 'Discarded. ' : ''}Nothing was changed.`;
    case 'done':
      return `Done. ${outcomeOf(job)}.`;
  }
}

/** When a job starts by itself. */
export const startSentence = (at: string): string => `Starts on ${localTime(Date.parse(at))}.`;

/** Why a job is paused, and what happens next. */
export function pauseSentence({ pause, counts, staff }: Job): string {
  switch (pause) {
    case 'service':
      return 'Paused: the subscriber service doesn’t answer. It goes on by itself.';
    case 'rights':
      return `Paused: the access of ${staff.name} was changed or ended. If you continue, it runs in your name.`;
    case 'limit':
      return `The first ${grouped(counts.done)} are done. Look at the rows below, then continue.`;
    default:
      return counts.change > 0 ? 'Paused. Nothing is changed until you continue.' : 'Paused.';
  }
}
