import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { Account, idOf, pageOf, wholeNumber } from '../http/shapes.ts';
import { characters, plainLines } from '../http/text.ts';
import { isReason } from '../http/change-headers.ts';
import { Instant } from '../service/instant.ts';
import { wordsOf } from '../service/search-text.ts';
import { limits, listNames } from '../service/limits.ts';
import { UpdateBody } from '../service/subscriber-input.ts';
import { exportFormats } from './export-format.ts';
import { isTimeZone } from './extension.ts';
import { jobKinds, pageParameters, RecordPart, type JobKind } from './journal.ts';
import type { Permission } from './permission.ts';
import { ViewQuery } from './view.ts';
import { problemCodes } from '../http/problem-codes.ts';

const day = 24 * 60 * 60_000;

/**
 * Most subscribers of a job, and most that are named by id; time in ms that a job is kept, and that its start can be
 * ahead.
 */
export const jobLimits = { subscribers: 100_000, ids: 5_000, life: 90 * day, ahead: 30 * day } as const;

/** A job with more changes than this asks for their number before it starts; some kinds always do. */
export const confirmedFrom = 100;

/** Permissions that each kind needs beside `runJobs`. */
export const neededFor = {
  extend: ['updateSubscriber'],
  update: ['updateSubscriber'],
  regenerate: ['regenerateToken'],
  delete: ['deleteSubscriber'],
  import: ['createSubscriber', 'updateSubscriber'],
  undo: ['undoChange'],
} as const satisfies Record<JobKind, readonly Permission[]>;

/**
 * `preparing`: finds out what would be changed; `ready`: waits to be started; `done`: every row has a result; `stopped`:
 * no more rows are changed.
 */
const jobStates = ['preparing', 'ready', 'running', 'paused', 'done', 'stopped'] as const;
export type JobState = (typeof jobStates)[number];

/**
 * Why a job is paused, or does not get on. `asked`: somebody paused it; `limit`: it has made as many changes as it was
 * started for; `service`: the subscriber service does not answer, and the job goes on by itself when it does; `rights`: the
 * person in whose name it runs may not do so any more, or all their sessions were ended.
 */
const pauses = ['asked', 'limit', 'service', 'rights'] as const;
export type Pause = (typeof pauses)[number];

/**
 * The result for one subscriber. `change`: is to be changed; `left-out`: would be, but somebody left it out of the job;
 * `unchanged`: is already as requested; `skipped`: was left as it is, and `why` says why; `unconfirmed`: nobody could
 * find out whether it was changed.
 */
export const rowResults = [
  'change',
  'left-out',
  'unchanged',
  'skipped',
  'done',
  'failed',
  'unconfirmed',
] as const;
export type RowResult = (typeof rowResults)[number];

/** Why a row has its result, beside the codes of problems. */
const ownReasons = ['already-so', 'already-later', 'changed-since-export', 'status-not-imported'] as const;
const rowReasons = [...ownReasons, ...problemCodes] as const;
export type RowReason = (typeof rowReasons)[number];

export const JobId = z.object({ id: idOf('a job') });

/** The number that the list showed when somebody requested the job; the preview says so if it finds another. */
const shown = z.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER));

const nobody = 'Name at least one subscriber, or send "all": true.';

/** Subscribers of a job: a list of ids, a filter, the rows of another job with one result, or really everybody. */
export const JobTargets = z.union(
  [
    z.strictObject({
      ids: z
        .array(wholeNumber(1, Number.MAX_SAFE_INTEGER))
        .check(z.minLength(1, nobody), z.maxLength(jobLimits.ids, `Use at most ${jobLimits.ids} IDs.`)),
    }),
    z.strictObject({
      query: ViewQuery.check(z.refine((query) => hasFilter(query), nobody)),
      shown,
    }),
    z.strictObject({ job: JobId.shape.id, result: z.enum(rowResults) }),
    z.strictObject({ all: z.literal(true), shown }),
  ],
  `Use one of: 1 to ${jobLimits.ids} IDs, a filter, the rows of another job, or "all": true.`,
);
export type JobTargets = z.infer<typeof JobTargets>;

/**
 * True if a query names somebody. The list takes a text without words, and any empty one, for a filter that is not set, and
 * shows everybody for `Expired: false`.
 */
function hasFilter({ Username = '', Email = '', Expired = false, ...others }: ViewQuery): boolean {
  const { SortBy: _, ...filters } = others;
  const hasWords = wordsOf(`${Username} ${Email}`).length > 0;
  return hasWords || Expired || Object.values(filters).some((value) => value !== undefined && value !== '');
}

export const zone = z._default(
  z.string().check(z.refine(isTimeZone, 'Use a time zone such as Europe/Oslo.')),
  'UTC',
);

const By = z.union(
  [
    z.strictObject({ days: wholeNumber(1, 3660) }),
    z.strictObject({ months: wholeNumber(1, 120) }),
    z.strictObject({ years: wholeNumber(1, 10) }),
    z.strictObject({ to: Instant }),
  ],
  'Use one of: days, months, years, to.',
);

export const ExtendChange = z.strictObject({
  by: By,
  /** Where it starts: `later` is the old expiry or now, whichever is later. */
  from: z._default(z.enum(['later', 'expiry'], 'Choose one of: later, expiry.'), 'later'),
  /** Also makes a trial a paid subscription. */
  endTrial: z._default(z.boolean(), false),
  /** The time zone whose calendar counts. */
  zone,
});
export type ExtendChange = z.infer<typeof ExtendChange>;

const { maxConnections, isTrial, hls, mpegTs, ...lists } = UpdateBody.shape;
const someLists = Object.fromEntries(listNames.map((name) => [name, lists[name]])) as Pick<
  typeof lists,
  (typeof listNames)[number]
>;

/** Changes to every subscriber: fields to set, values to add to lists or to remove from them, a line for the note. */
export const FieldsChange = z
  .strictObject({
    set: z.optional(z.strictObject({ maxConnections, isTrial, hls, mpegTs })),
    add: z.optional(z.strictObject(someLists)),
    remove: z.optional(z.strictObject(someLists)),
    appendNote: z.optional(
      z
        .string()
        .check(z.trim(), z.minLength(1, 'Enter the line to add.'), characters(limits.note), plainLines),
    ),
  })
  .check(z.refine((change) => changesSomething(change), 'Name at least one field to change.'));
export type FieldsChange = z.infer<typeof FieldsChange>;

function changesSomething({ set, add, remove, appendNote }: Record<string, unknown>): boolean {
  const values = [set, add, remove].flatMap((fields) => Object.values(Object(fields) as object));
  return appendNote !== undefined || values.some((value) => value !== undefined);
}

export const reason = z.nullish(
  z.string().check(z.trim(), z.refine(isReason, 'Use one line of visible characters, or leave it out.')),
);
const common = { targets: JobTargets, reason };
const nothing = z.optional(z.strictObject({}));

export const NewJob = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('extend'), ...common, change: ExtendChange }),
  z.strictObject({ kind: z.literal('update'), ...common, change: FieldsChange }),
  z.strictObject({ kind: z.literal('regenerate'), ...common, change: nothing }),
  z.strictObject({ kind: z.literal('delete'), ...common, change: nothing }),
]);
export type NewJob = z.infer<typeof NewJob>;

/**
 * The action of an import for a row. `update`: changes the subscriber with its id; `upsert`: changes the one with its
 * username, or creates it; `create`: only creates.
 */
export const importModes = ['update', 'upsert', 'create'] as const;
export type ImportMode = (typeof importModes)[number];

/** Number of rows with each result. */
export const JobCounts = z.object(
  Object.fromEntries(rowResults.map((name) => [name, z.int()])) as Record<RowResult, z.ZodMiniNumberFormat>,
);
export type JobCounts = z.infer<typeof JobCounts>;

/** Details that a person should know before a job starts. */
export const JobPreview = z.object({
  /** The earliest and the latest new expiry, in UTC; null where none is set. */
  earliest: z.nullable(z.string()),
  latest: z.nullable(z.string()),
  /** Number of subscribers to be changed with each status, by its id. */
  statuses: z.record(z.string(), z.int()),
  /** Number of them that are still expired afterwards, and that have no delivery format. */
  stillExpired: z.int(),
  withoutFormat: z.int(),
  /** Number of them that lose the last value of a list, by its name. */
  emptied: z.optional(z.partialRecord(z.enum(listNames), z.int())),
  /** Number of new ones. */
  created: z.optional(z.int()),
  /** Number of those that an undo deletes, because what it undoes has created them. */
  deleted: z.optional(z.int()),
  /** Sentences on how cells are read that are not written as in an export. */
  readAs: z.optional(z.array(z.string())),
  /** Number of the others for each reason. */
  others: z.array(z.object({ result: z.enum(rowResults), why: z.enum(rowReasons), count: z.int() })),
});
export type JobPreview = z.infer<typeof JobPreview>;

export const Job = z.object({
  id: z.string(),
  kind: z.enum(jobKinds),
  state: z.enum(jobStates),
  /** Why it is paused, or why preparing does not get on. */
  pause: z.nullable(z.enum(pauses)),
  /** Why it could not be prepared, in a sentence. */
  problem: z.nullable(z.string()),
  /** The targets as they were requested; null for `undo` and `import`. */
  targets: z.nullable(
    z.union([
      z.object({ ids: z.int() }),
      z.object({ query: ViewQuery, shown }),
      z.object({ job: z.string() }),
      z.object({ all: z.literal(true), shown }),
    ]),
  ),
  change: z.nullable(z.union([ExtendChange, FieldsChange])),
  /** The file of an import, and how it is read. */
  file: z.nullable(
    z.object({ mode: z.enum(importModes), format: z.enum(exportFormats), headings: z.array(z.string()) }),
  ),
  reason: z.nullable(z.string()),
  /** Number of subscribers; while preparing, the number so far expected. */
  total: z.int(),
  counts: JobCounts,
  /** Null while preparing. */
  preview: z.nullable(JobPreview),
  staff: Account,
  /** In UTC. */
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
  /** When it starts by itself, as somebody has asked; null if nobody has, or it has started. */
  startsAt: z.nullable(z.string()),
  /** Rows a minute while it ran; null before the first. */
  perMinute: z.nullable(z.number()),
  /** True while a server works on it: also for a moment after a pause, until the rows under way have ended. */
  isHeld: z.boolean(),
  /** The job that this one undoes, and the one that undoes this one. */
  undoOf: z.nullable(z.string()),
  undoneBy: z.nullable(z.string()),
});
export type Job = z.infer<typeof Job>;

export const JobRow = z.object({
  /** From 1, in the order of the ids; of an import, the place in the file, which may also have blank rows. */
  number: z.int(),
  subscriberId: z.int(),
  username: z.string(),
  result: z.enum(rowResults),
  why: z.nullable(z.enum(rowReasons)),
  /** More about why, in a sentence. */
  detail: z.nullable(z.string()),
  /** The fields that differ; null before a creation and after a deletion. */
  before: z.nullable(RecordPart),
  after: z.nullable(RecordPart),
  /** The cells of a row that has errors, as they are in the file. */
  source: z.nullable(z.array(z.string())),
});
export type JobRow = z.infer<typeof JobRow>;

/** A warning of a preview: a status by its id, an expiry that has passed, no delivery format, or a list that is emptied. */
const warning = z
  .string()
  .check(
    z.regex(
      new RegExp(`^(status--?\\d{1,16}|expired|no-format|emptied-(${listNames.join('|')}))$`),
      'Use status-ID, expired, no-format or emptied-list.',
    ),
  );

/** Leaves rows out of a job that is not started, or takes them in again: some by number, or all with a warning. */
export const LeaveOut = z.strictObject({
  leaveOut: z.boolean(),
  rows: z.union([
    z.strictObject({
      numbers: z
        .array(wholeNumber(1, Number.MAX_SAFE_INTEGER))
        .check(z.minLength(1, 'Name some rows.'), z.maxLength(200)),
    }),
    z.strictObject({ warning }),
  ]),
});
export type LeaveOut = z.infer<typeof LeaveOut>;

export const JobsQuery = z.object(pageParameters);
export const JobRowsQuery = z.object({
  result: z.optional(z.enum(rowResults, `Choose one of: ${rowResults.join(', ')}.`)),
  warning: z.optional(warning),
  ...pageParameters,
});

export const JobPage = pageOf(Job);
export type JobPage = z.infer<typeof JobPage>;
export const JobRowPage = pageOf(JobRow);
export type JobRowPage = z.infer<typeof JobRowPage>;

/**
 * `limit`: pause after so many changes. `at`: start at this time, not now; for a job that was never started. `count`: how many
 * its preview said are to be changed, for which alone it starts: somebody else may leave some out, take them in again, or have
 * started the first few.
 */
export const StartJob = z.strictObject({
  count: z.optional(wholeNumber(0, jobLimits.subscribers)),
  limit: z.optional(wholeNumber(1, jobLimits.subscribers)),
  at: z.optional(Instant),
});
export type StartJob = z.infer<typeof StartJob>;
