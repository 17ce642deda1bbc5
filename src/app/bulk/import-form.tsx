import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { restoreText } from '../../contract/bff/csv.ts';
import type { ExportFormat } from '../../contract/bff/export-format.ts';
import {
  importColumns,
  importModes,
  rowInFile,
  type ImportColumn,
  type ImportMode,
} from '../../contract/bff/job.ts';
import { useSession } from '../api/session.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { useApp } from '../components/app-context.ts';
import { Button } from '../components/button.tsx';
import { grouped } from '../components/count.ts';
import { TableFrame } from '../components/data-table.tsx';
import { describeError } from '../api/errors.ts';
import { Field, inputClass } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { RadioGroup } from '../components/radio-group.tsx';
import { browserZone } from '../subscriber/extensions.ts';
import { importModeNames } from './descriptions.ts';
import {
  columnLabels,
  guessColumns,
  guessMode,
  guessZone,
  isSecret,
  obstacleIn,
  whyNotRead,
} from './import-columns.ts';
import { FileProblem } from './file-problem.ts';
import type { FileSummary } from './read-file.ts';
import { sendFile, type FileToSend } from './send-file.ts';
import jobStyles from './jobs.module.css';
import styles from './import-page.module.css';

/** What the columns of a file are for, and what is done with its rows. */
export function ImportForm(props: {
  file: File;
  summary: FileSummary;
  isSending: boolean;
  onSending: (isSending: boolean) => void;
}) {
  const { format, headings, rows } = props.summary;
  const [columns, setColumns] = useState(() => guessColumns(headings));
  const [mode, setMode] = useState(() => guessMode(columns));
  const [zone, setZone] = useState(() => guessZone(headings) ?? browserZone());
  const [reason, setReason] = useState('');
  const sending = useSending(props.onSending);
  const obstacle = obstacleIn(columns, mode);
  const send = () => {
    if (obstacle !== undefined || sending.isPending) return;
    const hidden = new Set(
      headings.flatMap((heading, index) => (isSecret(heading) && columns[index] === null ? [index] : [])),
    );
    const named = headings.map((heading) => heading.slice(0, 200));
    const why = reason.trim() && { reason: reason.trim() };
    sending.mutate({
      file: props.file,
      reading: { format, headings, columns, hidden },
      how: { mode, format, columns, headings: named, zone, rows, ...why },
    });
  };
  return (
    <form
      className={jobStyles.preview}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <fieldset className={jobStyles.preview} disabled={sending.isPending}>
        <ColumnsTable summary={props.summary} columns={columns} onChange={setColumns} />
        <p className={jobStyles.aside}>{emptySentences[format]}</p>
        <RadioGroup<ImportMode>
          label="What to do with each row"
          value={mode}
          options={importModes.map((value) => ({ value, label: importModeNames[value] }))}
          onChange={setMode}
        />
        <p className={jobStyles.aside}>{modeSentences[mode]}</p>
        <div className={`${jobStyles.preview} ${styles.narrow}`}>
          {columns.includes('expiresAt') && <ZoneField value={zone} onChange={setZone} />}
          <ReasonField value={reason} onChange={setReason} readOnly={sending.isPending} several />
        </div>
      </fieldset>
      <div role="alert">{sending.error && <Notice tone="bad">{sending.error}</Notice>}</div>
      {sending.isPending && (
        <div className={jobStyles.progress}>
          <progress aria-label="Rows sent" value={sending.sent} max={rows} />
          <p>
            {grouped(sending.sent)} of {grouped(rows)} rows sent
          </p>
        </div>
      )}
      <div className={jobStyles.actions}>
        <Button type="submit" look="primary" busy={sending.isPending} reason={obstacle}>
          {sending.isPending ? 'Sending…' : 'Preview'}
        </Button>
        {sending.isPending && <Button onClick={sending.cancel}>Cancel</Button>}
      </div>
      <p className={jobStyles.aside}>
        {obstacle ??
          'Nothing is changed yet. The preview shows what would change, and you start it from there.'}
      </p>
    </form>
  );
}

const emptySentences: Readonly<Record<ExportFormat, string>> = {
  csv: 'An empty cell keeps what is there. A cell with only a hyphen (-) empties a note or a list.',
  jsonl:
    'A value that is missing or null keeps what is there. An empty text or list empties a note or a list.',
};

const modeSentences: Readonly<Record<ImportMode, string>> = {
  update: 'Rows whose ID doesn’t exist are skipped.',
  upsert: 'A row with a new username creates a subscriber.',
  create: 'Rows whose username exists already are skipped.',
};

/** Sends the file, then goes to the page of the job. Leaving the page cancels it, because the rest would be lost. */
function useSending(onSending: (isSending: boolean) => void) {
  const { queryClient } = useApp();
  const navigate = useNavigate();
  const [sent, setSent] = useState(0);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const sending = useMutation({
    mutationKey: ['createImport'],
    mutationFn: (wish: FileToSend) => {
      controller.current = new AbortController();
      setSent(0);
      onSending(true);
      return sendFile(queryClient, wish, { signal: controller.current.signal, onSent: setSent });
    },
    meta: { invalidates: ['listJobs'] },
    onSuccess: async ({ id }) => navigate({ to: '/jobs/$id', params: { id } }),
    onSettled: () => onSending(false),
  });
  const { error } = sending;
  const isCancelled = error?.name === 'AbortError';
  return {
    sent,
    isPending: sending.isPending,
    error: !error || isCancelled ? null : error instanceof FileProblem ? error.message : describeError(error),
    mutate: (wish: FileToSend) => sending.mutate(wish),
    cancel: () => controller.current?.abort(),
  };
}

/** A row for each column of the file: its heading, what it is for, and what its first cells have. */
function ColumnsTable(props: {
  summary: FileSummary;
  columns: readonly (ImportColumn | null)[];
  onChange: (columns: (ImportColumn | null)[]) => void;
}) {
  const { columns } = props;
  const { format, headings, examples } = props.summary;
  const statusHelp = useSession()?.statusHelp;
  return (
    <TableFrame
      label="Columns of the file"
      className={styles.columns}
      headings={[
        { label: 'Column in the file' },
        { label: 'Is for' },
        ...examples.map((_, index) => ({ label: `Row ${rowInFile(index + 1, format)}` })),
      ]}
      rows={headings}
      expected={0}
    >
      {(heading, index) => {
        const name = heading.trim() || `Column ${index + 1}`;
        const column = columns[index] ?? null;
        const why = column === null ? whyNotRead(heading, statusHelp) : null;
        return (
          <tr key={index} data-unread={column === null || undefined}>
            <th scope="row">{name}</th>
            <td>
              <select
                aria-label={`What “${name}” is for`}
                className={inputClass}
                value={column ?? ''}
                onChange={({ target: { value } }) => {
                  const chosen = importColumns.find((one) => one === value) ?? null;
                  props.onChange(columns.map((one, at) => (at === index ? chosen : one)));
                }}
              >
                <option value="">Not read</option>
                {importColumns.map((one) => (
                  <option key={one} value={one}>
                    {columnLabels[one]}
                  </option>
                ))}
              </select>
              {why !== null && <p className={jobStyles.aside}>{why}</p>}
            </td>
            {examples.map((cells, row) => {
              const text = isSecret(heading) && cells[index] ? '••••' : restoreText(cells[index] ?? '');
              return (
                <td key={row} className={styles.example} title={text}>
                  {text}
                </td>
              );
            })}
          </tr>
        );
      }}
    </TableFrame>
  );
}

/** The zone of dates that name none. */
function ZoneField({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const zones = [...new Set([value, browserZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <Field label="Time zone" hint="For dates without an offset, such as 2026-12-31 22:00.">
      {(parts) => (
        <select
          {...parts}
          className={inputClass}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {zones.map((zone) => (
            <option key={zone}>{zone}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
