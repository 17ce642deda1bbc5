import * as z from 'zod/mini';

/**
 * Configures zod for all schemas of the contract. Each file that builds an object schema imports this first, because
 * zod reads its configuration when it builds one.
 */
z.config({
  // Otherwise zod compiles parsers with `new Function`, which the page's content security policy forbids and reports.
  jitless: true,
  customError: sentenceFor,
});

/** The sentence for input that is wrong by its type alone, where the schema has none of its own. */
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
