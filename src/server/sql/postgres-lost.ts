import { DatabaseError } from 'pg';
import type { Refusal } from '../../contract/http/refusal.ts';
import { changeUnconfirmed, databaseUnavailable } from './lost.ts';

/** Whether a connection is of no more use: without an SQLSTATE the answer to this may still be on its way. */
export function isBroken(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|57P)/.test(error.code ?? '');
}

/**
 * Says what of a failure is the database's own, and passes.
 *
 * @param commits whether what was sent would have been done with it: a commit, or a change outside of any transaction
 * @returns null for an error of another kind, such as one of the statement
 */
export function refusalFor(error: unknown, commits: boolean): Refusal | null {
  // Ours, for a number that cannot be read.
  if (error instanceof RangeError) return null;
  if (isBroken(error)) return commits ? changeUnconfirmed(error) : databaseUnavailable(error);
  const code = error instanceof DatabaseError ? (error.code ?? '') : '';
  if (code === statementCompletionUnknown) return changeUnconfirmed(error);
  return passing.test(code) ? databaseUnavailable(error) : null;
}

/** As distributed engines have it, where a commit may have reached some of their machines. */
const statementCompletionUnknown = '40003';

/** No room or connections left, a statement that was cancelled, a server that only reads since another took over. */
const passing = /^(53|57014|25006)/;
