import { toCsv } from '../../contract/bff/csv.ts';
import { writeField, type ExportContext } from '../../contract/bff/export-format.ts';
import { JournalEntry, type ActivityQuery, type RecordPart } from '../../contract/bff/journal.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { clientOf } from '../api/client.ts';
import { statusesQuery } from '../api/queries.ts';
import { SaveButton, readLines, csvType, saveFile } from '../api/files.tsx';
import {
  entryTitle,
  eventSentence,
  kindNames,
  outcomeNames,
  personOf,
  refusalOf,
} from '../subscriber/journal-entry.tsx';
import { useApp } from '../components/app-context.ts';
import { counted } from '../components/format.ts';
import { localDay } from '../components/exact-time.tsx';
import { nameOfPerson } from '../components/badge.tsx';
import { partLabels, partNames, type PartName } from '../subscriber/subscriber-fields.ts';

/** Saves all entries that match the filters as a file. */
export function ExportButton({ query, empty }: { query: ActivityQuery; empty: boolean }) {
  const { queryClient } = useApp();
  return (
    <SaveButton
      label="Export CSV"
      reason={empty ? 'There’s nothing to export.' : undefined}
      describe={(rows) => `${counted(rows, 'entry', 'entries')} exported.`}
      save={async (download) => {
        const { page: _, pageSize: __, ...filter } = query;
        const { data } = await clientOf(queryClient).exportActivity(
          { query: filter },
          { signal: download.signal },
        );
        const entries = await readLines(data, JournalEntry, download);
        const statuses = await queryClient.ensureQueryData(statusesQuery);
        saveFile(`activity-${localDay(Date.now())}.csv`, csvType, toCsv(exportRows(entries, statuses)));
        return entries.length;
      }}
    />
  );
}

const isoTime = (at: number) => new Date(at).toISOString();

const columns: readonly (readonly [string, (entry: JournalEntry, context: ExportContext) => string])[] = [
  ['Time (UTC)', ({ at }) => at],
  ['Who', (entry) => nameOfPerson(personOf(entry))],
  ['Kind', ({ kind }) => kindNames[kind]],
  ['What', (entry) => entryTitle(entry)],
  ['Subscriber', ({ username }) => username],
  ['Subscriber ID', ({ subscriberId }) => String(subscriberId ?? '')],
  ['Changes', changedFields],
  ['Account', (entry) => (entry.kind !== 'change' && entry.account ? nameOfPerson(entry.account) : '')],
  ['Details', (entry) => (entry.kind === 'change' ? '' : eventSentence(entry, isoTime))],
  ['Outcome', ({ outcome }) => outcomeNames[outcome]],
  ['Why not done', (entry) => refusalOf(entry) ?? ''],
  ['Reason', (entry) => (entry.kind === 'change' && entry.reason) || ''],
  ['Entry', ({ id }) => id],
  ['Made again as ID', (entry) => (entry.kind === 'change' ? String(entry.madeAgainAs ?? '') : '')],
  ['Job', (entry) => (entry.kind === 'change' && entry.jobId) || ''],
  ['Undoes entry', (entry) => (entry.kind === 'change' && entry.undoOf) || ''],
  ['Request', ({ requestId }) => requestId],
];

/** The entries as a table of texts, headings first. */
function exportRows(entries: readonly JournalEntry[], statuses: readonly Status[]): string[][] {
  const context = { zone: 'UTC', statuses: new Map(statuses.map(({ id, name }) => [id, name])) };
  return [
    columns.map(([name]) => name),
    ...entries.map((entry) => columns.map(([, read]) => read(entry, context))),
  ];
}

/** Fields that a change changed: a line for each, as it was and as it is. */
function changedFields(entry: JournalEntry, context: ExportContext): string {
  if (entry.kind !== 'change') return '';
  const [before, after] = [entry.before ?? {}, entry.after ?? {}];
  const isDeleted = entry.operation === 'deleteSubscriber' && entry.outcome === 'done';
  const side = (name: PartName, part: RecordPart) => {
    const text = writeField(name, part, context);
    return text === '' ? '(empty)' : (text ?? '').replaceAll(/\r\n|[\r\n]/g, ' ⏎ ');
  };
  return partNames
    .filter((name) => before[name] !== undefined || after[name] !== undefined)
    .map((name) =>
      `${partLabels[name]}: ${side(name, before)} → ${isDeleted ? '(deleted)' : side(name, after)}`.trimEnd(),
    )
    .join('\n');
}
