import { useState } from 'react';
import * as z from 'zod/mini';
import { exportFields, exportFormats } from '../../contract/bff/export-format.ts';
import type { ViewQuery } from '../../contract/bff/view-bodies.ts';
import { usePermission } from '../api/session.ts';
import { useDownload, type Progress } from '../api/whole-file.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { useApp } from '../components/app-context.ts';
import { CheckBox } from '../components/check-box.tsx';
import { counted, grouped } from '../components/count.ts';
import { localDay } from '../components/exact-time.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { RadioGroup } from '../components/radio-group.tsx';
import { browserZone } from '../subscriber/extensions.ts';
import { filterWords } from '../subscriber/filter-words.ts';
import { listWords } from '../subscriber/field-text.ts';
import { nameOfStatus, useStatuses } from '../subscriber/status-badge.tsx';
import { saveSubscribers } from './download.ts';

interface ExportDialogProps {
  /** The filters and the order of the list. */
  query: ViewQuery;
  /** How many subscribers the list has; undefined until it is loaded. */
  count: number | undefined;
  /** The names of the columns that the table shows. */
  shown: readonly string[];
  onClose: () => void;
}

const exportSchema = z.object({
  columns: z.enum(['all', 'shown']),
  format: z.enum(exportFormats),
  zone: z.string(),
  lists: z.boolean(),
  tokens: z.boolean(),
  reason: z.string().check(z.trim()),
});

/** Asks for columns, format and times, and saves all subscribers of the list as a file. */
export function ExportDialog({ query, count, shown, onClose }: ExportDialogProps) {
  const { queryClient, toasts } = useApp();
  const zones = [...new Set([browserZone(), 'UTC'])].map((zone) => ({ value: zone, label: zone }));
  const canSeeTokens = usePermission('seeAccessToken').allowed;
  const [failure, setFailure] = useState<string | null>(null);
  const { progress, start } = useDownload({
    onDone(rows) {
      toasts.show('ok', `${counted(rows, 'subscriber')} exported.`);
      onClose();
    },
    onFailure: setFailure,
  });
  return (
    <FormDialog
      title={count === undefined ? 'Export subscribers' : `Export ${counted(count, 'subscriber')}`}
      action="Export"
      busyAction="Exporting…"
      schema={exportSchema}
      values={{ columns: 'all', format: 'csv', zone: browserZone(), lists: false, tokens: false, reason: '' }}
      acting={{ isBusy: progress !== null, done: '', failure, fields: noFields, unconfirmed: null }}
      canClose
      reasonFor={({ tokens, reason }) =>
        tokens && reason.trim() === '' ? 'Say why you need the access tokens.' : undefined
      }
      onSubmit={({ reason, columns, ...chosen }) => {
        setFailure(null);
        const fields = columns === 'all' ? exportFields : fieldsShown(shown);
        const name = `subscribers-${localDay(Date.now())}.${chosen.format}`;
        const wanted = { ...query, ...chosen, columns: [...fields] };
        void start((download) => saveSubscribers(queryClient, wanted, { ...download, name, reason }));
      }}
      onClose={onClose}
    >
      {(form, bind) => (
        <>
          <Which query={query} />
          {progress ? (
            <ProgressBar {...progress} />
          ) : (
            <>
              <RadioGroup label="Columns" inline options={columnChoices} {...bind('columns')} />
              <RadioGroup label="Format" inline options={formats} {...bind('format')} />
              <RadioGroup label="Times in" inline options={zones} {...bind('zone')} />
              <CheckBox {...form.register('lists')}>
                Add bundles, IP addresses, user agents and countries (slower)
              </CheckBox>
              {canSeeTokens && <CheckBox {...form.register('tokens')}>Add access tokens</CheckBox>}
              <ReasonField for="export" required={bind('tokens').value} {...bind('reason')} />
            </>
          )}
        </>
      )}
    </FormDialog>
  );
}

const noFields = {};

const columnChoices = [
  { value: 'all', label: 'All' },
  { value: 'shown', label: 'As in the table' },
] as const;

const formats = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'jsonl', label: 'JSON lines' },
] as const;

/** The fields behind the columns of the table; the username is always shown, and the version keeps old files from overwriting. */
function fieldsShown(names: readonly string[]): (typeof exportFields)[number][] {
  const shown = new Set(['username', 'version', ...names.flatMap((name) => fieldsBehind[name] ?? [])]);
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

function ProgressBar({ rows, of }: Progress) {
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
