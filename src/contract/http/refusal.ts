import type * as z from 'zod/mini';
import type { FieldErrors, Obstacles } from './problem.ts';
import type { ProblemCode } from './problem-codes.ts';

/** zod's issues as sentences by field, without repetitions. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  const otherKinds = new Set<string>();
  for (const issue of issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
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

/** How many wrong fields an answer names, in `errors` and in its detail, so that it does not outgrow its request. */
const namedAtMost = { fields: 50, inSentence: 5 } as const;

/** Refuses input because of some of its fields. */
export function invalidInput(errors: FieldErrors): Refusal {
  const fields = Object.keys(errors);
  const names = fields.slice(0, namedAtMost.inSentence).join(', ');
  const others = fields.length - namedAtMost.inSentence;
  const listed = Object.create(null) as FieldErrors;
  for (const field of fields.slice(0, namedAtMost.fields)) listed[field] = errors[field] ?? [];
  const detail = `Not accepted: ${names}${others > 0 ? ` and ${others} more` : ''}. Nothing was changed. Correct ${fields.length === 1 ? 'it' : 'them'} and try again.`;
  return new Refusal('invalid-input', detail, { errors: listed });
}

interface Particulars {
  errors?: FieldErrors;
  headers?: Readonly<Record<string, string>>;
  obstacles?: Obstacles;
}

/** Refuses input because of one field, whose sentence is the detail as well. */
export function invalidField(field: string, sentence: string): Refusal {
  return new Refusal('invalid-input', sentence, { errors: { [field]: [sentence] } });
}

/** Too much waits for the server already. */
export const serverBusy = () =>
  new Refusal('busy', 'The server is busy. Nothing was changed. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  });

/** Ends the details of errors that only an administrator can do something about. */
export const askForHelp = 'If it happens again, give an administrator the request ID.';

/** The same refusal with another detail. */
export function withDetail(refusal: Refusal, detail: string): Refusal {
  const changed = new Refusal(refusal.code, detail, refusal.particulars);
  if (refusal.cause !== undefined) changed.cause = refusal.cause;
  return changed;
}

/** Thrown to answer with a problem; `answerError` makes the answer. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ProblemCode;
  readonly particulars: Particulars;

  /** @param detail sentences for people: what happened, whether anything was changed, what to do */
  constructor(code: ProblemCode, detail: string, particulars: Particulars = {}) {
    super(detail);
    this.code = code;
    this.particulars = particulars;
  }
}
