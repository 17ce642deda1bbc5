import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { pageSizes } from '../service/list-query.ts';
import { wireInteger } from '../http/endpoint.ts';
import { wireInstant } from '../service/instant.ts';
import { problemCodes } from '../http/problem.ts';
import { SubscriberDetail, SubscriberId } from '../service/subscriber.ts';

/** The operations that change a subscriber. Each one that staff make becomes an entry of the journal. */
export const changes = [
  'createSubscriber',
  'updateSubscriber',
  'deleteSubscriber',
  'regenerateToken',
] as const;
export type Change = (typeof changes)[number];

/** `unknown`: the change is still running, or nobody could find out how it ended. */
export const outcomes = ['done', 'refused', 'failed', 'unknown'] as const;
export type Outcome = (typeof outcomes)[number];

/** Some fields of a record, its access token masked. */
export const RecordPart = z.partial(z.omit(SubscriberDetail, { id: true }));
export type RecordPart = z.infer<typeof RecordPart>;

const entryId = z.string().check(z.regex(/^[\w-]{1,64}$/, 'This is not the ID of an activity entry.'));

/** Who did what: one entry for each change that was sent to the service. */
export const JournalEntry = z.object({
  id: entryId,
  /** In UTC. */
  at: z.string(),
  /**
   * The user's name at the time. With `singleSignOn` the provider chose it, so it may look like someone else's name.
   */
  staff: z.object({ id: z.string(), name: z.string(), singleSignOn: z.boolean() }),
  operation: z.enum(changes),
  /** Null for a creation that created no subscriber, as far as is known. */
  subscriberId: z.nullable(z.int()),
  /** The username before the change. */
  username: z.string(),
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
  requestId: z.string(),
  /** The id of the entry that this one undoes, and of the entry that undid this one. */
  undoOf: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

export const EntryId = z.object({ id: entryId });

/** `from` is included, `to` is not. */
export const ActivityQuery = z.object({
  subscriberId: z.optional(SubscriberId.shape.id),
  staff: z.optional(z.string().check(z.regex(/^[\w-]{1,64}$/, 'This is not the ID of an account.'))),
  operation: z.optional(z.enum(changes, `Choose one of: ${changes.join(', ')}.`)),
  from: z.optional(wireInstant),
  to: z.optional(wireInstant),
  page: z.optional(wireInteger(1, Number.MAX_SAFE_INTEGER)),
  pageSize: z.optional(wireInteger(pageSizes.least, pageSizes.most)),
});
export type ActivityQuery = z.infer<typeof ActivityQuery>;

/** Newest first. */
export const ActivityPage = z.object({
  items: z.array(JournalEntry),
  page: z.int(),
  pageSize: z.int(),
  totalCount: z.int(),
  totalPages: z.int(),
});
export type ActivityPage = z.infer<typeof ActivityPage>;
