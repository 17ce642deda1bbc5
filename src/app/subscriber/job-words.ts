import type { Job, JobRow, RowReason, RowResult } from '../../contract/bff/job.ts';
import type { JobKind } from '../../contract/bff/journal.ts';
import { counted, grouped } from '../components/format.ts';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';
import { isFieldName } from './subscriber-fields.ts';
import { jobKindWords } from './journal-entry.tsx';
import { problems } from '../../contract/http/problem-codes.ts';

/** "Extend 157 subscribers". */
export function jobTitle(kind: JobKind, count: number): string {
  const subscribers = count === 0 ? 'subscribers' : counted(count, 'subscriber');
  return `${jobKindWords[kind][0]} ${subscribers}`;
}

/** The number of subscribers that a job is to change, or was: all that it has while that is not known yet. */
export function toChangeIn({ total, preview, counts }: Pick<Job, 'total' | 'preview' | 'counts'>): number {
  const others = preview?.others.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return total - others - counts['left-out'];
}

/** The title of a job: what it changes, or for how many it was if it changes nothing. */
export const titleOfJob = (job: Job): string => jobTitle(job.kind, toChangeIn(job) || job.total);

/** The results of rows, as filters and in the table. */
export function resultName(result: RowResult, { kind, startedAt }: Pick<Job, 'kind' | 'startedAt'>): string {
  if (result === 'done') return kind === 'regenerate' ? 'New token' : upperFirst(jobKindWords[kind][1]);
  if (result === 'change' && startedAt !== null) return 'Left to do';
  if (result === 'change' && kind === 'import') return 'To import';
  if (result === 'change' && kind === 'delete') return 'Will be deleted';
  return resultNames[result];
}

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

const resultNames: Readonly<Record<Exclude<RowResult, 'done'>, string>> = {
  change: 'Will change',
  'left-out': 'Left out',
  unchanged: 'Already so',
  skipped: 'Skipped',
  failed: 'Failed',
  unconfirmed: 'Unknown',
};

/** The results of a job: "140 extended, 12 already so, 5 failed". */
export function outcomeOf(job: Pick<Job, 'kind' | 'counts' | 'startedAt'>): string {
  const { counts, kind } = job;
  const parts = [
    `${grouped(counts.done)} ${jobKindWords[kind][1]}`,
    counts.failed > 0 && `${grouped(counts.failed)} failed`,
    counts.unconfirmed > 0 && `${grouped(counts.unconfirmed)} unknown`,
    counts.skipped > 0 && `${grouped(counts.skipped)} skipped`,
    counts.unchanged > 0 && `${grouped(counts.unchanged)} already so`,
    counts['left-out'] > 0 && `${grouped(counts['left-out'])} left out`,
    counts.change > 0 && `${grouped(counts.change)} left to do`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The reason why subscribers stay as they are, behind a number: "already expire later". */
export function reasonWords(why: RowReason, kind: JobKind): string {
  if (kind === 'import' && why === 'invalid-input') return 'with errors';
  return reasons[why as keyof typeof reasons] ?? lowerFirst(problems[why as keyof typeof problems][1]);
}

const reasons = {
  'already-so': 'already as wanted',
  'already-later': 'already expiring later',
  'changed-since-export': 'changed since the export',
  'status-not-imported': 'with another status, which can’t be imported',
  'no-such-subscriber': 'not found',
  'changed-meanwhile': 'changed by someone since the preview',
  'changed-since': 'changed again later',
  'cannot-undo': 'can’t be undone',
  'invalid-input': 'not valid afterwards',
} satisfies Partial<Record<RowReason, string>>;

/** The reason why a subscriber was not changed, in a sentence; null if it was or is to be. */
export function rowReason({ why, detail }: Pick<JobRow, 'why' | 'detail'>): string | null {
  if (why === null) return null;
  if (detail === null || Object.hasOwn(sentences, why)) return sentences[why as keyof typeof sentences] ?? '';
  // Each sentence may name its field first, as the contract does.
  return detail.replaceAll(/(?<=^|[.?!] )(\w+)(?:\.\S+)?(?=: )/g, (path, name: string) =>
    isFieldName(name) ? fieldLabels[name] : path,
  );
}

const sentences = {
  'already-so': 'Already as wanted.',
  'already-later': 'Already expires later.',
  'no-such-subscriber': 'There is no such subscriber.',
  'changed-meanwhile': 'Someone changed this subscriber after the preview.',
  'changed-since': 'Someone changed the same fields later.',
} satisfies Partial<Record<RowReason, string>>;

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
