import type { Transaction } from 'kysely';
import { sha256 } from '../../lib/crypto.ts';
import type { BffDeps } from '../deps.ts';
import type { BffTables, BffDb } from '../schema.ts';
import { makeReadable } from './one-time-password.ts';

/** Number of recovery codes of an account; each has 60 random bits. */
const recoveryCodeCount = 10;

type Deps = Pick<BffDeps, 'random' | 'secondFactorKey'>;

/** Replaces the recovery codes of an account. @returns the new ones, which are stored as digests only */
export async function replaceRecoveryCodes(
  tx: Transaction<BffTables>,
  staffId: string,
  deps: Deps,
): Promise<string[]> {
  await deleteRecoveryCodes(tx, staffId);
  const codes = Array.from({ length: recoveryCodeCount }, () => makeReadable(deps.random, 3, 4));
  const rows = codes.map(async (code) => ({
    key: await digestOf(code, staffId, deps),
    staff_id: staffId,
    used_at: null,
  }));
  await tx
    .insertInto('recovery_codes')
    .values(await Promise.all(rows))
    .execute();
  return codes;
}

/** Uses a recovery code up. @returns false if it is none of the account, or was used, even at the same moment */
export async function spendRecoveryCode(
  tx: Transaction<BffTables>,
  typed: { code: string; staffId: string; now: number },
  deps: Deps,
): Promise<boolean> {
  const { numUpdatedRows: used } = await tx
    .updateTable('recovery_codes')
    .set({ used_at: typed.now })
    .where('key', '=', await digestOf(typed.code, typed.staffId, deps))
    .where('staff_id', '=', typed.staffId)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return used === 1n;
}

export async function countRecoveryCodes(db: BffDb, staffId: string): Promise<number> {
  const all = db.selectFrom('recovery_codes').select((row) => row.fn.countAll<number>().as('count'));
  const own = all.where('staff_id', '=', staffId).where('used_at', 'is', null);
  return (await own.executeTakeFirstOrThrow()).count;
}

export async function deleteRecoveryCodes(tx: Transaction<BffTables>, staffId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('staff_id', '=', staffId).execute();
}

/** People type capitals, blanks and dashes as they like, and take the only letter that looks like a digit for one. */
const plainOf = (code: string) =>
  code
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/[1l]/g, 'i');

const digestOf = (code: string, staffId: string, { secondFactorKey }: Deps) =>
  sha256(`${secondFactorKey} ${staffId} ${plainOf(code)}`);
