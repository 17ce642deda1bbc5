import type { RecordPart } from '../../../contract/bff/journal.ts';
import { dayOf, localTime } from '../../components/time.ts';
import { fieldText } from './field-text.ts';
import { isFieldName, partNames, type PartName } from './field-labels.ts';

/** What an entry says of one field: its value before and after, as far as there was one. */
export interface Difference {
  name: PartName;
  before: string | null;
  after: string | null;
}

/** What differs, in the order of the form. */
export function differencesIn(before: RecordPart, after: RecordPart): Difference[] {
  return partNames
    .filter((name) => before[name] !== undefined || after[name] !== undefined)
    .map((name) => {
      const whole = { before: partText(name, before), after: partText(name, after) };
      if (name !== 'expiresAt') return { name, ...whole };
      const days = { before: dayIn(before), after: dayIn(after) };
      // The day says it, unless it is the same.
      return { name, ...(days.before === days.after ? whole : days) };
    });
}

function partText(name: PartName, part: RecordPart): string | null {
  const value = part[name];
  if (value === undefined) return null;
  if (name === 'expiresAt') return localTime(Date.parse(String(value)));
  // A field that people enter has the type of its name in both shapes.
  return isFieldName(name) ? fieldText(name, value as never) : String(value);
}

const dayIn = ({ expiresAt }: RecordPart) => (expiresAt === undefined ? null : dayOf(Date.parse(expiresAt)));
