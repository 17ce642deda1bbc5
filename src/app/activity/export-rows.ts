import type { JournalEntry, RecordPart } from '../../contract/bff/journal.ts';
import { entryTitle, outcomeNames, whyNotDone } from '../changes/journal-entry.tsx';
import { partLabels } from '../subscribers/fields/subscriber-fields.ts';
import { differencesIn } from '../subscribers/fields/field-text.ts';

const columns: readonly (readonly [string, (entry: JournalEntry) => string])[] = [
  ['Time (UTC)', ({ at }) => at],
  ['Who', ({ staff }) => staff.name],
  ['What', entryTitle],
  ['Subscriber', ({ username }) => username],
  ['Subscriber id', ({ subscriberId }) => String(subscriberId ?? '')],
  ['Before', (entry) => side(entry, 'before')],
  ['After', (entry) => side(entry, 'after')],
  ['Outcome', ({ outcome }) => outcomeNames[outcome]],
  ['Why not', (entry) => whyNotDone(entry) ?? ''],
  ['Reason', ({ reason }) => reason ?? ''],
  ['Entry', ({ id }) => id],
  ['Undoes entry', ({ undoOf }) => undoOf ?? ''],
  ['Request', ({ requestId }) => requestId],
];

/** The journal as a table of texts, its headings first. */
export function exportRows(entries: readonly JournalEntry[]): string[][] {
  return [columns.map(([name]) => name), ...entries.map((entry) => columns.map(([, read]) => read(entry)))];
}

/** The fields of one side, a line for each. */
function side(entry: JournalEntry, which: 'before' | 'after'): string {
  const part = (name: typeof which): RecordPart => entry[name] ?? {};
  return differencesIn(part('before'), part('after'))
    .filter((difference) => difference[which] !== null)
    .map((difference) => `${partLabels[difference.name]}: ${difference[which]}`)
    .join('\n');
}
