import type { FieldErrors } from '../../../contract/http/problem.ts';
import type { SubscriberInput } from '../../../contract/service/subscriber-input.ts';
import { isFieldName } from '../fields/field-labels.ts';

interface Sorted {
  /** The first sentence for each field of the form. */
  fields: Partial<Record<keyof SubscriberInput, string>>;
  /** What belongs to no field. */
  rest: string[];
}

/** The service's refusals, put where a person can mend them; `bundles.2` belongs to the field of the bundles. */
export function sortErrors(errors: FieldErrors): Sorted {
  const sorted: Sorted = { fields: {}, rest: [] };
  for (const [path, sentences] of Object.entries(errors)) {
    const name = path.split('.')[0] ?? '';
    if (isFieldName(name)) sorted.fields[name] ??= sentences[0] ?? 'This value was refused.';
    else sorted.rest.push(...sentences);
  }
  return sorted;
}
