import { Link } from '@tanstack/react-router';
import { queryOptions } from '@tanstack/react-query';
import {
  withoutAccount,
  type EntryKind,
  type EventEntry,
  type EventName,
  type JobKind,
  type JournalEntry,
  type JournalOperation,
  type ActivityQuery,
  type EntryFilter,
} from '../../contract/bff/journal.ts';
import type { ViewQuery } from '../../contract/bff/view.ts';
import { problems } from '../../contract/http/problem-codes.ts';
import { roleNames, usePermission } from '../api/session.ts';
import { counted, grouped, localTime } from '../components/format.ts';
import { nameOfPerson } from '../components/badge.tsx';
import { listWords } from './subscriber-fields.ts';
import { clientOf } from '../api/client.ts';

export const kindNames: Readonly<Record<EntryKind, string>> = {
  change: 'Changes',
  data: 'Exports and tokens shown',
  job: 'Jobs',
  staff: 'Staff',
  'sign-in': 'Sign-in',
};

/** The title of each operation, as in a filter and for what was not done, and its title once it is done. */
export const operationWords: Readonly<Record<JournalOperation, readonly [title: string, done: string]>> = {
  createSubscriber: ['Create', 'Created'],
  updateSubscriber: ['Edit', 'Edited'],
  deleteSubscriber: ['Delete', 'Deleted'],
  regenerateToken: ['Regenerate token', 'Token regenerated'],
  revealToken: ['Show token', 'Token shown'],
  exportActivity: ['Export activity', 'Activity exported'],
  exportSubscribers: ['Export subscribers', 'Subscribers exported'],
  startJob: ['Start job', 'Job started'],
  addStaff: ['Add account', 'Account added'],
  changeStaff: ['Change account', 'Account changed'],
  endStaffSessions: ['Sign out everywhere', 'Signed out everywhere'],
  resetStaffPassword: ['Reset password', 'Password reset'],
  resetSecondFactor: ['Reset second factor', 'Second factor reset'],
  signIn: ['Sign in', 'Signed in'],
  changePassword: ['Change password', 'Password changed'],
  endSession: ['End a session', 'Session ended'],
  endOtherSessions: ['End other sessions', 'Other sessions ended'],
  setUpSecondFactor: ['Set up authenticator app', 'Authenticator app set up'],
  removeSecondFactor: ['Remove authenticator app', 'Authenticator app removed'],
  addPasskey: ['Add passkey', 'Passkey added'],
  removePasskey: ['Remove passkey', 'Passkey removed'],
  renewRecoveryCodes: ['New recovery codes', 'Recovery codes renewed'],
};

/** The title of an entry: a word or two. */
export function entryTitle(entry: JournalEntry): string {
  const { operation, outcome } = entry;
  const [title, done] = operationWords[operation];
  if (entry.kind !== 'change') return outcome === 'done' ? done : 'Sign-in failed';
  const shown = outcome === 'done' ? done : title;
  return entry.undoOf === null ? shown : `${shown} (undo)`;
}

/** The person to name for an entry. */
export function personOf({ staff }: Pick<JournalEntry, 'staff'>): JournalEntry['staff'] {
  const name = { [withoutAccount.terminal]: 'Terminal', [withoutAccount.unknown]: 'Unknown name' }[staff.id];
  return name === undefined ? staff : { ...staff, name };
}

type WriteTime = (at: number) => string;
type Sentence = (details: EventEntry['details'], account: string, writeTime: WriteTime) => string;

/** The details of an event; empty if its title says it all. */
const sentences: Readonly<Record<EventName, Sentence>> = {
  revealToken: () => '',
  exportActivity: ({ entries = 0 }) => counted(entries, 'entry', 'entries'),
  exportSubscribers: ({ subscribers, reason }) =>
    join(subscribers && exportSentence(subscribers), reason && `“${reason}”`),
  startJob: ({ job, reason }) =>
    join(
      job && `${jobKindWords[job.kind][0]} ${counted(job.change, 'subscriber')}.`,
      job?.at !== undefined && `To start on ${localTime(Date.parse(job.at))}.`,
      reason && `“${reason}”`,
    ),
  addStaff: ({ role, way }, account) =>
    join(`${account} was added as ${roleName(role?.after)}.`, decidedBy(way)),
  changeStaff: ({ role, disabled, way }, account) =>
    join(
      role && `${account} is now ${roleName(role.after)}, and was ${roleName(role.before)}.`,
      disabled === true && `${account} can no longer sign in.`,
      disabled === false && `${account} can sign in again.`,
      decidedBy(way),
    ),
  endStaffSessions: ({ sessions = 0 }, account) => `${counted(sessions, 'session')} of ${account} ended.`,
  resetStaffPassword: ({ disabled }, account) =>
    join(
      `${account} got a one-time password.`,
      disabled === false && `The account was disabled and is enabled again.`,
    ),
  resetSecondFactor: (_, account) => `${account} signs in with a password only.`,
  signIn: ({ way, secondFactor, times, since }, _, writeTime) =>
    times === undefined
      ? `${wayNames[way ?? 'password']}${secondFactor ? ` and ${factorNames[secondFactor]}` : ''}`
      : inARow(times, since, writeTime),
  changePassword: () => '',
  endSession: ({ browser = '' }) => browser,
  endOtherSessions: ({ sessions = 0 }) => counted(sessions, 'session'),
  setUpSecondFactor: () => 'Signing in also needs a code of an authenticator app.',
  removeSecondFactor: () => 'Its codes no longer sign in.',
  addPasskey: ({ browser }) => `Made in ${browser}. It signs in without a password.`,
  removePasskey: ({ browser }) => `The one made in ${browser} no longer signs in.`,
  renewRecoveryCodes: () => 'The former ones are no longer valid.',
};

function exportSentence({
  filters,
  count,
  tokens,
}: NonNullable<EventEntry['details']['subscribers']>): string {
  const who = count === null ? 'Subscribers' : counted(count, 'subscriber');
  const names = [...new Set(filters.map((name) => filterNames.get(name) ?? name))];
  const which = names.length > 0 ? `filtered by ${listWords(names)}` : 'all of them';
  return `${who}, ${which}${tokens ? ', with access tokens' : ''}.`;
}

const filterNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Username: 'username',
    Email: 'email',
    StatusId: 'status',
    StatusIds: 'status',
    Expired: 'expired',
    ExpiresFrom: 'expiry',
    ExpiresTo: 'expiry',
    IsTrial: 'trial',
    Bundle: 'bundle',
    Country: 'country',
    IpAddress: 'address',
    UserAgent: 'player',
    Note: 'note',
    job: 'job',
  } satisfies Record<Exclude<keyof ViewQuery, 'SortBy' | 'include'> | 'job', string>),
);

/** The words for each kind of job: what it does to its subscribers, and what it has done, behind a number. */
export const jobKindWords: Readonly<Record<JobKind, readonly [title: string, done: string]>> = {
  extend: ['Extend', 'extended'],
  update: ['Edit', 'edited'],
  regenerate: ['Regenerate the tokens of', 'with a new token'],
  delete: ['Delete', 'deleted'],
  import: ['Import', 'imported'],
  undo: ['Undo the changes of', 'undone'],
};

const join = (...parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(' ');

const decidedBy = (way: EventEntry['details']['way']) =>
  way === 'single-sign-on' && 'Single sign-on decided this.';

const wayNames = {
  password: 'With a password',
  passkey: 'With a passkey',
  'single-sign-on': 'With single sign-on',
} as const;

const factorNames = {
  totp: 'a code of an authenticator app',
  passkey: 'a passkey',
  'recovery-code': 'a recovery code',
} as const;

const roleName = (role: keyof typeof roleNames | null | undefined) =>
  role ? roleNames[role] : 'without a role';

function inARow(times: number, since: string | undefined, writeTime: WriteTime): string {
  if (times === 1) return 'Once';
  const from = since === undefined ? '' : `, the first time on ${writeTime(Date.parse(since))}`;
  return `${grouped(times)} times in a row${from}`;
}

export function eventSentence({ operation, details, account }: EventEntry, writeTime = localTime): string {
  return sentences[operation](details, account ? nameOfPerson(account) : 'the account', writeTime);
}

export const outcomeNames = {
  done: 'Done',
  refused: 'Refused',
  failed: 'Failed',
  unknown: 'Unknown',
} as const satisfies Record<JournalEntry['outcome'], string>;

/** "Refused: The note is too long." */
export const outcomeText = (entry: JournalEntry): string =>
  [outcomeNames[entry.outcome], refusalOf(entry)].filter(Boolean).join(': ');

/** The reason why something was not done, if the entry says so. */
export const refusalOf = (entry: JournalEntry): string | null =>
  entry.kind === 'change' && entry.code ? problems[entry.code][1] : null;

/** The subscriber whom an entry or a row is about, as a link. */
export function AboutWhom(props: { entry: Pick<JournalEntry, 'subscriberId' | 'username'> }) {
  const { subscriberId: id, username } = props.entry;
  if (id === null) return username;
  return (
    <Link to="/subscribers/$id" params={{ id }}>
      {username || `#${id}`}
    </Link>
  );
}

/** Says that a job made a change; with a link, for those who may see jobs. Nothing for other changes. */
export function PartOfJob({ entry }: { entry: JournalEntry }) {
  const { allowed } = usePermission('runJobs');
  const id = entry.kind === 'change' ? entry.jobId : null;
  if (id === null) return null;
  if (!allowed) return <>part of a job</>;
  return (
    <Link to="/jobs/$id" params={{ id }}>
      part of a job
    </Link>
  );
}

/** A page of the journal. */
export const activityQuery = (query: ActivityQuery) =>
  queryOptions({
    queryKey: ['listActivity', query],
    queryFn: async ({ client, signal }) => (await clientOf(client).listActivity({ query }, { signal })).data,
  });

/** Totals of each person's changes; read again whenever the journal is. */
export const activityTotalsQuery = (query: EntryFilter) =>
  queryOptions({
    queryKey: ['listActivity', 'totals', query],
    queryFn: async ({ client, signal }) => (await clientOf(client).totalActivity({ query }, { signal })).data,
  });

/** The staff accounts, who are those that entries name. */
export const staffQuery = queryOptions({
  queryKey: ['listStaff'],
  queryFn: async ({ client, signal }) => (await clientOf(client).listStaff({}, { signal })).data,
  meta: { awaited: 'the staff accounts' },
});
