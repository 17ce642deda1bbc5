import { ApiError } from '../../contract/http/client.ts';
import { isUncertain } from '../api/send-idempotent.ts';
import { reasonOf } from '../components/failure.tsx';
import { localTime } from '../components/time.ts';
import { partLabels, isPartName } from '../subscribers/fields/field-labels.ts';

/**
 * What to say of a change that brought an error.
 *
 * @param done what would be so if it had gone through, such as "the token was replaced"
 * @param look what to do to find out, such as "Close this and look"
 */
export function outcomeOf(error: Error, done: string, look: string): string {
  if (!(error instanceof ApiError)) return reasonOf(error);
  if (error.code === 'outcome-unknown')
    return `The service did not say whether ${done}, and the desk could not find out. Wait half a minute. ${look} before you try again.`;
  if (isUncertain(error))
    return `No answer came back that says whether ${done}. ${look} before you try again.`;
  if (error.code === 'changed-meanwhile')
    return `${changerOf(error)} changed this subscriber since you opened it. Nothing was done. ${look} before you try again.`;
  if (error.code === 'changed-since')
    return `${conflictsOf(error)} Nothing was undone. ${look}, and change it by hand.`;
  return error.message;
}

/** Who made a conflict, and when, as far as the desk knows: "Somebody", or "Kari (at 1 Jun 2026, 14:00)". */
export function changerOf({ obstacles: { changedBy } }: ApiError): string {
  return changedBy ? `${changedBy.name} (on ${localTime(Date.parse(changedBy.at))})` : 'Somebody';
}

/** Who changed which field since, a sentence for each person. */
function conflictsOf({ obstacles: { conflicts = [] } }: ApiError): string {
  const byPerson = Map.groupBy(conflicts, ({ by, at }) =>
    by && at ? `${by.name} (on ${localTime(Date.parse(at))})` : 'Somebody',
  );
  if (byPerson.size === 0) return 'Somebody changed it since.';
  return [...byPerson]
    .map(([who, fields]) => {
      const names = fields.map(({ field }) => (isPartName(field) ? partLabels[field] : field));
      return `${who} changed ${names.join(', ')} since.`;
    })
    .join(' ');
}
