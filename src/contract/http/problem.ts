import './zod-config.ts';
import * as z from 'zod/mini';
import { Person } from './shapes.ts';
import type { ProblemCode } from './problem-codes.ts';
import { SubscriberDetail } from '../service/subscriber.ts';

/** Sentences by field; `bundles.2` is the third bundle, `body` the whole body. */
export type FieldErrors = Record<string, string[]>;

/** Obstacles to a change, as far as the BFF knows them; `at` is in UTC. */
const obstacles = {
  /** With `changed-meanwhile`: the record as it is now and who changed it last; null if no entry says so. */
  current: z.optional(SubscriberDetail),
  changedBy: z.optional(z.nullable(z.object({ ...Person.shape, at: z.string() }))),
  /** With `changed-since`: the fields that changed later, and who changed them; null if no entry says so. */
  conflicts: z.optional(
    z.array(z.object({ field: z.string(), by: z.nullable(Person), at: z.nullable(z.string()) })),
  ),
};

/** RFC 9457. `type` ends with the stable code. */
export const ProblemBody = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  requestId: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  ...obstacles,
});
export type ProblemBody = z.infer<typeof ProblemBody>;
export type Obstacles = Pick<ProblemBody, keyof typeof obstacles>;

/**
 * So many issues are read of one input, and so many unknown fields; nobody needs the others. All 6,000 that a body can have took
 * 5 ms, which a stranger who sends many of them takes from everybody.
 */
const readAtMost = 1000;

/** zod's issues as sentences by field, without repetitions. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  const otherKinds = new Set<string>();
  for (const issue of issues.slice(0, readAtMost)) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, readAtMost) : [];
    const paths = keys.length > 0 ? keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of paths) {
      const field = path.map(String).join('.') || 'body';
      const sentences = (errors[field] ??= []);
      // zod also measures a value of the wrong type, but its length is not what is wrong with it.
      if (otherKinds.has(field) || sentences.includes(issue.message)) continue;
      sentences.push(issue.message);
      if (issue.code === 'invalid_type') otherKinds.add(field);
    }
  }
  return errors;
}

/** Most wrong fields that an answer names, in `errors` and in its detail, so that it does not outgrow its request. */
const namedAtMost = { fields: 50, inSentence: 5 } as const;

/** Refuses input because of some of its fields. */
export function invalidInput(errors: FieldErrors): Problem {
  const fields = Object.keys(errors);
  const names = fields.slice(0, namedAtMost.inSentence).join(', ');
  const others = fields.length < readAtMost ? fields.length - namedAtMost.inSentence : 'many';
  const listed = Object.create(null) as FieldErrors;
  for (const field of fields.slice(0, namedAtMost.fields)) listed[field] = errors[field] ?? [];
  const detail = `Not accepted: ${names}${others === 'many' || others > 0 ? ` and ${others} more` : ''}. Nothing was changed. Correct ${fields.length === 1 ? 'it' : 'them'} and try again.`;
  return new Problem('invalid-input', detail, { errors: listed });
}

interface Particulars {
  errors?: FieldErrors;
  headers?: Readonly<Record<string, string>>;
  obstacles?: Obstacles;
}

/** Refuses input because of one field, whose sentence is the detail as well. */
export function invalidField(field: string, sentence: string): Problem {
  return new Problem('invalid-input', sentence, { errors: { [field]: [sentence] } });
}

/** Too much waits for the server already. */
export const serverBusy = () =>
  new Problem('busy', 'The server is busy. Nothing was changed. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  });

/** Ends the details of errors that only an administrator can do something about. */
export const askForHelp = 'If it happens again, give an administrator the request ID.';

/** The same problem with another detail. */
export function withDetail(problem: Problem, detail: string): Problem {
  const changed = new Problem(problem.code, detail, problem.particulars);
  if (problem.cause !== undefined) changed.cause = problem.cause;
  return changed;
}

/** Thrown to answer with a problem; `answerError` makes the answer. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly particulars: Particulars;

  /** @param detail sentences for people: what happened, whether anything was changed, what to do */
  constructor(code: ProblemCode, detail: string, particulars: Particulars = {}) {
    super(detail);
    this.code = code;
    this.particulars = particulars;
  }
}

// Problems of the service and of the BFF alike, so that staff and API clients read the same sentences.

export const noSuchSubscriber = () =>
  new Problem(
    'no-such-subscriber',
    'This subscriber does not exist. It may have been deleted. Search for it again.',
  );

export const noSubscriberWithToken = () =>
  new Problem('no-such-subscriber', 'No subscriber has this access token. It may be an old one.');

/** @param seconds until it is ready, about */
export const filterNotReady = (seconds: number) =>
  new Problem(
    'filter-not-ready',
    `After an update, the search by bundle, country, address and player is still being prepared. Try again ${
      seconds > 60 ? `in about ${Math.ceil(seconds / 60)} minutes` : 'in a minute'
    }, or leave this filter out until then.`,
    { headers: { 'Retry-After': String(Math.max(1, seconds)) } },
  );

/** @param obstacles the record as it is now, as far as the BFF knows it */
export const changedMeanwhile = (obstacles: Obstacles = {}) =>
  new Problem(
    'changed-meanwhile',
    'Someone else changed this subscriber first. Your change was not made. Look at the current version, then make your change again.',
    { obstacles },
  );
