/**
 * The sentences for input that is wrong by its type alone. Each file with schemas for what people enter imports this first. The
 * first view of the dashboard reads answers only, and does without.
 */
import './zod-config.ts';
import * as z from 'zod/mini';

z.config({ customError: sentenceFor });

/** The sentence for an issue whose schema has none of its own. */
function sentenceFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys')
    return 'There is no field with this name. Check its spelling, or remove it.';
  if (issue.input === undefined) return 'Enter a value.';
  if (issue.code === 'invalid_type')
    return `This must be ${typeNames[issue.expected] ?? 'a value of another type'}.`;
  if (issue.code === 'invalid_value') return `Choose one of: ${issue.values.map(String).join(', ')}.`;
  if (issue.code === 'too_small')
    return `Use at least ${issue.minimum}${issue.origin === 'string' ? ' characters' : ''}.`;
  if (issue.code === 'too_big') return `Use at most ${issue.maximum}.`;
  return 'This value can’t be used. Check it and try again.';
}

const typeNames: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
