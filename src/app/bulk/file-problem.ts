import { grouped } from '../components/count.ts';

/** Why a file cannot be imported, in a sentence for the person who chose it. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';
}

export const tooLarge = () =>
  new FileProblem('This file is larger than 50 MB. Split it, and import the parts.');

export const cannotRead = (cause?: unknown) =>
  new FileProblem('The file can’t be read. It may have been moved or changed. Choose it again.', { cause });

export const openQuote = (row: number) =>
  new FileProblem(`A quote is not closed in row ${grouped(row)}. Correct it, then choose the file again.`);

export const wrongQuotes = (row: number) =>
  new FileProblem(
    `The quotes in row ${grouped(row)} don’t match. Within a quoted cell, write each quote twice.`,
  );
