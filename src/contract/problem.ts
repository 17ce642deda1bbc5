import './zod-config.ts';
import * as z from 'zod/mini';
import { SubscriberDetail } from './subscriber.ts';

/** Every error that is not OAuth's own, by its stable code: what HTTP says of it and its title. */
export const problems = {
  'bad-request': [400, 'The request cannot be read'],
  'not-signed-in': [401, 'Not signed in'],
  'wrong-password': [401, 'Name or password is wrong'],
  'password-expired': [401, 'The one-time password has expired'],
  'invalid-token': [401, 'The access token is missing, wrong or expired'],
  'not-allowed': [403, 'Not allowed'],
  'password-change-needed': [403, 'Choose a password of your own first'],
  'insufficient-scope': [403, 'The access token does not allow this'],
  'cross-site': [403, 'The request did not come from this page'],
  'no-such-address': [404, 'There is nothing at this address'],
  'no-such-subscriber': [404, 'There is no such subscriber'],
  'no-such-account': [404, 'There is no such account'],
  'no-such-view': [404, 'There is no such view'],
  'no-such-entry': [404, 'There is no such entry in the journal'],
  'method-not-allowed': [405, 'This address does not take that method'],
  'too-slow': [408, 'The request did not arrive in time'],
  'last-manager': [409, 'The desk needs a manager'],
  'decided-elsewhere': [409, 'The single sign-on provider decides this'],
  'change-under-way': [409, 'Another change is under way'],
  'changed-since': [409, 'Somebody changed it since'],
  'cannot-undo': [409, 'This cannot be undone'],
  'changed-meanwhile': [412, 'Somebody changed it meanwhile'],
  'too-large': [413, 'The body is too large'],
  'not-json': [415, 'The body is not JSON'],
  'wrong-host': [421, 'The request is for another host'],
  'invalid-input': [422, 'Some of the input cannot be used'],
  'key-used-before': [422, 'The key belongs to another change'],
  'too-many-attempts': [429, 'Too many attempts'],
  'headers-too-large': [431, 'The headers are too large'],
  'internal-error': [500, 'Something went wrong here'],
  'bad-upstream': [502, 'The subscriber service gave no usable answer'],
  'upstream-unreachable': [503, 'The subscriber service cannot be reached'],
  busy: [503, 'Too busy at this moment'],
  'database-unavailable': [503, 'The database cannot be used at this moment'],
  'change-unconfirmed': [503, 'It is not known whether the change was done'],
  'upstream-timeout': [504, 'The subscriber service took too long'],
  'outcome-unknown': [504, 'It is not known whether this was done'],
} as const satisfies Record<string, readonly [status: number, title: string]>;
export type ProblemCode = keyof typeof problems;

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

const typePrefix = 'urn:subscriber-desk:problem:';

export function makeProblem(
  code: ProblemCode,
  detail: string,
  requestId: string,
  errors?: FieldErrors,
  obstacles?: Obstacles,
): Problem {
  const [status, title] = problems[code];
  const type = `${typePrefix}${code}`;
  return { type, title, status, detail, requestId, ...(errors && { errors }), ...obstacles };
}

/** The stable code of a problem, or null for one that another service made. */
export function codeOf(problem: Problem): ProblemCode | null {
  const code = problem.type.startsWith(typePrefix) ? problem.type.slice(typePrefix.length) : '';
  return Object.hasOwn(problems, code) ? (code as ProblemCode) : null;
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

/** A refusal as `application/problem+json`. */
export function problemAnswer(refusal: Refusal, requestId: string): Response {
  const { errors, headers, obstacles } = refusal.particulars;
  const problem = makeProblem(refusal.code, refusal.message, requestId, errors, obstacles);
  return Response.json(problem, {
    status: problem.status,
    headers: { ...headers, 'Content-Type': 'application/problem+json', 'X-Request-Id': requestId },
  });
}
