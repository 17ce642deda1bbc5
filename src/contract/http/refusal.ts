import type * as z from 'zod/mini';
import type { FieldErrors, Obstacles, ProblemCode } from './problem.ts';

/** zod's issues as sentences by field, each once. */
export function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  const otherKinds = new Set<string>();
  for (const issue of issues) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    const paths = keys.length > 0 ? keys.map((key) => [...issue.path, key]) : [issue.path];
    for (const path of paths) {
      const field = path.map(String).join('.') || 'body';
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

/** Thrown to answer with a problem; `answerError` makes the answer. */
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
