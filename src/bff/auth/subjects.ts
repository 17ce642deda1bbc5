import type { Kysely } from 'kysely';
import type { Role } from '../../contract/bff/permission.ts';
import { staffNameLength } from '../../contract/bff/staff.ts';
import type { BffDeps } from '../deps.ts';
import { toBase64url } from '../../contract/http/crypto.ts';
import { nameKey } from '../staff/store.ts';
import type { BffTables, StaffTable } from '../schema.ts';
import { cutTo } from './claims.ts';

/** Somebody as the OpenID provider knows them: `sub` is theirs only beside the issuer (OpenID Connect Core §5.7). */
export interface Subject {
  issuer: string;
  subject: string;
  name: string;
  role: Role;
}

/**
 * The account of a subject: made at the first sign-in, with a name that is still free; from then on the name stays,
 * and the role is what the provider says now.
 */
export async function keepSubject(
  { db, random, clock }: Pick<BffDeps, 'db' | 'random' | 'clock'>,
  who: Subject,
): Promise<StaffTable> {
  for (let turn = 1; ; turn += 1) {
    const known = await findSubject(db, who);
    if (known) return refresh(db, known, who.role);
    const name = turn === 1 ? who.name : numbered(who.name, turn);
    const row = {
      id: toBase64url(random(16)),
      name,
      name_key: nameKey(name),
      role: who.role,
      password_hash: '',
      disabled: 0,
      created_at: clock(),
      must_change_password: 0,
      password_expires_at: null,
      last_sign_in_at: null,
      issuer: who.issuer,
      subject: who.subject,
    };
    // Whether the name is free, and the subject still without an account, is for the table to say.
    const { numInsertedOrUpdatedRows: inserted } = await db
      .insertInto('staff')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted === 1n) return row;
  }
}

/** `kari`, then `kari (2)`: nobody gets the name of somebody who is there already, whatever a provider calls them. */
function numbered(name: string, turn: number): string {
  const end = ` (${turn})`;
  return cutTo(name, staffNameLength - end.length) + end;
}

async function findSubject(db: Kysely<BffTables>, { issuer, subject }: Subject) {
  const ofIssuer = db.selectFrom('staff').selectAll().where('issuer', '=', issuer);
  return ofIssuer.where('subject', '=', subject).executeTakeFirst();
}

async function refresh(db: Kysely<BffTables>, known: StaffTable, role: Role): Promise<StaffTable> {
  if (known.role !== role) await db.updateTable('staff').set({ role }).where('id', '=', known.id).execute();
  return { ...known, role };
}
