import type * as z from 'zod/mini';
import { extendExpiry } from '../../contract/bff/extension.ts';
import type { ExtendChange, FieldsChange, RowReason, RowResult } from '../../contract/bff/job.ts';
import type { RecordPart } from '../../contract/bff/journal.ts';
import { fieldErrors, type FieldErrors } from '../../contract/http/problem.ts';
import { canonicalAddress, UpdateBody } from '../../contract/service/subscriber-input.ts';
import { listNames, type ListName } from '../../contract/service/limits.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { CurrentRecord } from '../journal/change-request.ts';
import { differing, pick } from '../journal/entries.ts';

/** The planned change of one subscriber. */
export interface Plan {
  result: Extract<RowResult, 'change' | 'unchanged' | 'skipped'>;
  why: RowReason | null;
  /** A sentence. */
  detail: string | null;
  /** The fields that are to differ; `after` is also the body of the change. */
  before: RecordPart | null;
  after: UpdateBody | null;
}

/** A row of a job that is prepared: whom it is for, what is to become of them, and what it was made from. */
export interface PreparedRow {
  /** The id is 0 where the subscriber is yet to be created. */
  of: { id: number; username: string };
  plan: Plan;
  current?: CurrentRecord | null;
  /** The entry that it undoes. */
  undoOf?: string;
  /** The cells of a row of a file that has errors. */
  source?: readonly string[];
}

/** A change of a job, by the job's kind. */
export type RequestedChange =
  | { kind: 'extend'; change: ExtendChange }
  | { kind: 'update'; change: FieldsChange }
  | { kind: 'regenerate' | 'delete' };

export const withoutChange = (
  result: 'unchanged' | 'skipped',
  why: RowReason,
  detail: string | null = null,
): Plan => ({
  result,
  why,
  detail,
  before: null,
  after: null,
});

/** A subscriber that is gone. */
export const absent = withoutChange('skipped', 'no-such-subscriber');

/**
 * Finds out what a job would change of a subscriber.
 *
 * @param now when the job was made, so that it means the same for all its subscribers
 */
export function planChange(requested: RequestedChange, record: SubscriberDetail, now: number): Plan {
  switch (requested.kind) {
    case 'regenerate':
      return { ...toChange, before: null, after: null };
    case 'delete':
      return { ...toChange, before: pick(record, ['email', 'expiresAt', 'isTrial', 'status']), after: null };
    case 'extend':
      return planExtension(requested.change, record, now);
    case 'update':
      return planUpdate(record, changedFields(requested.change, record));
  }
}

const toChange = { result: 'change', why: null, detail: null } as const;

function planExtension(
  { by, from, endTrial, zone }: ExtendChange,
  record: SubscriberDetail,
  now: number,
): Plan {
  const expiry = Date.parse(record.expiresAt);
  // It may mean that they never expire, and nothing could bring that back.
  if (Number.isNaN(expiry))
    return withoutChange(
      'skipped',
      'invalid-input',
      'expiresAt: What the subscriber service has can’t be read.',
    );
  const trial = endTrial ? { isTrial: false } : {};
  if ('to' in by) {
    const isLater = expiry > Date.parse(by.to);
    const plan = planUpdate(record, isLater ? trial : { expiresAt: by.to, ...trial });
    return isLater && plan.result === 'unchanged' ? withoutChange('unchanged', 'already-later') : plan;
  }
  const start = from === 'expiry' ? ({ from } as const) : {};
  const end = extendExpiry(expiry, by, { now, zone, ...start });
  // A date past the last year that exists has no ISO form.
  const expiresAt = Number.isNaN(new Date(end).getTime()) ? '' : new Date(end).toISOString();
  return planUpdate(record, { expiresAt, ...trial });
}

/** A change of fields, unless they are so already or the service would not accept them. */
export function planUpdate(record: SubscriberDetail, fields: UpdateBody): Plan {
  const after = differing(record, fields) as UpdateBody;
  const names = Object.keys(after);
  if (names.length === 0) return withoutChange('unchanged', 'already-so');
  const checked = UpdateBody.safeParse(after);
  if (checked.success) return { ...toChange, before: pick(record, names), after: checked.data };
  return withoutChange('skipped', 'invalid-input', sentencesOf(checked.error.issues));
}

/** Sentences on what is wrong with a body, field by field. */
export const sentencesOf = (issues: readonly z.core.$ZodIssue[]): string => sentencesIn(fieldErrors(issues));

/** The first sentence of each field. */
export const sentencesIn = (errors: FieldErrors): string =>
  Object.entries(errors)
    .map(([field, [sentence = '']]) => `${field}: ${sentence}`)
    .join(' ');

function changedFields(
  { set = {}, add = {}, remove = {}, appendNote }: FieldsChange,
  record: SubscriberDetail,
) {
  const lists = listNames.filter((name) => add[name] !== undefined || remove[name] !== undefined);
  return {
    ...set,
    ...Object.fromEntries(
      lists.map((name) => [name, changedList(name, record[name], add[name], remove[name])]),
    ),
    ...(appendNote !== undefined && { note: [record.note, appendNote].filter(Boolean).join('\n') }),
  };
}

/** A list with some values added and some removed, each compared as the contract compares it. */
function changedList(
  name: ListName,
  now: readonly (string | number)[],
  add: readonly (string | number)[] = [],
  remove: readonly (string | number)[] = [],
): (string | number)[] {
  const key = (value: string | number) => (name === 'ipAddresses' ? canonicalAddress(String(value)) : value);
  const [present, removed] = [new Set(now.map(key)), new Set(remove.map(key))];
  return [...now, ...add.filter((value) => !present.has(key(value)))].filter(
    (value) => !removed.has(key(value)),
  );
}
