import * as z from 'zod/mini';
import '../http/zod-config.ts';
import { Account, idOf, pageOf, wireInteger } from '../http/shapes.ts';
import { pageSizes } from '../service/list-rules.ts';
import { ListQuery } from '../service/list-query.ts';
import { wireInstant } from '../service/instant.ts';
import { roles, type Permission } from './permission.ts';
import { secondFactorKinds } from './second-factor.ts';
import { SubscriberDetail, SubscriberId } from '../service/subscriber.ts';
import { holdsNoToken } from './access-token.ts';
import { problemCodes } from '../http/problem-codes.ts';

/** The operations that change a subscriber. Each one that staff make becomes an entry of the journal. */
export const changes = [
  'createSubscriber',
  'updateSubscriber',
  'deleteSubscriber',
  'regenerateToken',
] as const;
export type Change = (typeof changes)[number];

/** Kinds of jobs. `undo` undoes another job. */
export const jobKinds = ['extend', 'update', 'regenerate', 'delete', 'import', 'undo'] as const;
export type JobKind = (typeof jobKinds)[number];

/** All other operations of staff that become an entry, by kind: one entry each, with details of its own. */
const events = {
  /** Secrets and personal data that somebody has seen or taken away. */
  data: ['revealToken', 'exportActivity', 'exportSubscribers'],
  /** The start of a job; each change that it makes is an entry of its own. */
  job: ['startJob'],
  staff: ['addStaff', 'changeStaff', 'endStaffSessions', 'resetStaffPassword', 'resetSecondFactor'],
  'sign-in': [
    'signIn',
    'changePassword',
    'setUpSecondFactor',
    'removeSecondFactor',
    'addPasskey',
    'removePasskey',
    'renewRecoveryCodes',
    'endSession',
    'endOtherSessions',
  ],
} as const;
const eventNames = Object.values(events).flat();
export type EventName = (typeof eventNames)[number];

/** The operations of the entries, by kind. */
export const operationsOf = { change: changes, ...events } as const;
export type EntryKind = keyof typeof operationsOf;
export const entryKinds = Object.keys(operationsOf) as EntryKind[];
const operations = [...changes, ...eventNames];
export type JournalOperation = Change | EventName;

export function kindOf(operation: JournalOperation): EntryKind {
  const has = (kind: EntryKind) => operationsOf[kind].some((name) => name === operation);
  return entryKinds.find(has) ?? 'change';
}

/** The ids in entries where there is no account: an operator at the terminal, a wrong name at sign-in. */
export const withoutAccount = { terminal: 'terminal', unknown: 'unknown' } as const;

/** `unknown`: the change is still running, or nobody could find out how it ended. */
export const outcomes = ['done', 'refused', 'failed', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

/** Some fields of a record, its access token masked. */
export const RecordPart = z.partial(z.omit(SubscriberDetail, { id: true }));
export type RecordPart = z.infer<typeof RecordPart>;

export const EntryId = z.object({ id: idOf('an activity entry') });

const common = {
  ...EntryId.shape,
  /** In UTC. */
  at: z.string(),
  /** The author; the name is empty if there was no account. */
  staff: Account,
  /** Null if it is about no subscriber, and for a creation that created none, as far as is known. */
  subscriberId: z.nullable(z.int()),
  /** As it was before; empty if it is about no subscriber. */
  username: z.string(),
  requestId: z.string(),
};

/** A change of a subscriber: one entry for each change that was sent to the service. */
export const ChangeEntry = z.object({
  kind: z.literal('change'),
  ...common,
  operation: z.enum(changes),
  /**
   * Only the fields that differ; if the outcome is not `done`, the fields that were meant to differ. Null: there was no
   * subscriber before, or there is none after. For a token that is to be replaced, `after` is empty until then.
   */
  before: z.nullable(RecordPart),
  after: z.nullable(RecordPart),
  outcome: z.enum(outcomes),
  /** Why the change was refused or failed. */
  code: z.nullable(z.enum(problemCodes)),
  /** The reason that the user gave. */
  reason: z.nullable(z.string()),
  /** The id of the entry that this one undoes, and of the entry that undid this one. */
  undoOf: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
  /** The ID under which a deleted subscriber was made again by undo. */
  madeAgainAs: z.nullable(z.int()),
  /** The job that made it, if one did. */
  jobId: z.nullable(z.string()),
  /** A field of an edit that a later change has set to another value, and who did: that must be undone first. Not in files. */
  changedAgain: z.nullable(z.object({ field: z.string(), staff: Account })),
});
export type ChangeEntry = z.infer<typeof ChangeEntry>;

/** Details of an event; each has some of these. */
export const EventDetails = z.object({
  /** The role of a staff account; null before it was added, and after the provider withdrew it. */
  role: z.optional(z.object({ before: z.nullable(z.enum(roles)), after: z.nullable(z.enum(roles)) })),
  /** True if an account was disabled, false if it was enabled again. */
  disabled: z.optional(z.boolean()),
  /** Number of sessions that ended. */
  sessions: z.optional(z.int()),
  /** In which browser one ended, or a passkey was made, such as “Firefox on Linux”. */
  browser: z.optional(z.string()),
  /** The way of signing in, or what decided about the account instead of a manager. */
  way: z.optional(z.enum(['password', 'passkey', 'single-sign-on'])),
  /** The second factor that was used. */
  secondFactor: z.optional(z.enum(secondFactorKinds)),
  /** Number of sign-ins that failed in a row, and when the first did; the entry has the time of the last. */
  times: z.optional(z.int()),
  since: z.optional(z.string()),
  /** Number of entries that were exported. */
  entries: z.optional(z.int()),
  /**
   * Exported subscribers: the names of the filters, without their values; the number that matched at the start, if
   * known; and whether their access tokens were part of it.
   */
  subscribers: z.optional(
    z.object({ filters: z.array(z.string()), count: z.nullable(z.int()), tokens: z.boolean() }),
  ),
  /** A job: its kind, the number of subscribers to change, and its start, if that is later. */
  job: z.optional(
    z.object({ id: z.string(), kind: z.enum(jobKinds), change: z.int(), at: z.optional(z.string()) }),
  ),
  reason: z.optional(z.string()),
});
export type EventDetails = z.infer<typeof EventDetails>;

/** Anything else that staff did. It cannot be undone. */
export const EventEntry = z.object({
  kind: z.enum(Object.keys(events) as (keyof typeof events)[]),
  ...common,
  operation: z.enum(eventNames),
  /** `refused`: sign-ins that failed. */
  outcome: z.enum(['done', 'refused']),
  /** The staff account that it was done to. */
  account: z.nullable(Account),
  details: EventDetails,
});
export type EventEntry = z.infer<typeof EventEntry>;

/** A line of the journal: a change or an event. */
export const JournalEntry = z.discriminatedUnion('kind', [ChangeEntry, EventEntry]);
export type JournalEntry = z.infer<typeof JournalEntry>;

/** Which entries are wanted. `from` is included, `to` is not. */
export const EntryFilter = z.object({
  subscriberId: z.optional(SubscriberId.shape.id),
  /** A part of the name that the subscriber had at the time. */
  username: ListQuery.shape.Username.check(holdsNoToken),
  /** The author's account. */
  staff: z.optional(idOf('an account')),
  /** The staff account that it was done to. */
  account: z.optional(idOf('an account')),
  kind: z.optional(z.enum(entryKinds, `Choose one of: ${entryKinds.join(', ')}.`)),
  /** `unknown` also finds changes that are still running. */
  outcome: z.optional(z.enum(outcomes, `Choose one of: ${outcomes.join(', ')}.`)),
  /** The changes of one job. Lists that name no job and no subscriber, and do not ask for changes, leave out those of jobs. */
  job: z.optional(idOf('a job')),
  operation: z.optional(z.enum(operations, `Choose one of: ${operations.join(', ')}.`)),
  from: z.optional(wireInstant),
  to: z.optional(wireInstant),
});
export type EntryFilter = z.infer<typeof EntryFilter>;

/** Which page of a list of the BFF is wanted. */
export const pageParameters = {
  page: z.optional(wireInteger(1, Number.MAX_SAFE_INTEGER)),
  pageSize: z.optional(wireInteger(pageSizes.least, pageSizes.most)),
};

export const ActivityQuery = z.object({ ...EntryFilter.shape, ...pageParameters });
export type ActivityQuery = z.infer<typeof ActivityQuery>;

/** Newest first. */
export const ActivityPage = pageOf(JournalEntry);
export type ActivityPage = z.infer<typeof ActivityPage>;

/** Number of changes of each person by operation, largest first. Each change that a job made counts. */
export const ActivityTotals = z.object({
  people: z.array(
    z.object({
      staff: Account,
      counts: z.array(
        z.object({
          operation: z.enum(operations),
          /** In all, and how many of them were made by jobs. */
          done: z.int(),
          byJobs: z.int(),
          /** Refused, failed, or of unknown outcome. */
          notDone: z.int(),
        }),
      ),
    }),
  ),
});
export type ActivityTotals = z.infer<typeof ActivityTotals>;

/** The operation that undoes each change. A new token cannot be undone: the old one never works again. */
const inverse = {
  createSubscriber: 'deleteSubscriber',
  updateSubscriber: 'updateSubscriber',
  deleteSubscriber: 'createSubscriber',
  regenerateToken: null,
} as const satisfies Record<Change, Change | null>;

/** The operation that undoes a change and all that it needs, or the sentence that says why there is none. */
export type Undo =
  | { operation: Exclude<(typeof inverse)[Change], null>; needs: readonly Permission[] }
  | { operation: null; sentence: string };

/**
 * Says whether and how a change can be undone, as far as its entry tells. The BFF checks at the undo whether the same
 * fields were changed again later.
 */
export function undoOf(entry: Pick<ChangeEntry, 'operation' | 'outcome' | 'undoneBy' | 'before'>): Undo {
  if (entry.outcome === 'unknown')
    return no('It is unclear whether this change was made. Check the subscriber first.');
  if (entry.outcome !== 'done') return no('This change was not made, so there is nothing to undo.');
  if (entry.undoneBy !== null) return no('This change was already undone.');
  if (entry.operation === 'updateSubscriber' && Object.keys(entry.before ?? {}).length === 0)
    return no('This edit changed nothing, so there is nothing to undo.');
  // Another service may have none for somebody who never expires.
  if (entry.operation === 'updateSubscriber' && entry.before?.expiresAt === '')
    return no('The old expiry was unknown, so it can’t be set again. Enter a date instead.');
  const operation = inverse[entry.operation];
  if (operation === null) return no('The old token can’t be restored.');
  // Also what the change itself needed: no one undoes what they could not have done.
  return { operation, needs: ['undoChange', ...new Set([operation, entry.operation])] };
}

const no = (sentence: string): Undo => ({ operation: null, sentence });
