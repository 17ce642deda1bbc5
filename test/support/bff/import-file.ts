import type { z } from 'zod/mini';
import { cellsOf } from '../../../src/bff/imports/json-lines.ts';
import { numberRows, readText, unread, type StoredRow } from '../../../src/bff/imports/read-text.ts';
import { guessColumns } from '../../../src/app/bulk/import-form.tsx';
import type { ImportPlan } from '../../../src/contract/bff/import.ts';
import type { Person } from './person.ts';

/** Reads a text as it is read when it arrives in requests with so many characters. */
export function readParts(text: string, { name = 'people', size = 65_000 } = {}) {
  let state = unread(name);
  const rows: StoredRow[] = [];
  while (!state.isRead) {
    const part = text.slice(state.at, state.at + size);
    const next = readText(state, part, state.at + part.length === text.length);
    rows.push(...numberRows(next.rows, 0).map(({ row }) => row));
    state = next.state;
  }
  return { ...state, rows };
}

/** The rows of a text as cells, where nobody chooses other columns. */
export function cellsIn(text: string, options: Parameters<typeof readParts>[1] = {}) {
  const { format, headings, rows } = readParts(text, options);
  const columns = guessColumns(headings);
  const cells = rows.map((row) =>
    'problem' in row || format === 'csv' ? (row as string[]) : cellsOf(row, columns, headings),
  );
  return { format, headings, columns, rows: cells };
}

/** Sends a file. */
export async function sendText(
  { bff }: Pick<Person, 'bff'>,
  text: string,
  { name = 'people', size = 30_000 } = {},
) {
  let file = (await bff.addImport({ body: { name } })).data;
  while (file.summary === null) {
    const { id, at } = file;
    const body = { at, text: text.slice(at, at + size), isLast: at + size >= text.length };
    file = (await bff.addImportText({ params: { id }, body })).data;
  }
  return { ...file, summary: file.summary };
}

/** Sends a file, and makes a job of it. */
export async function importText(
  person: Pick<Person, 'bff'>,
  text: string,
  plan: z.input<typeof ImportPlan>,
  name?: string,
) {
  const { id } = await sendText(person, text, name === undefined ? {} : { name });
  return (await person.bff.createImport({ params: { id }, body: plan })).data;
}
