import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { Person } from '../http/shapes.ts';
import { SubscriberDetail, SubscriberId } from '../service/subscriber.ts';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';

/**
 * Time in ms that a draft is kept, and that its owner counts as editing after its last change; most drafts of a user.
 */
export const draftLimits = { life: 7 * 24 * 60 * 60_000, editing: 5 * 60_000, drafts: 20 } as const;

/** The values of a form. Only their types are checked, because they may be half typed. */
export const Entered = z.strictObject({
  ...z.omit(SubscriberDetail, { id: true, accessToken: true, status: true }).shape,
  /** Null while the box does not hold a number. */
  maxConnections: z.nullable(z.number()),
  bundles: z.array(z.number()),
});
export type Entered = z.infer<typeof Entered>;

/**
 * The values of a form that is not saved yet; if it edits a subscriber, also the values that it began with and the reason for
 * the journal.
 */
export const Draft = z.strictObject({
  values: Entered,
  reason: z.optional(z.string()),
  base: z.nullable(z.strictObject({ values: Entered, etag: z.nullable(z.string()) })),
});
export type Draft = z.infer<typeof Draft>;

/** A line that is being written for a subscriber's note. */
export const NoteDraft = z.strictObject({ line: z.string() });
export type NoteDraft = z.infer<typeof NoteDraft>;

const AnyDraft = z.union([Draft, NoteDraft]);
export type AnyDraft = z.infer<typeof AnyDraft>;

const saved = { savedAt: z.string() };
/** A stored draft; `savedAt` in UTC. */
const StoredDraft = z.nullable(z.object({ ...Draft.shape, ...saved }));
export type StoredDraft = z.infer<typeof StoredDraft>;
const AnyStoredDraft = z.union([StoredDraft, z.object({ ...NoteDraft.shape, ...saved })]);
export type AnyStoredDraft = z.infer<typeof AnyStoredDraft>;

/** The draft of a subscriber's note. @param id of the subscriber */
export const noteForm = (id: number) => `note-${id}`;

/** `new` for the form of a new subscriber, the id of the subscriber that is edited, or `note-` and its id. */
const DraftId = z.object({
  id: z
    .string()
    .check(
      z.regex(/^(new|(note-)?[1-9]\d{0,15})$/, 'Use “new”, the ID of a subscriber, or “note-” and the ID.'),
    ),
});

/** The subscriber that a draft is of; null for the form of a new one. */
export const subscriberOf = (form: string): number | null =>
  form === 'new' ? null : Number(form.replace('note-', ''));

/** The rows of `bffApi` about drafts. */
export const draftApi = {
  getDraft: {
    method: 'GET',
    path: `${bffBase}/drafts/{id}`,
    access: 'signed-in',
    params: DraftId,
    answer: AnyStoredDraft,
  },
  keepDraft: {
    method: 'PUT',
    path: `${bffBase}/drafts/{id}`,
    access: 'updateSubscriber',
    budget: 'note',
    params: DraftId,
    body: AnyDraft,
    answer: z.undefined(),
  },
  dropDraft: {
    method: 'DELETE',
    path: `${bffBase}/drafts/{id}`,
    access: 'signed-in',
    budget: 'note',
    params: DraftId,
    answer: z.undefined(),
  },
  /** Colleagues who have changed a draft of a subscriber within the last minutes. */
  listEditors: {
    method: 'GET',
    path: `${bffBase}/subscribers/{id}/editors`,
    access: 'getSubscriber',
    params: SubscriberId,
    answer: z.array(Person),
  },
} as const satisfies Record<string, BffEndpoint>;
