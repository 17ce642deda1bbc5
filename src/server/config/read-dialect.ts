import { Dialect } from '../../bff/upstream/dialect/shape.ts';
import { fieldErrors } from '../../contract/http/refusal.ts';

/**
 * The dialect in the file that UPSTREAM_DIALECT names.
 *
 * @param errors gets a sentence for everything that is wrong in it
 */
export function readDialect(
  path: string,
  readFile: (path: string) => string,
  errors: string[],
): Dialect | null {
  const before = errors.length;
  const read = Dialect.safeParse(parseFile(path, readFile, errors));
  if (read.success) return read.data;
  if (errors.length === before)
    for (const [field, sentences] of Object.entries(fieldErrors(read.error.issues)))
      errors.push(...sentences.map((sentence) => `In ${path}, ${nameOf(field)}: ${sentence}`));
  return null;
}

const nameOf = (field: string) => (field === 'body' ? 'the whole' : field);

function parseFile(path: string, readFile: (path: string) => string, errors: string[]): unknown {
  let text: string;
  try {
    text = readFile(path);
  } catch {
    errors.push('Set UPSTREAM_DIALECT to a file that can be read.');
    return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    errors.push(`${path} is not JSON. Correct it; commas and quotation marks are what is most often wrong.`);
    return null;
  }
}
