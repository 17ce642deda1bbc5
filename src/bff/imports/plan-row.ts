import * as z from 'zod/mini';
import { restoreText } from '../../contract/bff/csv.ts';
import { isVersionOf, readHeading, type ReadContext } from '../../contract/bff/export-format.ts';
import { rowInFile, type ImportColumn } from '../../contract/bff/import.ts';
import { ListQuery } from '../../contract/service/list-query.ts';
import { CreateBody, emptyValues, type UpdateBody } from '../../contract/service/subscriber-input.ts';
import { statusOfActive } from '../../contract/service/limits.ts';
import { searchablePart, searchText } from '../../contract/service/search-text.ts';
import { absent, planUpdate, sentencesOf, withoutChange, type Plan, type PreparedRow } from '../jobs/plan.ts';
import type { ImportedFile } from '../jobs/schema.ts';
import type { CurrentRecord } from '../journal/change-request.ts';
import type { ColumnForm } from './column-forms.ts';
import { cellsOf } from './json-lines.ts';
import type { StoredRow } from './read-text.ts';

/** A row of a file, read: the subscriber that it names, and the fields that it gives. */
interface ImportedRow {
  id: number | null;
  username: string;
  /** As the export wrote it; null without one. */
  version: string | null;
  /** Fields of the right types; the rules are checked later. */
  fields: UpdateBody;
}

/** A file whose rows are planned, and how its columns are written. */
type FileToPlan = ImportedFile & ReadContext & { forms: readonly (ColumnForm | null)[] };

/** A username that the service can be asked for. */
const Findable = z.object({ username: ListQuery.shape.Username });

/**
 * Reads the cells of a row. An empty cell gives nothing, a lone `-` empties.
 *
 * @returns a sentence for each cell that cannot be read, with its heading
 */
export function readRow(
  cells: readonly string[],
  { columns, headings, forms, ...reading }: Pick<FileToPlan, 'columns' | 'headings' | 'forms'> & ReadContext,
): ImportedRow | { problem: string } {
  const values: Partial<Record<ImportColumn, unknown>> = {};
  const problems: string[] = [];
  if (cells.length > columns.length) problems.push(`This row has more cells than the file has columns.`);
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (name === null || cell.trim() === '') continue;
    if (cell.trim() === '-' && name in emptyValues) {
      values[name] = emptyValues[name];
      continue;
    }
    const heading = readHeading(name);
    const text = restoreText(cell);
    const read = heading?.column.read(forms[index]?.translate(text) ?? text, reading) ?? {
      problem: 'This column is unknown.',
    };
    if ('value' in read) values[name] = read.value;
    else problems.push(`${headings[index] ?? name}: ${read.problem}`);
  }
  const { id, version, ...fields } = values;
  if (id !== undefined && !(Number.isSafeInteger(id) && Number(id) >= 1))
    problems.push('ID: Use a whole number, 1 or higher.');
  if (problems.length > 0) return { problem: problems.join(' ') };
  return {
    id: id === undefined ? null : Number(id),
    username: typeof fields.username === 'string' ? fields.username.trim() : '',
    version: typeof version === 'string' ? version : null,
    fields: fields as UpdateBody,
  };
}

/**
 * Creates a function that says what each row of a file is to do. Each subscriber may be in it once.
 *
 * @param service finds the ids of a username, and reads the record of an id; null where there is none; its statuses are the ids
 *   by what a cell may have
 */
export function createPlanRow(
  file: FileToPlan,
  service: {
    find: (username: string) => Promise<number[]>;
    read: (id: number) => Promise<CurrentRecord | null>;
    statuses: ReadonlyMap<string, number>;
  },
): (number: number, stored: StoredRow) => Promise<PreparedRow> {
  const isById = file.mode === 'update';
  const seen = new Map<string, number>();
  /** The row, other than this one, that has the subscriber too, or gives the same username to another one. */
  const earlierRow = (key: string, number: number) => {
    const earlier = seen.get(key);
    // A row is read again where the service did not answer.
    if (earlier !== undefined && earlier !== number) return rowInFile(earlier, file.format);
    seen.set(key, number);
    return null;
  };
  const statusColumns = file.headings.flatMap((heading, index) =>
    file.columns[index] === null && readHeading(heading)?.column.field === 'status' ? [index] : [],
  );
  const withStatus = (prepared: PreparedRow, cells: readonly string[]): PreparedRow => {
    const { plan: planned, current } = prepared;
    const named = statusColumns.map((index) =>
      service.statuses.get((cells[index] ?? '').trim().toLowerCase()),
    );
    const own = current?.record.status ?? service.statuses.get(statusOfActive.toLowerCase());
    const isOther = named.some((status) => status !== undefined && status !== own);
    if (!isOther || planned.result === 'skipped') return prepared;
    const end = current ? 'it stays as it is' : 'a new subscriber gets the usual one';
    const why = planned.result === 'unchanged' ? 'status-not-imported' : null;
    return {
      ...prepared,
      plan: { ...planned, why, detail: `Status: A status can’t be imported, so ${end}.` },
    };
  };
  const plan = async (number: number, row: ImportedRow): Promise<PreparedRow> => {
    const { id, username, version, fields } = row;
    const isOld = version !== null && file.anyway !== true;
    const findable = Findable.safeParse({ username });
    if (!isById && !findable.success) return faulty(sentencesOf(findable.error.issues), username);
    if (isById ? id === null : username === '')
      return faulty(isById ? blankId : 'Username: Enter a username.', username);
    if (!isById && searchablePart(username) === '') return faulty(withoutWords, username);
    const earlier = earlierRow(isById ? `#${id}` : searchText(username), number);
    if (earlier !== null)
      return faulty(`This subscriber is in row ${earlier}, too. Remove one of them.`, username);
    // Before anything is read: rows are planned beside each other, and the earlier one is to get the name.
    const sameName = isById && username !== '' ? earlierRow(searchText(username), number) : null;
    const [found = null, another] = id !== null && isById ? [id] : await service.find(username);
    if (file.mode === 'create' && found !== null) return faulty(takenBy(found, username), username);
    if (found !== null && another !== undefined) return faulty(sameNames(found, another, username), username);
    // Who was exported was there.
    if (found === null && isOld && file.mode === 'upsert')
      return { of: { id: 0, username }, plan: changedSince('Deleted or renamed since the export.') };
    if (found === null) return planCreation(username, fields);
    const current = await service.read(found);
    if (!current) return { of: { id: found, username }, plan: unknownId };
    // Found by the username, however its letters are written.
    const { username: _, ...others } = fields;
    const planned = planUpdate(current.record, isById ? fields : others);
    if (isOld && planned.result === 'change' && !isVersionOf(version, current.record))
      return { of: current.record, plan: changedSince('Changed since the export.'), current };
    const taken = planned.after?.username === undefined ? null : await conflictOf(sameName, found, username);
    return { of: current.record, plan: taken === null ? planned : invalid(taken), current };
  };
  /** Why a subscriber cannot get a username, in a sentence; null if nobody else has it. */
  const conflictOf = async (sameName: number | null, id: number, username: string) => {
    const owner = (await service.find(username)).find((one) => one !== id);
    if (owner !== undefined) return takenBy(owner, username);
    return sameName === null ? null : `Username: Row ${sameName} has this username, too. Change one of them.`;
  };
  return async (number, stored) => {
    const cells = 'problem' in stored ? stored : cellsIn(file, stored);
    const row = 'problem' in cells ? cells : readRow(cells, file);
    const prepared = 'problem' in row ? faulty(row.problem, nameIn(file, stored)) : await plan(number, row);
    if (prepared.plan.why !== 'invalid-input')
      return 'problem' in cells ? prepared : withStatus(prepared, cells);
    const source = 'problem' in cells ? [] : cells;
    // Of whom it is, also where it cannot be done: its cells are erased with all else about them.
    const id = prepared.of.id || (isById ? idIn(file, stored) : 0);
    return { ...prepared, of: { ...prepared.of, id }, source };
  };
}

const withoutWords = 'Username: Use at least one letter, digit or sign.';

const blankId =
  'ID: Enter the ID of a subscriber. To create new ones, choose the file again, and “Update or create by username”.';

/** Name of the subscriber in a row that cannot be read, as far as it says so. */
export function nameIn({ columns }: ImportedFile, row: StoredRow): string {
  if ('problem' in row) return '';
  const [username = '', id = ''] = (['username', 'id'] as const).map((name) => {
    const value = row[columns.indexOf(name)];
    return typeof value === 'string' || typeof value === 'number' ? restoreText(String(value)).trim() : '';
  });
  return (username || (id && `#${id}`)).slice(0, 100);
}

/** The ID in such a row; 0 if it has none. */
export function idIn({ columns }: Pick<ImportedFile, 'columns'>, row: StoredRow): number {
  const cell = 'problem' in row ? null : row[columns.indexOf('id')];
  const id = Number(typeof cell === 'string' ? restoreText(cell).trim() : cell);
  return Number.isSafeInteger(id) && id > 0 ? id : 0;
}

/** The cells of CSV are texts. */
const cellsIn = ({ format, columns, headings }: ImportedFile, row: Exclude<StoredRow, { problem: string }>) =>
  format === 'csv' ? (row as readonly string[]) : cellsOf(row, columns, headings);

const unknownId: Plan = { ...absent, detail: 'ID: There is no subscriber with this ID.' };

const takenBy = (id: number, username: string) =>
  `Username: Subscriber #${id} has “${username}” already. Choose another.`;

const sameNames = (one: number, other: number, username: string) =>
  `Username: Subscribers #${one} and #${other} both have “${username}”. Update them by ID.`;

const changedSince = (sentence: string) => withoutChange('skipped', 'changed-since-export', sentence);

const invalid = (sentence: string) => withoutChange('skipped', 'invalid-input', sentence);

/** A row that says too little, or something wrong. */
const faulty = (sentence: string, username = ''): PreparedRow => ({
  of: { id: 0, username },
  plan: invalid(sentence),
});

function planCreation(username: string, fields: ImportedRow['fields']): PreparedRow {
  const checked = CreateBody.safeParse(fields);
  if (!checked.success) return faulty(sentencesOf(checked.error.issues), username);
  return {
    of: { id: 0, username },
    plan: { result: 'change', why: null, detail: null, before: null, after: checked.data },
  };
}
