import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toCsv } from '../../contract/bff/csv.ts';
import { writeField, type ExportContext } from '../../contract/bff/export-format.ts';
import type { ActivityQuery, JournalEntry, RecordPart } from '../../contract/bff/journal.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import type { Status } from '../../contract/service/subscriber.ts';
import { clientsOf } from '../api/client.ts';
import { statusesQuery } from '../api/queries.ts';
import {
  entryTitle,
  eventSentence,
  kindNames,
  outcomeNames,
  personOf,
  whyNotDone,
} from '../subscriber/journal-entry.tsx';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted, grouped } from '../components/count.ts';
import { localDay } from '../components/exact-time.tsx';
import { describeError } from '../api/errors.ts';
import { nameOfPerson } from '../components/person-name.tsx';
import { csvType, saveFile } from '../components/save-file.ts';
import { partLabels, partNames, type PartName } from '../subscriber/subscriber-fields.ts';

/** Saves all entries that match the filters as a file; while it runs, a button stops it. */
export function ExportButton({ query, empty }: { query: ActivityQuery; empty: boolean }) {
  const { queryClient, toasts } = useApp();
  const [progress, setProgress] = useState<string | null>(null);
  const scan = useRef<AbortController | null>(null);
  useEffect(() => () => scan.current?.abort(), []);
  const button = useRef<HTMLButtonElement>(null);
  const wasRunning = useRef(false);
  // The Stop button disappears at the end, and would take the focus with it.
  useEffect(() => {
    const isRunning = progress !== null;
    if (wasRunning.current && !isRunning && document.activeElement === document.body) button.current?.focus();
    wasRunning.current = isRunning;
  }, [progress]);

  async function start(): Promise<void> {
    const { signal } = (scan.current = new AbortController());
    setProgress('Exporting…');
    try {
      const entries = await scanActivity(queryClient, query, signal, (done, all) =>
        setProgress(`${grouped(done)} of ${grouped(all)}`),
      );
      const statuses = await queryClient.ensureQueryData(statusesQuery);
      saveFile(`activity-${localDay(Date.now())}.csv`, csvType, toCsv(exportRows(entries, statuses)));
      toasts.show('ok', `${counted(entries.length, 'entry', 'entries')} exported.`);
    } catch (error) {
      if (!signal.aborted) toasts.show('bad', `Nothing was exported. ${describeError(error)}`);
    }
    setProgress(null);
  }

  return (
    <>
      <span role="status">{progress}</span>
      {progress === null ? (
        <Button
          key="export"
          ref={button}
          reason={empty ? 'There’s nothing to export.' : undefined}
          onClick={() => void start()}
        >
          Export CSV
        </Button>
      ) : (
        <Button key="stop" onClick={() => scan.current?.abort()}>
          Stop
        </Button>
      )}
    </>
  );
}

/**
 * All entries that match a filter, newest first, once it is recorded that they are exported. It reads nothing after the newest entry at the start, so that entries
 * added in the meantime do not shift the pages.
 *
 * @param onProgress called after each page
 */
async function scanActivity(
  client: QueryClient,
  query: ActivityQuery,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<JournalEntry[]> {
  const { page: _, pageSize: __, ...filter } = query;
  const load = async (more: ActivityQuery) =>
    (await clientsOf(client).bff.listActivity({ query: { ...filter, ...more } }, { signal })).data;
  const [newest] = (await load({ pageSize: 1 })).items;
  if (!newest) return [];
  const to = new Date(Date.parse(newest.at) + 1).toISOString();
  await clientsOf(client).bff.exportActivity({ query: { ...filter, to } }, { signal });
  const found = new Map<string, JournalEntry>();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const { items, totalCount, totalPages } = await load({ to, page, pageSize: pageSizes.most });
    for (const entry of items) found.set(entry.id, entry);
    pages = totalPages;
    onProgress(found.size, totalCount);
  }
  return [...found.values()];
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
  ['Why not done', (entry) => whyNotDone(entry) ?? ''],
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

/** What a change changed: a line for each field, as it was and as it is. */
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
