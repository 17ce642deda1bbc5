import type { Kysely } from 'kysely';
import { roles, type Role } from '../../contract/bff/permission.ts';
import { StaffName, staffNameLength } from '../../contract/bff/staff.ts';
import type { BffDeps } from '../deps.ts';
import { toBase64url } from '../../contract/http/crypto.ts';
import { beginningOf, nameKey, numberedName } from '../staff/name-key.ts';
import type { BffTables, StaffTable } from '../schema.ts';

/** The claims about a user, as the provider sent them. */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * The claim at a path: `roles`, or with dots such as `realm_access.roles`. A claim whose own name has dots, such as the
 * URLs that some providers use, is found by its whole name.
 */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path.split('.').reduce<unknown>((within, name) => {
    const isObject = typeof within === 'object' && within !== null && Object.hasOwn(within, name);
    return isObject ? (within as Claims)[name] : undefined;
  }, claims);
}

/** The highest of our roles that a claim names, spelled exactly; null if it names none. */
export function roleOf(claim: unknown): Role | null {
  const named = [claim].flat();
  return roles.findLast((role) => named.includes(role)) ?? null;
}

/** The user's name from the provider's claims; null if none of them can be a name here. */
export function nameIn(claims: Claims): string | null {
  const names = ['preferred_username', 'email', 'name'].map((claim) => asName(claims[claim]));
  return names.find((name) => name !== null) ?? null;
}

function asName(claim: unknown): string | null {
  if (typeof claim !== 'string') return null;
  const name = beginningOf(claim.trim(), staffNameLength);
  return StaffName.safeParse(name).success ? name : null;
}

/**
 * A user as the OpenID provider knows them: `sub` is unique only together with the issuer (OpenID Connect Core §5.7).
 */
interface Subject {
  issuer: string;
  subject: string;
  name: string;
  role: Role;
}

/**
 * The account of a subject: created at the first sign-in, under a name that is free; from then on the name stays, and
 * the role is what the provider says now.
 */
export async function findOrCreateAccount(
  { db, random, clock }: Pick<BffDeps, 'db' | 'random' | 'clock'>,
  subject: Subject,
): Promise<StaffTable> {
  for (let count = 1; ; count += 1) {
    const known = await findAccount(db, subject);
    if (known) return updateRole(db, known, subject.role);
    const name = numberedName(subject.name, count);
    const row = {
      id: toBase64url(random(16)),
      name,
      name_key: nameKey(name),
      role: subject.role,
      password_hash: '',
      disabled: 0,
      created_at: clock(),
      must_change_password: 0,
      password_expires_at: null,
      last_sign_in_at: null,
      issuer: subject.issuer,
      subject: subject.subject,
    };
    // The table's unique indexes decide whether the name is free and the subject still has no account.
    const { numInsertedOrUpdatedRows: inserted } = await db
      .insertInto('staff')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (inserted === 1n) return row;
  }
}

async function findAccount(db: Kysely<BffTables>, { issuer, subject }: Subject) {
  const ofIssuer = db.selectFrom('staff').selectAll().where('issuer', '=', issuer);
  return ofIssuer.where('subject', '=', subject).executeTakeFirst();
}

async function updateRole(db: Kysely<BffTables>, known: StaffTable, role: Role): Promise<StaffTable> {
  if (known.role !== role) await db.updateTable('staff').set({ role }).where('id', '=', known.id).execute();
  return { ...known, role };
}
