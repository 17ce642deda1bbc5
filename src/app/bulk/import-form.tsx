import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { restoreText } from '../../contract/bff/csv.ts';
import { type ExportFormat, readHeading } from '../../contract/bff/export-format.ts';
import { importColumns, rowInFile, type ImportColumn } from '../../contract/bff/import.ts';
import { importModes, type ImportMode } from '../../contract/bff/job.ts';
import { useSession } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { ReasonField } from '../subscriber/change-dialog.tsx';
import { Button } from '../components/button.tsx';
import { TableFrame } from '../components/data-table.tsx';
import { Field, Form, RadioGroup } from '../components/field.tsx';
import { LeaveGuard } from '../components/leave-guard.tsx';
import { Notice } from '../components/notice.tsx';
import { Select } from '../components/select.tsx';
import { browserZone } from '../subscriber/extensions.ts';
import { importModeNames } from './state.tsx';
import type { ReadFile } from './send-file.ts';
import styles from './import-page.module.css';
import { fieldLabels } from '../../contract/service/subscriber-input.ts';

/** A form for the uses of the file's columns, and for what is done with its rows. */
export function ImportForm({ file }: { file: ReadFile }) {
  const { id, format, headings } = file;
  const navigate = useNavigate();
  const [columns, setColumns] = useState(() => guessColumns(headings));
  const [mode, setMode] = useState(() => guessMode(columns));
  const [zone, setZone] = useState(() => guessZone(headings) ?? browserZone());
  const [reason, setReason] = useState('');
  const preparing = useAction('createImport', {
    done: 'the import was prepared',
    check: 'Look at the jobs',
    // What was chosen is in the job now.
    onDone: ({ data }) => navigate({ to: '/jobs/$id', params: { id: data.id }, ignoreBlocker: true }),
  });
  const isChanged = reason.trim() !== '' || columns.join() !== guessColumns(headings).join();
  const obstacle = obstacleIn(columns, mode);
  return (
    <>
      <Form
        className="stack"
        onSubmit={() => {
          const given = reason.trim() && { reason: reason.trim() };
          if (obstacle === undefined && !preparing.isBusy)
            void preparing.run({ params: { id }, body: { mode, columns, zone, ...given } });
        }}
      >
        <fieldset className="stack" disabled={preparing.isBusy}>
          <ColumnsTable file={file} columns={columns} onChange={setColumns} />
          <p className="aside">{emptySentences[format]}</p>
          <RadioGroup<ImportMode>
            label="What to do with each row"
            value={mode}
            options={importModes.map((value) => ({ value, label: importModeNames[value] }))}
            onChange={setMode}
          />
          <p className="aside">{modeSentences[mode]}</p>
          <div className={`stack ${styles.narrow}`}>
            {columns.includes('expiresAt') && <ZoneField value={zone} onChange={setZone} />}
            <ReasonField value={reason} onChange={setReason} readOnly={preparing.isBusy} several />
          </div>
        </fieldset>
        <div role="alert">{preparing.failure && <Notice tone="bad">{preparing.failure}</Notice>}</div>
        <div className="row">
          <Button type="submit" variant="primary" busy={preparing.isBusy} reason={obstacle}>
            {preparing.isBusy ? 'Preparing…' : 'Preview'}
          </Button>
        </div>
        <p className="aside">
          {obstacle ??
            'Nothing is changed yet. The preview shows what would change, and you start it from there.'}
        </p>
      </Form>
      <LeaveGuard isUnsaved={() => isChanged} />
    </>
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

const helpOf: Readonly<Partial<Record<ImportColumn, string>>> = {
  bundles: 'Numbers, or names separated by semicolons.',
  version: 'Rows that someone changed since the export are skipped.',
};

/** Names of the uses of a column. */
const columnLabels: Readonly<Record<ImportColumn, string>> = {
  id: 'ID',
  ...fieldLabels,
  version: 'Version',
};

const uses = [
  { value: '', label: 'Not read' },
  ...importColumns.map((value) => ({ value, label: columnLabels[value] })),
];

/** A row for each column of the file: its heading, what it is for, and what its first cells have. */
function ColumnsTable(props: {
  file: ReadFile;
  columns: readonly (ImportColumn | null)[];
  onChange: (columns: (ImportColumn | null)[]) => void;
}) {
  const { columns } = props;
  const { format, headings, examples, numbers } = props.file;
  const statusHelp = useSession()?.statusHelp;
  return (
    <TableFrame
      label="Columns of the file"
      className={styles.columns}
      headings={[
        { label: 'Column in the file' },
        { label: 'Is for' },
        ...numbers.map((number) => ({ label: `Row ${rowInFile(number, format)}` })),
      ]}
      rows={headings}
      expected={0}
    >
      {(heading, index) => {
        const name = heading.trim() || `Column ${index + 1}`;
        const column = columns[index] ?? null;
        const explanation = column === null ? unreadReason(heading, statusHelp) : helpOf[column];
        return (
          <tr key={index} data-unread={column === null || undefined}>
            <th scope="row">{name}</th>
            <td>
              <Select
                disabled={isSecret(heading)}
                aria-label={`What “${name}” is for`}
                value={column ?? ''}
                options={uses}
                onChange={({ target: { value } }) => {
                  const chosen = importColumns.find((one) => one === value) ?? null;
                  props.onChange(columns.map((one, at) => (at === index ? chosen : one)));
                }}
              />
              {explanation && <p className="aside">{explanation}</p>}
            </td>
            {examples.map((cells, row) => {
              const text = isSecret(heading) ? '••••' : restoreText(cells[index] ?? '');
              return (
                <td key={row} className={`nowrap ${styles.example}`} title={text}>
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
    <Field
      label="Time zone"
      hint="For dates without an offset, such as 2026-12-31 22:00. A day without a time ends at 23:59:59."
    >
      {(parts) => (
        <Select
          {...parts}
          value={value}
          options={zones.map((zone) => ({ value: zone, label: zone }))}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Guesses the uses of columns from their headings; each field once. */
export function guessColumns(headings: readonly string[]): (ImportColumn | null)[] {
  const taken = new Set<string>();
  return headings.map((heading) => {
    const named = readHeading(heading)?.column.field;
    const field = importColumns.find((column) => column === named);
    if (field === undefined || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}

/** The time zone that a heading names, as "Expires (Europe/Oslo)". */
const guessZone = (headings: readonly string[]): string | null =>
  headings.map((heading) => readHeading(heading)?.zone ?? null).find((zone) => zone !== null) ?? null;

function guessMode(columns: readonly (ImportColumn | null)[]): ImportMode {
  return columns.includes('id') ? 'update' : 'upsert';
}

/**
 * Why a column of an export is not read; null for one that can be.
 *
 * @param statusHelp where a status is set
 */
function unreadReason(heading: string, statusHelp: string | undefined): string | null {
  const field = readHeading(heading)?.column.field;
  if (field === 'status') return statusHelp ?? null;
  if (field === 'accessToken') return 'Access tokens can only be regenerated.';
  return null;
}

/** True if a column has secrets, which stay in the file. */
const isSecret = (heading: string): boolean => readHeading(heading)?.column.field === 'accessToken';

/** A sentence on what has to be chosen before a file can be imported; undefined if nothing. */
function obstacleIn(columns: readonly (ImportColumn | null)[], mode: ImportMode): string | undefined {
  const twice = columns.find((column, index) => column !== null && columns.indexOf(column) < index);
  if (twice) return `Two columns are for “${columnLabels[twice]}”. Choose one of them.`;
  const needed = mode === 'update' ? 'id' : 'username';
  if (!columns.includes(needed)) return `Choose which column is for “${columnLabels[needed]}”.`;
  if (mode === 'update' && columns.every((column) => [null, needed, 'version'].includes(column)))
    return 'Choose at least one column with something to change.';
  return undefined;
}
