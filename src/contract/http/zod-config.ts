/**
 * How zod behaves in every schema of the contract. Each file that builds an object schema imports this first,
 * because zod decides when it builds one.
 */
import * as z from 'zod/mini';

z.config({
  // zod would compile parsers with `new Function`, which the page's content security policy forbids and reports.
  jitless: true,
  customError: sentenceFor,
});

/** What is wrong and what to do, for issues whose schema brings no sentence of its own. */
function sentenceFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys')
    return 'There is no field of this name. Remove it or check its spelling.';
  if (issue.input === undefined) return 'Enter a value.';
  if (issue.code === 'invalid_type') return `Give ${typeNames[issue.expected] ?? 'another kind of value'}.`;
  if (issue.code === 'invalid_value') return `Choose one of: ${issue.values.map(String).join(', ')}.`;
  if (issue.code === 'too_small') return `Give at least ${issue.minimum}.`;
  if (issue.code === 'too_big') return `Give at most ${issue.maximum}.`;
  return 'This value cannot be used here. Check it and try again.';
}

const typeNames: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
