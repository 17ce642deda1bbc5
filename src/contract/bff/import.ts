import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { wholeNumber } from '../http/shapes.ts';
import { enteredFields } from '../service/subscriber-input.ts';
import { exportFormats, type ExportFormat } from './export-format.ts';
import { importModes, jobLimits, reason, zone } from './job.ts';

/**
 * The most bytes of a file, rows below its headings, columns, and characters of a cell and of a heading. An export writes up to
 * 25,699 into a cell: a list of user agents.
 */
export const importLimits = {
  size: 50_000_000,
  rows: jobLimits.subscribers,
  columns: 100,
  cell: 30_000,
  heading: 200,
} as const;

/**
 * The columns that an import can have. Status and access token are the service's to set. The version, which an export writes,
 * says what was there then, and is not set.
 */
export const importColumns = ['id', ...enteredFields, 'version'] as const;
export type ImportColumn = (typeof importColumns)[number];

/** Where a file has a row, by the row's number from 1, counting blank ones: in CSV, the headings are one more. */
export const rowInFile = (number: number, of: ExportFormat): number => (of === 'csv' ? number + 1 : number);

/** A file that is going to be sent. Its name may say that it has JSON lines. */
export const NewImport = z.strictObject({ name: z.string().check(z.maxLength(1000)) });

/** The next part of the file's text. */
export const ImportText = z.strictObject({
  /** Number of characters of the file before it. */
  at: wholeNumber(0, importLimits.size),
  text: z.string(),
  /** True if the file ends with it. */
  isLast: z.boolean(),
});

/** State of a file that is being read. */
export const ImportFile = z.object({
  id: z.string(),
  /** Number of characters read: only whole rows are, and the next text begins there. */
  at: z.int(),
  /** Number of rows, without the headings. */
  rows: z.int(),
  /** Null until it is read to its end. */
  summary: z.nullable(
    z.object({
      format: z.enum(exportFormats),
      /** The first row of CSV; all names that objects have in JSON lines. */
      headings: z.array(z.string()),
      /** The first rows, and their numbers. The cells of access tokens are not stored, so they are empty. */
      examples: z.array(z.array(z.string())),
      numbers: z.array(z.int()),
    }),
  ),
});
export type ImportFile = z.infer<typeof ImportFile>;
export type FileSummary = NonNullable<ImportFile['summary']>;

/** Instructions for a file that was read to its end. Then it is prepared like any other job. */
export const ImportPlan = z
  .strictObject({
    mode: z.enum(importModes, `Choose one of: ${importModes.join(', ')}.`),
    /** The use of each column of the file, from the left; null for one that is not read. */
    columns: z
      .array(z.nullable(z.enum(importColumns, `Choose one of: ${importColumns.join(', ')}.`)))
      .check(z.maxLength(importLimits.columns)),
    /** The zone of dates without an offset. */
    zone,
    reason,
  })
  .check(
    z.refine(({ columns }) => hasNoRepetition(columns), {
      error: 'Two columns are for the same field. Choose one of them.',
      path: ['columns'],
    }),
    z.refine(({ mode, columns }) => columns.includes(mode === 'update' ? 'id' : 'username'), {
      error: 'Choose the column with the ID to update, or with the username to create.',
      path: ['columns'],
    }),
  );
export type ImportPlan = z.infer<typeof ImportPlan>;

function hasNoRepetition(columns: readonly (string | null)[]): boolean {
  const named = columns.filter((name) => name !== null);
  return new Set(named).size === named.length;
}
