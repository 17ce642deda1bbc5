import { toCsv } from '../../contract/bff/csv.ts';
import type { QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Job, JobRow, RowResult } from '../../contract/bff/job.ts';
import { pageSizes } from '../../contract/service/list-query.ts';
import { clientsOf } from '../api/client.ts';
import { resultName, whyNot } from '../changes/job-words.ts';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { counted } from '../components/count.ts';
import { csvType, saveFile } from '../components/save-file.ts';
import { localDay } from '../components/exact-time.tsx';
import { reasonOf } from '../components/failure.tsx';
import { differencesIn } from '../subscribers/fields/field-text.ts';
import { partLabels } from '../subscribers/fields/subscriber-fields.ts';

/** Saves the rows that are shown, of all pages, as a file. */
export function SaveRows({ job, result }: { job: Job; result: RowResult | null }) {
  const { queryClient, toasts } = useApp();
  const [isBusy, setBusy] = useState(false);
  async function save(): Promise<void> {
    setBusy(true);
    try {
      const rows = await loadRows(queryClient, job.id, result);
      saveFile(`job-${localDay(Date.parse(job.createdAt))}.csv`, csvType, toCsv(tableOf(rows, job)));
      toasts.show('ok', `${counted(rows.length, 'row')} saved.`);
    } catch (error) {
      toasts.show('bad', `Nothing was saved. ${reasonOf(error)}`);
    }
    setBusy(false);
  }
  return (
    <Button busy={isBusy} onClick={() => void save()}>
      {isBusy ? 'Saving…' : 'Save as CSV'}
    </Button>
  );
}

async function loadRows(client: QueryClient, id: string, result: RowResult | null): Promise<JobRow[]> {
  const rows: JobRow[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = { page, pageSize: pageSizes.most, ...(result !== null && { result }) };
    const { data } = await clientsOf(client).bff.listJobRows({ params: { id }, query });
    rows.push(...data.items);
    pages = data.totalPages;
  }
  return rows;
}

/** The rows as a table of texts, headings first. */
function tableOf(rows: readonly JobRow[], job: Job): string[][] {
  const headings = ['Subscriber ID', 'Username', 'Result', 'Why', 'Before', 'After'];
  return [
    headings,
    ...rows.map((row) => [
      row.subscriberId > 0 ? String(row.subscriberId) : '',
      row.username,
      resultName(row.result, job),
      whyNot(row) ?? '',
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
