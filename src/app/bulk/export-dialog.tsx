import { useEffect, useRef, useState } from 'react';
import { exportFields, type ExportFormat } from '../../contract/bff/export-format.ts';
import type { ExportQuery } from '../../contract/bff/export-query.ts';
import type { ViewQuery } from '../../contract/bff/view-bodies.ts';
import { usePermission } from '../api/session.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { useApp } from '../components/app-context.ts';
import { CheckBox } from '../components/check-box.tsx';
import { counted, grouped } from '../components/count.ts';
import { localDay } from '../components/exact-time.tsx';
import { describeError } from '../api/errors.ts';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { RadioGroup } from '../components/radio-group.tsx';
import { browserZone } from '../subscriber/extensions.ts';
import { filterWords } from '../subscriber/filter-words.ts';
import { listWords } from '../subscriber/field-text.ts';
import { nameOfStatus, useStatuses } from '../subscriber/status-badge.tsx';
import { chooseTarget, downloadExport, type ExportProgress } from './download.ts';

interface ExportDialogProps {
  /** The filters and the order of the list. */
  query: ViewQuery;
  /** How many subscribers the list has; undefined until it is loaded. */
  count: number | undefined;
  /** The names of the columns that the table shows. */
  shown: readonly string[];
  onClose: () => void;
}

/** Asks for columns, format and times, and saves all subscribers of the list as a file. */
export function ExportDialog({ query, count, shown, onClose }: ExportDialogProps) {
  const { toasts } = useApp();
  const [columns, setColumns] = useState<'all' | 'shown'>('all');
  const [format, setFormat] = useState<ExportFormat>('csv');
  const zones = [...new Set([browserZone(), 'UTC'])].map((zone) => ({ value: zone, label: zone }));
  const [zone, setZone] = useState(browserZone);
  const [lists, setLists] = useState(false);
  const [tokens, setTokens] = useState(false);
  const [reason, setReason] = useState('');
  const canSeeTokens = usePermission('seeAccessToken').allowed;
  const download = useDownload((rows) => {
    toasts.show('ok', `${counted(rows, 'subscriber')} exported.`);
    onClose();
  });
  const isBusy = download.progress !== null;
  return (
    <ConfirmDialog
      title={count === undefined ? 'Export subscribers' : `Export ${counted(count, 'subscriber')}`}
      action="Export"
      busyAction="Exporting…"
      busy={isBusy}
      canClose
      error={download.error}
      reason={tokens && reason.trim() === '' ? 'Say why you need the access tokens.' : undefined}
      onSubmit={() => {
        const fields = columns === 'all' ? exportFields : fieldsShown(shown);
        const wanted = { ...query, columns: [...fields], format, zone, lists, tokens };
        void download.start(wanted, reason.trim());
      }}
      onClose={onClose}
    >
      <Which query={query} />
      {download.progress ? (
        <Progress {...download.progress} />
      ) : (
        <>
          <RadioGroup label="Columns" inline value={columns} options={columnChoices} onChange={setColumns} />
          <RadioGroup label="Format" inline value={format} options={formats} onChange={setFormat} />
          <RadioGroup label="Times in" inline value={zone} options={zones} onChange={setZone} />
          <CheckBox checked={lists} onChange={setLists}>
            Add bundles, IP addresses, user agents and countries (slower)
          </CheckBox>
          {canSeeTokens && (
            <CheckBox checked={tokens} onChange={setTokens}>
              Add access tokens
            </CheckBox>
          )}
          <ReasonField value={reason} onChange={setReason} for="export" required={tokens} />
        </>
      )}
    </ConfirmDialog>
  );
}

const columnChoices = [
  { value: 'all', label: 'All' },
  { value: 'shown', label: 'As in the table' },
] as const;

const formats = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'jsonl', label: 'JSON lines' },
] as const;

/** The fields behind the columns of the table; the username is always shown. */
function fieldsShown(names: readonly string[]): (typeof exportFields)[number][] {
  const shown = new Set(['username', ...names.flatMap((name) => fieldsBehind[name] ?? [])]);
  return exportFields.filter((field) => shown.has(field));
}

const fieldsBehind: Readonly<Record<string, readonly (typeof exportFields)[number][]>> = {
  email: ['email'],
  status: ['status'],
  expires: ['expiresAt'],
  plan: ['isTrial'],
  connections: ['maxConnections'],
  formats: ['hls', 'mpegTs'],
};

function Which({ query }: { query: ViewQuery }) {
  const statuses = useStatuses();
  const status = query.StatusId === undefined ? undefined : nameOfStatus(query.StatusId, statuses);
  const words = filterWords(query, status);
  return <p>{words.length > 0 ? `Filters: ${listWords(words)}.` : 'All subscribers, without a filter.'}</p>;
}

function Progress({ rows, of }: ExportProgress) {
  return (
    <div className="row">
      <progress
        aria-label="Subscribers exported"
        {...(of !== null && of > 0 && { value: rows, max: Math.max(of, rows) })}
      />
      <p>
        {grouped(rows)}
        {of !== null && ` of ${grouped(Math.max(of, rows))}`}
      </p>
    </div>
  );
}

/** How often the progress is drawn, in ms. */
const drawnEvery = 100;

/** One download at a time, which ends with the dialog. */
function useDownload(onDone: (rows: number) => void) {
  const { queryClient } = useApp();
  const [progress, setProgress] = useState<ExportProgress | null>(null);
  const [error, setError] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(query: ExportQuery & { format: ExportFormat }, reason: string): Promise<void> {
    const { signal } = (running.current = new AbortController());
    let drawn = Number.NEGATIVE_INFINITY;
    const onProgress = (next: ExportProgress) => {
      if (signal.aborted || (next.rows > 0 && performance.now() - drawn < drawnEvery)) return;
      drawn = performance.now();
      setProgress(next);
    };
    setError(null);
    try {
      const name = `subscribers-${localDay(Date.now())}.${query.format}`;
      const target = await chooseTarget(name, query.format);
      if (target === null || signal.aborted) return;
      setProgress({ rows: 0, of: null });
      onDone(await downloadExport(queryClient, query, { target, reason, signal, onProgress }));
    } catch (failure) {
      if (!signal.aborted) setError(`Nothing was saved. ${describeError(failure)}`);
    } finally {
      setProgress(null);
    }
  }

  return { progress, error, start };
}
