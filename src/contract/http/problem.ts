import './zod-config.ts';
import * as z from 'zod/mini';
import { SubscriberDetail } from '../service/subscriber.ts';

/**
 * The code of every error except OAuth's. `problem-answer.ts` has their statuses and titles, apart from the first view.
 */
export const problemCodes = [
  'bad-request',
  'not-signed-in',
  'wrong-password',
  'password-expired',
  'invalid-token',
  'not-allowed',
  'password-change-needed',
  'insufficient-scope',
  'cross-site',
  'no-such-address',
  'no-such-subscriber',
  'no-such-account',
  'no-such-view',
  'no-such-message',
  'no-such-entry',
  'no-such-job',
  'method-not-allowed',
  'too-slow',
  'last-manager',
  'decided-elsewhere',
  'change-under-way',
  'changed-since',
  'cannot-undo',
  'wrong-job-state',
  'changed-meanwhile',
  'too-large',
  'not-json',
  'wrong-host',
  'invalid-input',
  'key-used-before',
  'too-many-attempts',
  'too-many-requests',
  'headers-too-large',
  'internal-error',
  'bad-upstream',
  'upstream-unreachable',
  'busy',
  'database-unavailable',
  'disk-full',
  'change-unconfirmed',
  'upstream-timeout',
  'outcome-unknown',
] as const;
export type ProblemCode = (typeof problemCodes)[number];

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

/** The stable code of a problem; null if another service made it. */
export function codeOf({ type }: Problem): ProblemCode | null {
  return problemCodes.find((code) => type === `${typePrefix}${code}`) ?? null;
}
