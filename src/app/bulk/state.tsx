import type { Job, ExtendChange, FieldsChange, ImportMode } from '../../contract/bff/job.ts';
import { outcomeOf } from '../subscriber/job-words.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { grouped, localTime, counted } from '../components/format.ts';
import type { Bundle } from '../../contract/bff/bundle.ts';
import { listNames } from '../../contract/service/limits.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { browserZone } from '../subscriber/extensions.ts';
import { fieldText } from '../subscriber/subscriber-fields.ts';
import { filterWords } from '../subscriber/filter-words.ts';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';

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

export const importModeNames: Readonly<Record<ImportMode, string>> = {
  update: 'Update by ID',
  upsert: 'Update or create by username',
  create: 'Only create',
};

/** Sentences on what a job changes; none where its kind says it all. */
export function changeWords(
  { kind, change, file }: Pick<Job, 'kind' | 'change' | 'file'>,
  bundles: readonly Bundle[],
): string[] {
  if (file !== null) return [`${importModeNames[file.mode]}.`];
  if (change === null) return [];
  return kind === 'extend'
    ? extensionWords(change as ExtendChange)
    : fieldWords(change as FieldsChange, bundles);
}

function extensionWords({ by, from, endTrial, zone }: ExtendChange): string[] {
  const also = endTrial ? ['Trials become paid.'] : [];
  if ('to' in by)
    return [`To ${localTime(Date.parse(by.to))}. Whoever expires later stays as they are.`, ...also];
  const amount =
    'days' in by
      ? counted(by.days, 'day')
      : 'months' in by
        ? counted(by.months, 'month')
        : counted(by.years, 'year');
  const start = from === 'expiry' ? 'the old expiry' : 'today or the old expiry, whichever is later';
  const calendar = zone === browserZone() ? [] : [`By the calendar of ${zone}.`];
  return [`By ${amount}, from ${start}.`, ...also, ...calendar];
}

function fieldWords(
  { set = {}, add = {}, remove = {}, appendNote }: FieldsChange,
  bundles: readonly Bundle[],
): string[] {
  const sets = (['maxConnections', 'isTrial', 'hls', 'mpegTs'] as const).flatMap((name) => {
    const value = set[name];
    return value === undefined ? [] : [`${fieldLabels[name]}: ${fieldText(name, value)}.`];
  });
  const lists = listNames.flatMap((name) => {
    const words = (values: readonly (string | number)[] | undefined, verb: string) =>
      values?.length ? [`${fieldLabels[name]}: ${verb} ${fieldText(name, values as never, bundles)}.`] : [];
    return [...words(add[name], 'add'), ...words(remove[name], 'remove')];
  });
  const note = appendNote === undefined ? [] : [`${fieldLabels.note}: add “${appendNote}”.`];
  return [...sets, ...lists, ...note];
}

/** Name of a job's subscribers: "All that match: expired, trial". */
export function targetWords(
  { targets, file }: Pick<Job, 'targets' | 'file'>,
  statuses: readonly Status[] | undefined,
  bundles: readonly Bundle[],
): string {
  if (file !== null) return 'The rows of a file';
  if (targets === null || 'job' in targets) return '';
  if ('all' in targets) return 'All subscribers';
  if ('ids' in targets) return counted(targets.ids, 'selected subscriber');
  return `All that match: ${filterWords(targets.query, statuses, bundles).join(', ')}`;
}
