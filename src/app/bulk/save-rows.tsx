import { byteOrderMark, csvRow, neutralize, restoreText, toCsv } from '../../contract/bff/csv.ts';
import type { QueryClient } from '@tanstack/react-query';
import { rowInFile } from '../../contract/bff/import.ts';
import { JobRow, type Job, type RowResult } from '../../contract/bff/job.ts';
import { clientOf } from '../api/client.ts';
import { SaveButton, readLines, type Transfer, csvType, saveFile } from '../api/files.tsx';
import { resultName, rowReason } from '../subscriber/job-words.ts';
import { useApp } from '../components/app-context.ts';
import { counted } from '../components/format.ts';
import { localDay } from '../components/exact-time.tsx';
import { differencesIn, partLabels } from '../subscriber/subscriber-fields.ts';

/**
 * Saves the rows with a result, of all pages, as a file; or those of a file that could not be imported, as they are in
 * it, each with what is wrong.
 */
export function SaveRows({ job, result }: { job: Job; result: RowResult | 'errors' | null }) {
  const { queryClient } = useApp();
  const isErrors = result === 'errors';
  return (
    <SaveButton
      label={isErrors ? 'Download rows with errors' : 'Save as CSV'}
      describe={(rows) => `${counted(rows, 'row')} saved.`}
      save={async (download) => {
        const all = await loadRows(queryClient, job.id, isErrors ? 'skipped' : result, download);
        const rows = isErrors ? all.filter(({ why }) => why === 'invalid-input') : all;
        const name = `${isErrors ? 'errors' : 'job'}-${localDay(Date.parse(job.createdAt))}.csv`;
        saveFile(name, csvType, isErrors ? errorsOf(rows, job) : toCsv(tableOf(rows, job)));
        return rows.length;
      }}
    />
  );
}

/** A file with the same columns, and one more for what is wrong. It means the same when it is imported. */
export function errorsOf(rows: readonly JobRow[], { file }: Pick<Job, 'file'>): string {
  const headings = file?.headings ?? [];
  const lines = rows.map((row) => {
    const { source } = row;
    const cells = headings.map((_, index) => source?.[index] ?? '');
    return `${[...cells.map(sameCell), neutralize(rowReason(row) ?? '')].map(quoted).join(',')}\r\n`;
  });
  return [byteOrderMark, csvRow([...headings, 'error']), ...lines].join('');
}

/** Neutralized once, also if it was already. A lone hyphen, which empties, stays: no spreadsheet takes it for a formula. */
const sameCell = (cell: string) => (cell.trim() === '-' ? cell : neutralize(restoreText(cell)));

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

async function loadRows(
  cache: QueryClient,
  id: string,
  result: RowResult | null,
  download: Transfer,
): Promise<JobRow[]> {
  const query = result === null ? {} : { result };
  const { data } = await clientOf(cache).exportJobRows(
    { params: { id }, query },
    { signal: download.signal },
  );
  return readLines(data, JobRow, download);
}

/** The rows as a table of texts, headings first. */
function tableOf(rows: readonly JobRow[], job: Job): string[][] {
  const isImport = job.kind === 'import';
  const headings = [
    ...(isImport ? ['Row'] : []),
    'Subscriber ID',
    'Username',
    'Result',
    'Why',
    'Before',
    'After',
  ];
  return [
    headings,
    ...rows.map((row) => [
      ...(isImport ? [String(rowInFile(row.number, job.file?.format ?? 'csv'))] : []),
      row.subscriberId > 0 ? String(row.subscriberId) : '',
      row.username,
      resultName(row.result, job),
      rowReason(row) ?? '',
      side(row, 'before'),
      side(row, 'after'),
    ]),
  ];
}

/** The fields before or after, a line for each. */
function side({ before, after }: JobRow, which: 'before' | 'after'): string {
  return differencesIn(before ?? {}, after ?? {})
    .filter((difference) => difference[which] !== null)
    .map((difference) => `${partLabels[difference.name]}: ${difference[which]}`)
    .join('\n');
}
