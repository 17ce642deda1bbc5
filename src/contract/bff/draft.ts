import '../http/zod-config.ts';
import * as z from 'zod/mini';
import type { SubscriberInput } from '../service/subscriber-input.ts';

/** How long a draft is kept, in ms, and how many one person has at most. */
export const draftLimits = { life: 7 * 24 * 60 * 60_000, drafts: 20 } as const;

/** The values of a form: checked by type and by no rule, because they may be half typed. */
const entered = {
  username: z.string(),
  email: z.string(),
  expiresAt: z.string(),
  /** Null while the box holds no number. */
  maxConnections: z.nullable(z.number()),
  isTrial: z.boolean(),
  note: z.string(),
  hls: z.boolean(),
  mpegTs: z.boolean(),
  bundles: z.array(z.number()),
  ipAddresses: z.array(z.string()),
  userAgents: z.array(z.string()),
  countries: z.array(z.string()),
} satisfies Record<keyof SubscriberInput, z.ZodMiniType>;

export const Entered = z.strictObject(entered);
export type Entered = z.infer<typeof Entered>;

/** A form that is not saved yet, and for one that edits what it began with. */
export const Draft = z.strictObject({
  values: Entered,
  base: z.nullable(z.strictObject({ values: Entered, etag: z.nullable(z.string()) })),
});
export type Draft = z.infer<typeof Draft>;

/** A draft as it was kept; `savedAt` in UTC. */
export const KeptDraft = z.nullable(z.object({ ...Draft.shape, savedAt: z.string() }));
export type KeptDraft = z.infer<typeof KeptDraft>;

/** The form for a new subscriber, or the one that edits the subscriber of this id. */
export const DraftId = z.object({
  id: z.string().check(z.regex(/^(new|[1-9]\d{0,15})$/, 'No form has this id.')),
});
