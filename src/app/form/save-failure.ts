import type { UseFormReturn } from 'react-hook-form';
import type { Session } from '../../contract/bff/session.ts';
import { ApiError } from '../../contract/http/client.ts';
import type { FieldErrors } from '../../contract/http/problem.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import { describeConflict, describeFailure } from '../api/action-errors.ts';
import { isConflict } from '../api/errors.ts';
import { isFieldName } from '../subscriber/subscriber-fields.ts';

export interface SaveFailure {
  sentences: string[];
  /** Someone else changed the subscriber in the meantime. */
  conflict: boolean;
}

/**
 * Shows the service's errors on the fields; returns those that belong to no field.
 *
 * @param done and `user` as in `describeError`
 */
export function showErrors(
  form: UseFormReturn<SubscriberInput>,
  error: unknown,
  done: string,
  user: Session['staff'] | undefined,
): SaveFailure {
  if (!(error instanceof Error)) throw error;
  if (isConflict(error))
    return {
      sentences: [
        `Nothing was saved: ${describeConflict(error, user)}. Your changes are kept. Save again to compare both versions.`,
      ],
      conflict: true,
    };
  if (!(error instanceof ApiError) || error.code !== 'invalid-input')
    return {
      sentences: [describeFailure(error, { done, check: 'Check the list in another tab', user })],
      conflict: false,
    };
  const { fields, rest } = sortErrors(error.fields);
  const refused = Object.entries(fields) as [keyof SubscriberInput, string][];
  refused.forEach(([name, message], index) =>
    form.setError(name, { type: 'service', message }, { shouldFocus: index === 0 }),
  );
  return { sentences: refused.length > 0 ? rest : [...rest, error.message], conflict: false };
}

/** Sorts the service's errors by field, one sentence for each. `bundles.2` belongs to the field `bundles`. */
export function sortErrors(errors: FieldErrors): {
  fields: Partial<Record<keyof SubscriberInput, string>>;
  /** The sentences that belong to no field. */
  rest: string[];
} {
  const fields: Partial<Record<keyof SubscriberInput, string>> = {};
  const rest: string[] = [];
  for (const [path, sentences] of Object.entries(errors)) {
    const name = path.split('.')[0] ?? '';
    if (isFieldName(name)) fields[name] ??= sentences[0] ?? 'This value can’t be used.';
    else rest.push(...sentences);
  }
  return { fields, rest };
}
