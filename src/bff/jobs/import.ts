import * as z from 'zod/mini';
import { restoreText } from '../../contract/bff/csv.ts';
import { readHeading } from '../../contract/bff/export-format.ts';
import { rowInFile, type ImportColumn, type ImportRow, type NewImport } from '../../contract/bff/job.ts';
import { ListQuery } from '../../contract/service/list-query.ts';
import { CreateBody, type UpdateBody } from '../../contract/service/subscriber-input.ts';
import { listNames, type SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { CurrentRecord } from '../journal/change-request.ts';
import { gone, left, planUpdate, sentencesOf, type Plan } from './plan.ts';

/** A row of a file, read: the subscriber that it names, and the fields that it gives. */
interface ImportedRow {
  id: number | null;
  username: string;
  /** Of the right types; the rules are checked later. */
  fields: UpdateBody;
}

/** A username that the service can be asked for. */
const Findable = z.object({ username: ListQuery.shape.Username });

/** Fields that a lone `-` empties. */
const emptied: Readonly<Partial<Record<ImportColumn, unknown>>> = {
  note: '',
  ...Object.fromEntries(listNames.map((name) => [name, []])),
};

/**
 * Reads the cells of a row. An empty cell gives nothing, a lone `-` empties.
 *
 * @returns a sentence for each cell that cannot be read, with its heading
 */
export function readRow(
  cells: readonly string[],
  { columns, headings, zone }: Pick<NewImport, 'columns' | 'headings' | 'zone'>,
): ImportedRow | { problems: string[] } {
  const values: Partial<Record<ImportColumn, unknown>> = {};
  const problems: string[] = [];
  if (cells.length > columns.length) problems.push(`This row has more cells than the file has columns.`);
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (name === null || cell.trim() === '') continue;
    if (cell.trim() === '-' && name in emptied) {
      values[name] = emptied[name];
      continue;
    }
    const heading = readHeading(name);
    const read = heading?.column.read(restoreText(cell), { zone }) ?? { problem: 'This column is unknown.' };
    if ('value' in read) values[name] = read.value;
    else problems.push(`${headings[index] ?? name}: ${read.problem}`);
  }
  const { id, ...fields } = values;
  if (id !== undefined && !(Number.isSafeInteger(id) && Number(id) >= 1))
    problems.push('ID: Use a whole number, 1 or higher.');
  if (problems.length > 0) return { problems };
  return {
    id: id === undefined ? null : Number(id),
    username: typeof fields.username === 'string' ? fields.username.trim() : '',
    fields: fields as UpdateBody,
  };
}

/** What a row of a file is to do. */
interface ImportPlan {
  of: { id: number; username: string };
  version: string | null;
  plan: Plan;
  record: SubscriberDetail | null;
}

/**
 * Creates a function that says what each row of a file is to do. Each subscriber may be in it once.
 *
 * @param service finds the id of a username, and reads the record of an id; null where there is none
 */
export function createImport(
  file: NewImport,
  service: {
    find: (username: string) => Promise<number | null>;
    read: (id: number) => Promise<CurrentRecord | null>;
  },
): (number: number, cells: ImportRow) => Promise<ImportPlan> {
  const seen = new Map<string, number>();
  return async (number, cells) => {
    if ('problem' in cells) return problem(cells.problem);
    const row = readRow(cells, file);
    if ('problems' in row) return problem(row.problems.join(' '));
    const { id, username, fields } = row;
    const isById = file.mode === 'update';
    const findable = Findable.safeParse({ username });
    if (!isById && !findable.success) return problem(sentencesOf(findable.error.issues), username);
    if (isById ? id === null : username === '')
      return problem(isById ? 'ID: Enter the ID of a subscriber.' : 'Username: Enter a username.', username);
    const key = isById ? `#${id}` : username.toLowerCase();
    const earlier = seen.get(key);
    // A row is read again where the service did not answer.
    if (earlier !== undefined && earlier !== number)
      return problem(
        `This subscriber is in row ${rowInFile(earlier, file.format)}, too. Remove one of them.`,
        username,
      );
    seen.set(key, number);
    const found = isById ? id : await service.find(username);
    if (file.mode === 'create' && found !== null)
      return problem('Username: A subscriber with this username exists already.', username);
    if (found === null) return planCreation(username, fields);
    const current = await service.read(found);
    if (!current) return { of: { id: found, username }, version: null, plan: unknownId, record: null };
    const { record, version } = current;
    // Found by the username, however its letters are written.
    const { username: _, ...others } = fields;
    return { of: record, version, plan: planUpdate(record, isById ? fields : others), record };
  };
}

const unknownId: Plan = { ...gone, detail: 'ID: There is no subscriber with this ID.' };

/** A row that says too little, or something wrong. */
const problem = (sentence: string, username = ''): ImportPlan => ({
  of: { id: 0, username },
  version: null,
  plan: left('skipped', 'invalid-input', sentence),
  record: null,
});

function planCreation(username: string, fields: ImportedRow['fields']): ImportPlan {
  const checked = CreateBody.safeParse(fields);
  const plan: Plan = checked.success
    ? { result: 'change', why: null, detail: null, before: null, after: checked.data }
    : left('skipped', 'invalid-input', sentencesOf(checked.error.issues));
  return { of: { id: 0, username }, version: null, plan, record: null };
}
