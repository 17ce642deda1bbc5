import './zod-config.ts';
import * as z from 'zod/mini';
import { SubscriberDetail } from './subscriber.ts';

/** Every error that is not OAuth's own; what HTTP says of each stands with the answers, which browsers do not make. */
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
  'no-such-entry',
  'method-not-allowed',
  'too-slow',
  'last-manager',
  'decided-elsewhere',
  'change-under-way',
  'changed-since',
  'cannot-undo',
  'changed-meanwhile',
  'too-large',
  'not-json',
  'wrong-host',
  'invalid-input',
  'key-used-before',
  'too-many-attempts',
  'headers-too-large',
  'internal-error',
  'bad-upstream',
  'upstream-unreachable',
  'busy',
  'database-unavailable',
  'change-unconfirmed',
  'upstream-timeout',
  'outcome-unknown',
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** Sentences by field; `bundles.2` is the third bundle, `body` the whole. */
export type FieldErrors = Record<string, string[]>;

const Changer = z.object({ name: z.string(), at: z.string() });

/** What stands in the way of a change, as far as the desk knows it; `at` is in UTC. */
const obstacles = {
  /** With `changed-meanwhile`: the record as it is now, and who made it so; null where no entry tells. */
  current: z.optional(SubscriberDetail),
  changedBy: z.optional(z.nullable(Changer)),
  /** With `changed-since`: the fields that changed since, and by whom; null where no entry tells. */
  conflicts: z.optional(
    z.array(
      z.object({
        field: z.string(),
        by: z.nullable(z.object({ name: z.string() })),
        at: z.nullable(z.string()),
      }),
    ),
  ),
};

/** RFC 9457. `type` ends in the stable code. */
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

/** What every `type` of ours begins with; the code follows. */
export const typePrefix = 'urn:subscriber-desk:problem:';

/** The stable code of a problem, or null for one that another service made. */
export function codeOf({ type }: Problem): ProblemCode | null {
  return problemCodes.find((code) => type === `${typePrefix}${code}`) ?? null;
}

/** zod's issues as sentences by field, each once. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  const otherKinds = new Set<string>();
  for (const issue of issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const places = keys.length > 0 ? keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const place of places) {
      const field = place.map(String).join('.') || 'body';
      const sentences = (errors[field] ??= []);
      // zod measures a list where a text was wanted: its length is not what is wrong with it.
      if (otherKinds.has(field) || sentences.includes(issue.message)) continue;
      sentences.push(issue.message);
      if (issue.code === 'invalid_type') otherKinds.add(field);
    }
  }
  return errors;
}

/** How many fields at fault an answer names, and how many of them its sentence: none is much larger than its request. */
const namedAtMost = { fields: 50, inSentence: 5 } as const;

/** The refusal of input whose fields are at fault. */
export function invalidInput(errors: FieldErrors): Refusal {
  const fields = Object.keys(errors);
  const names = fields.slice(0, namedAtMost.inSentence).join(', ');
  const others = fields.length - namedAtMost.inSentence;
  const listed = Object.create(null) as FieldErrors;
  for (const field of fields.slice(0, namedAtMost.fields)) listed[field] = errors[field] ?? [];
  return new Refusal(
    'invalid-input',
    `Correct ${names}${others > 0 ? ` and ${others} more` : ''} and send it again.`,
    { errors: listed },
  );
}

interface Particulars {
  errors?: FieldErrors;
  headers?: Readonly<Record<string, string>>;
  obstacles?: Obstacles;
}

/** Thrown by a handler to answer with a problem instead; the room's one error handler turns it into an answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ProblemCode;
  readonly particulars: Particulars;

  /** @param detail a sentence for people: what is wrong and what to do */
  constructor(code: ProblemCode, detail: string, particulars: Particulars = {}) {
    super(detail);
    this.code = code;
    this.particulars = particulars;
  }
}
