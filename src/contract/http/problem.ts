import './zod-config.ts';
import * as z from 'zod/mini';
import { SubscriberDetail } from '../service/subscriber.ts';

/** Sentences by field; `bundles.2` is the third bundle, `body` the whole body. */
export type FieldErrors = Record<string, string[]>;

/** A staff member; `singleSignOn` as in the journal. */
const Person = { name: z.string(), singleSignOn: z.boolean() };
const Changer = z.object({ ...Person, at: z.string() });

/** What prevents a change, as far as the BFF knows; `at` is in UTC. */
const obstacles = {
  /** With `changed-meanwhile`: the record as it is now and who changed it last; null if no entry says so. */
  current: z.optional(SubscriberDetail),
  changedBy: z.optional(z.nullable(Changer)),
  /** With `changed-since`: the fields that changed later, and who changed them; null if no entry says so. */
  conflicts: z.optional(
    z.array(
      z.object({
        field: z.string(),
        by: z.nullable(z.object(Person)),
        at: z.nullable(z.string()),
      }),
    ),
  ),
};

/** RFC 9457. `type` ends with the stable code. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  ...obstacles,
});
export type Problem = z.infer<typeof Problem>;
export type Obstacles = Pick<Problem, keyof typeof obstacles>;

/** The beginning of every `type` of ours; the code follows. */
export const typePrefix = 'urn:subscriber-desk:problem:';
