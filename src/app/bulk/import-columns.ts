import { readHeading } from '../../contract/bff/export-format.ts';
import { importColumns, type ImportColumn } from '../../contract/bff/import.ts';
import type { ImportMode } from '../../contract/bff/job.ts';
import { fieldLabels } from '../../contract/service/field-labels.ts';

/** Names of the uses of a column. */
export const columnLabels: Readonly<Record<ImportColumn, string>> = {
  id: 'ID',
  ...fieldLabels,
  version: 'Version',
};

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
export const guessZone = (headings: readonly string[]): string | null =>
  headings.map((heading) => readHeading(heading)?.zone ?? null).find((zone) => zone !== null) ?? null;

export function guessMode(columns: readonly (ImportColumn | null)[]): ImportMode {
  return columns.includes('id') ? 'update' : 'upsert';
}

/**
 * Why a column of an export is not read; null for one that can be.
 *
 * @param statusHelp where a status is set
 */
export function unreadReason(heading: string, statusHelp: string | undefined): string | null {
  const field = readHeading(heading)?.column.field;
  if (field === 'status') return statusHelp ?? null;
  if (field === 'accessToken') return 'Access tokens can only be regenerated.';
  return null;
}

/** True if a column has secrets, which stay in the file. */
export const isSecret = (heading: string): boolean => readHeading(heading)?.column.field === 'accessToken';

/** A sentence on what has to be chosen before a file can be imported; undefined if nothing. */
export function obstacleIn(columns: readonly (ImportColumn | null)[], mode: ImportMode): string | undefined {
  const twice = columns.find((column, index) => column !== null && columns.indexOf(column) < index);
  if (twice) return `Two columns are for “${columnLabels[twice]}”. Choose one of them.`;
  const needed = mode === 'update' ? 'id' : 'username';
  if (!columns.includes(needed)) return `Choose which column is for “${columnLabels[needed]}”.`;
  if (mode === 'update' && columns.every((column) => [null, needed, 'version'].includes(column)))
    return 'Choose at least one column with something to change.';
  return undefined;
}
