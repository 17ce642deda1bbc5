import { guessColumns } from '../../../src/app/bulk/import-columns.ts';
import { readBatches, summarizeFile, type Batch } from '../../../src/app/bulk/read-file.ts';

/** Reads a file as the import page does where nobody chooses other columns. */
export async function readFile(file: Blob) {
  const { format, headings, rows: count } = await summarizeFile(file);
  const columns = guessColumns(headings);
  const batches: Batch[] = [];
  for await (const batch of readBatches(file, { format, headings, columns, hidden: new Set() }))
    batches.push(batch);
  return { format, headings, columns, count, batches, rows: batches.flatMap(({ rows }) => rows) };
}
