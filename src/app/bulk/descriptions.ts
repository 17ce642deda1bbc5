import type { Bundle } from '../../contract/bff/bundle.ts';
import type { ExtendChange, FieldsChange, ImportMode, Job } from '../../contract/bff/job.ts';
import { listNames } from '../../contract/service/limits.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { counted } from '../components/count.ts';
import { localTime } from '../components/time.ts';
import { browserZone } from '../subscriber/extensions.ts';
import { fieldText } from '../subscriber/subscriber-fields.ts';
import { filterWords } from '../subscriber/filter-words.ts';
import { fieldLabels } from '../../contract/service/field-labels.ts';

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
