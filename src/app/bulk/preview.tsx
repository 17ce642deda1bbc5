import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { confirmedFrom, type Job } from '../../contract/bff/job.ts';
import type { JobKind } from '../../contract/bff/journal.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { jobQuery, useLeaveOut } from './jobs.ts';
import { reasonWords, toChangeIn } from '../subscriber/job-words.ts';
import { useLeavesFocus } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped, localTime } from '../components/format.ts';
import { TextField } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';
import { listNames, statusOfActive, type ListName } from '../../contract/service/limits.ts';
import { nameOfStatus, useStatuses } from '../subscriber/status-badge.tsx';
import styles from './jobs.module.css';

/** True for what can’t be undone, or not fully; an undo may delete subscribers as well. */
export const isDangerous = ({ kind, preview }: Job): boolean =>
  kind === 'delete' || kind === 'regenerate' || (kind === 'undo' && (preview?.deleted ?? 0) > 0);

/** True if somebody has to say that a job starts, or when. */
export const isUndecided = ({ state, startsAt }: Job): boolean => state === 'ready' && startsAt === null;

/** The number that has to be typed before a job starts; null if none has to be. */
export function numberToType(job: Job): number | null {
  const amount = toChangeIn(job);
  const needsNumber = isUndecided(job) && amount > 0 && (isDangerous(job) || amount > confirmedFrom);
  return needsNumber ? amount : null;
}

/** So many changes are confirmed by their number. */
export function NumberField(props: { amount: number; typed: string; onType: (text: string) => void }) {
  const { amount } = props;
  const input = useRef<HTMLInputElement>(null);
  // The preview has just appeared, and this is what to do next; unless somebody is doing something else.
  useEffect(() => {
    if (document.activeElement?.matches('body, h1')) input.current?.focus({ preventScroll: true });
  }, []);
  return (
    <TextField
      label={`Type ${amount} to confirm`}
      ref={input}
      className={styles.number}
      inputMode="numeric"
      value={props.typed}
      onChange={props.onType}
    />
  );
}

/** The changes that the job would make. */
export function PreviewFacts({ job }: { job: Job }) {
  const statuses = useStatuses();
  const undone = useQuery({ ...jobQuery(job.undoOf ?? ''), enabled: job.undoOf !== null }).data;
  const { preview } = job;
  const shown = job.targets && 'shown' in job.targets ? job.targets.shown : undefined;
  const amount = toChangeIn(job);
  const warnings = warningsOf(job, statuses, undone);
  return (
    <>
      <p className={styles.lead}>
        {amount === 0 ? (
          <strong>There is nothing to change.</strong>
        ) : (
          <>
            <strong>{counted(amount, 'subscriber')}</strong> {futureOf(job, undone)}. Nothing is changed yet.
          </>
        )}
      </p>
      {preview && (
        <ul className="muted">
          {shown !== undefined && shown !== job.total && (
            <li>
              {grouped(job.total)} {job.total === 1 ? 'matches' : 'match'} now ({grouped(shown)} when you
              pressed Preview)
            </li>
          )}
          {preview.earliest !== null && preview.latest !== null && (
            <li>{expiryWords(preview.earliest, preview.latest)}</li>
          )}
          {preview.readAs?.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {preview.others.length > 0 && <li>{othersWords(preview.others, job)}</li>}
        </ul>
      )}
      {amount > 0 && warnings.length > 0 && (
        <Notice tone="warn">
          <ul>
            {warnings.map(({ text, name }) => (
              <li key={text} className={`row ${styles.warning}`}>
                {text}
                {name !== undefined && <WarnedOf name={name} job={job} />}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}

/** Shows those that a warning is about, and leaves them out. */
function WarnedOf({ name, job }: { name: string; job: Job }) {
  const { busy, leave } = useLeaveOut(job);
  return (
    <>
      <Link to="/jobs/$id" params={{ id: job.id }} search={{ warning: name }} resetScroll={false}>
        Show
      </Link>
      <Button
        small
        variant="quiet"
        ref={useLeavesFocus()}
        busy={busy}
        onClick={() => leave({ leaveOut: true, rows: { warning: name } })}
      >
        Leave these out
      </Button>
    </>
  );
}

/** The subscribers that a warning is about, as a filter: "Suspended". */
export function warningName(warning: string, statuses: readonly Status[] | undefined): string {
  if (warning === 'expired') return 'Expired afterwards';
  if (warning === 'no-format') return 'No delivery format';
  const list = listNames.find((name) => warning === `emptied-${name}`);
  if (list) return `No ${listWord(list)} left`;
  return nameOfStatus(Number(warning.slice(7)), statuses) ?? 'Warning';
}

/** A sentence on what the job will do to the subscribers. */
function futureOf(job: Job, undone: Job | undefined): string {
  const { kind, preview } = job;
  if (kind === 'import') {
    const created = preview?.created ?? 0;
    const edited = toChangeIn(job) - created;
    if (created > 0 && edited > 0)
      return `will be imported: ${grouped(created)} new, ${grouped(edited)} edited`;
    return created > 0 ? 'will be created' : 'will be edited';
  }
  if (kind === 'undo') {
    if (undone?.kind === 'delete') return 'will be created again';
    return preview?.deleted === toChangeIn(job) ? 'will be deleted' : 'will be set back';
  }
  return futures[kind];
}

const futures: Readonly<Record<Exclude<JobKind, 'undo' | 'import'>, string>> = {
  extend: 'will be extended',
  update: 'will be edited',
  regenerate: 'will get new access tokens',
  delete: 'will be deleted',
};

function expiryWords(earliest: string, latest: string): string {
  const [first, last] = [earliest, latest].map((at) => localTime(Date.parse(at)));
  return first === last ? `New expiry: ${first}` : `New expiry: between ${first} and ${last}`;
}

/** "12 stay as they are: 10 already expiring later, 2 not found"; rows of a file may be about nobody. */
function othersWords(others: Exclude<Job['preview'], null>['others'], { kind }: Job): string {
  const all = others.reduce((sum, { count }) => sum + count, 0);
  const reasons = others.map((other) => `${grouped(other.count)} ${reasonWords(other.why, kind)}`);
  if (kind === 'import') return `${counted(all, 'row')} of the file won’t be imported: ${reasons.join(', ')}`;
  return `${grouped(all)} ${all === 1 ? 'stays' : 'stay'} unchanged: ${reasons.join(', ')}`;
}

/** A sentence, and the name of those that it is about, where they can be left out. */
interface Warning {
  text: string;
  name?: string;
}

const only = (text: string) => [{ text }];

/** Sentences that somebody should read before the job starts. */
function warningsOf(
  job: Job,
  statuses: readonly Status[] | undefined,
  /** The job that this one undoes. */
  undone: Job | undefined,
): Warning[] {
  const { kind, preview } = job;
  if (kind === 'delete')
    return only(
      'Their access tokens stop working immediately. You can’t fully undo this: they would get new IDs and access tokens.',
    );
  if (kind === 'regenerate')
    return only('Their current access tokens stop working immediately. You can’t undo this.');
  if (undone?.file && undone.file.mode !== 'update')
    return only(
      'Subscribers that the import created are deleted. Their access tokens stop working immediately.',
    );
  if (!preview) return [];
  const { deleted = 0 } = preview;
  if (deleted > 0)
    return only(
      `${grouped(deleted)} of them will be deleted, because the job that you undo has created them again. Their access tokens stop working immediately.`,
    );
  const isMadeAgain = undone?.kind === 'delete';
  const inactive = Object.entries(preview.statuses).flatMap(([status, count]) => {
    const name = nameOfStatus(Number(status), statuses);
    return name === undefined || name === statusOfActive
      ? []
      : [
          {
            name: `status-${status}`,
            text: isMadeAgain
              ? `${grouped(count)} of them ${count === 1 ? 'was' : 'were'} ${name}. Undoing this makes them ${statusOfActive}.`
              : `${grouped(count)} of them ${count === 1 ? 'is' : 'are'} ${name} and still can’t watch.`,
          },
        ];
  });
  if (isMadeAgain) return [...only('They get new IDs and new access tokens.'), ...inactive];
  const expired = preview.earliest === null ? 0 : preview.stillExpired;
  return [
    ...(kind === 'undo' ? [] : inactive),
    expired > 0 && {
      name: 'expired',
      text: `${grouped(expired)} of them will ${expiredWords[kind] ?? 'still be expired'}.`,
    },
    kind !== 'undo' &&
      preview.withoutFormat > 0 && {
        name: 'no-format',
        text: `${grouped(preview.withoutFormat)} of them ${preview.withoutFormat === 1 ? 'has' : 'have'} no delivery format, so they probably can’t watch.`,
      },
    ...listNames.map((list) => {
      const emptied = preview.emptied?.[list] ?? 0;
      return (
        emptied > 0 && {
          name: `emptied-${list}`,
          text: `${grouped(emptied)} of them will have no ${listWord(list)} left.`,
        }
      );
    }),
  ].filter((warning) => warning !== false);
}

/** "IP addresses", "countries". */
const listWord = (list: ListName) =>
  fieldLabels[list].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** Only an import can also set an expiry that has passed. */
const expiredWords: Readonly<Partial<Record<JobKind, string>>> = {
  undo: 'be expired again',
  import: 'be expired',
};
