import type { Transaction } from 'kysely';
import type { ImportFile } from '../../contract/bff/import.ts';
import { Answer } from '../../contract/http/answer.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { staffIdOf, type CurrentUser } from '../current-user.ts';
import type { BffHandlers } from '../http/router.ts';
import type { JobRouteParts } from '../jobs/routes.ts';
import { checkKind } from '../jobs/prepare.ts';
import { beginJob, noSuchFile } from '../jobs/routes.ts';
import type { ImportedFile } from '../jobs/schema.ts';
import { givenUp } from '../jobs/delete-old.ts';
import { lockRow } from '../lock-row.ts';
import type { BffTables, BffDb } from '../schema.ts';
import {
  numberRows,
  readText,
  rowsRead,
  shownCells,
  unread,
  type FileState,
  type StoredPart,
} from './read-text.ts';

/** Most files of an account that wait to be prepared. */
const filesAtOnce = 5;

/** Rows that are shown before somebody has said what the columns are for. */
const exampleRows = 5;

/** Takes files in parts, each of which is read when it arrives, and makes jobs of them. */
export function createImportRoutes(parts: JobRouteParts) {
  const { db, clock, random } = parts;
  return {
    async addImport({ body: { name } }, _, user) {
      checkKind(user, 'import');
      const [id, state] = [toBase64url(random(12)), unread(name)];
      const row = { id, staff_id: staffIdOf(user), created_at: clock(), state: JSON.stringify(state) };
      await db.transaction().execute(async (tx) => {
        await giveUpOldest(tx, row.staff_id);
        await tx.insertInto('imports').values(row).execute();
      });
      return new Answer(toImportFile(id, state), { status: 201 });
    },
    async addImportText({ params: { id }, body: { at, text, isLast } }, _, user) {
      return db.transaction().execute(async (tx) => {
        const before = await lockImport(tx, id, user);
        // Sent again, because its answer was lost.
        if (before.isRead || at < before.at) return toWholeFile(tx, id, before);
        if (at > before.at) throw invalidField('at', `The file is read up to ${before.at} only.`);
        const { state, rows } = readText(before, text, isLast);
        if (rows.length > 0) {
          const part = { import_id: id, first: rowsRead(before) + 1, rows: JSON.stringify(rows) };
          await tx.insertInto('import_parts').values(part).execute();
        }
        await tx.updateTable('imports').set('state', JSON.stringify(state)).where('id', '=', id).execute();
        return toWholeFile(tx, id, state);
      });
    },
    async createImport({ params: { id }, body: { reason = null, ...plan } }, context, user) {
      return beginJob(parts, context, user, 'import', async (tx) => {
        const { isRead, format, headings, rows } = await lockImport(tx, id, user);
        // Sent again, because its answer was lost.
        const known = tx.selectFrom('jobs').select('id').where('id', '=', id);
        if (await known.executeTakeFirst())
          throw new Problem(
            'wrong-job-state',
            'There is a job of this file already. Look at the list of jobs.',
          );
        if (!isRead || format === null)
          throw new Problem('wrong-job-state', 'This file is not read to its end yet.');
        if (plan.columns.length !== headings.length)
          throw invalidField('columns', `Say what each of the ${headings.length} columns is for.`);
        const file: ImportedFile = { ...plan, format, headings, rows };
        return { id, file: JSON.stringify(file), reason: reason || null, total: rows };
      });
    },
  } satisfies Partial<BffHandlers>;
}

/** @throws {Problem} `no-such-job` if somebody else sends it, or it was given up */
async function lockImport(tx: Transaction<BffTables>, id: string, user: CurrentUser): Promise<FileState> {
  const found = await lockRow(tx, 'imports', { id, staff_id: staffIdOf(user) });
  if (!found) throw noSuchFile();
  return JSON.parse(found.state) as FileState;
}

const toImportFile = (id: string, { at, rows }: FileState): ImportFile => ({ id, at, rows, summary: null });

/** With a summary, if it is read to its end. */
async function toWholeFile(db: BffDb, id: string, state: FileState): Promise<ImportFile> {
  const { format, headings, isRead } = state;
  if (!isRead || format === null) return toImportFile(id, state);
  const parts = db.selectFrom('import_parts').select('rows').where('import_id', '=', id);
  const first = await parts.orderBy('first').limit(exampleRows).execute();
  const rows = numberRows(
    first.flatMap(({ rows: some }) => JSON.parse(some) as StoredPart),
    0,
  );
  const shown = rows.slice(0, exampleRows);
  const examples = shown.map(({ row }) => [...shownCells(state, row)]);
  const numbers = shown.map(({ number }) => number);
  return { ...toImportFile(id, state), summary: { format, headings, examples, numbers } };
}

/** Gives up the files of an account that wait to be prepared, but for the newest ones. */
async function giveUpOldest(db: BffDb, staffId: string): Promise<void> {
  const waiting = db
    .selectFrom('imports')
    .select('id')
    .where('staff_id', '=', staffId)
    .where('id', 'not in', (row) => row.selectFrom('jobs').select('id'));
  const old = waiting
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1_000)
    .offset(filesAtOnce - 1);
  await db.updateTable('imports').set(givenUp).where('id', 'in', old).execute();
}
