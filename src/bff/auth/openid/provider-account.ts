import { roles, type Role } from '../../../contract/bff/permission.ts';
import { StaffName, staffNameLength } from '../../../contract/bff/staff.ts';
import type { BffDeps } from '../../deps.ts';
import type { EventDetails } from '../../../contract/bff/journal.ts';
import { toBase64url } from '../../../lib/crypto.ts';
import type { NewEvent, RecordEvent } from '../../journal/events.ts';
import { beginningOf, nameKey, numberedName } from '../../staff/name-key.ts';
import { noRole, type StaffTable, type BffDb } from '../../schema.ts';
import { endSessions } from '../session-store.ts';

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
}

type Deps = Pick<BffDeps, 'db' | 'random' | 'clock' | 'log'> & { recordEvent: RecordEvent };

/** An account that may sign in: the provider gives it a role. */
type AccountWithRole = StaffTable & { role: Role };

/**
 * The account of a subject: created at the first sign-in, under a name that is free; from then on the name stays, and
 * the role is what the provider says now. Where that is another than before, all its sessions end.
 */
export async function findOrCreateAccount(
  deps: Deps,
  given: Subject & { name: string; role: Role },
  requestId: string,
): Promise<AccountWithRole> {
  const { db, random, clock } = deps;
  const { name: preferred, role, issuer, subject } = given;
  for (let count = 1; ; count += 1) {
    const known = await findAccount(db, given);
    if (known) {
      await setProviderRole(deps, known, role, requestId);
      return { ...known, role };
    }
    const name = numberedName(preferred, count);
    const row = {
      id: toBase64url(random(16)),
      name,
      name_key: nameKey(name),
      role,
      password_hash: '',
      disabled: 0,
      created_at: clock(),
      must_change_password: 0,
      password_expires_at: null,
      last_sign_in_at: null,
      issuer,
      subject,
    };
    // The table's unique indexes decide whether the name is free and the subject still has no account.
    const isAdded = await db.transaction().execute(async (tx) => {
      const { numInsertedOrUpdatedRows: inserted } = await tx
        .insertInto('staff')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (inserted === 1n)
        await deps.recordEvent(tx, providerEvent('addStaff', row, requestId, { before: null, after: role }));
      return inserted === 1n;
    });
    if (isAdded) return row;
  }
}

/** An entry of the journal for what the provider decided about an account: its author is who signs in. */
function providerEvent(
  operation: 'addStaff' | 'changeStaff',
  { id, name }: Pick<StaffTable, 'id' | 'name'>,
  requestId: string,
  role: NonNullable<EventDetails['role']>,
): NewEvent {
  const account = { id, name };
  return { operation, staff: account, requestId, account, details: { role, way: 'single-sign-on' } };
}

/**
 * Withdraws the role of a subject that the provider gives none any more, and ends the sessions of its account.
 *
 * @returns the account, if there is one
 */
export async function withdrawRole(
  deps: Deps,
  subject: Subject,
  requestId: string,
): Promise<StaffTable | undefined> {
  const known = await findAccount(deps.db, subject);
  if (known) await setProviderRole(deps, known, null, requestId);
  return known;
}

async function findAccount(db: BffDb, { issuer, subject }: Subject): Promise<StaffTable | undefined> {
  const ofIssuer = db.selectFrom('staff').selectAll().where('issuer', '=', issuer);
  return ofIssuer.where('subject', '=', subject).executeTakeFirst();
}

/**
 * Gives an account the role that the provider says. Where that is another than before, all its sessions end: what a page
 * offers must not be more than the role allows.
 *
 * @param role null where the provider says none
 * @returns whether it is another than before
 */
export async function setProviderRole(
  { db, clock, log, recordEvent }: Deps,
  known: Pick<StaffTable, 'id' | 'name' | 'role'>,
  role: Role | null,
  requestId: string,
): Promise<boolean> {
  const { id } = known;
  const after = role ?? noRole;
  const sessions = await db.transaction().execute(async (tx) => {
    // First, because it locks the account: a session begins before this or after, never between.
    const { numUpdatedRows: changed } = await tx
      .updateTable('staff')
      .set({ role: after })
      .where('id', '=', id)
      .where('role', '<>', after)
      .executeTakeFirst();
    if (changed === 0n) return null;
    const ended = await endSessions(tx, id, clock());
    const before = known.role === noRole ? null : known.role;
    await recordEvent(tx, providerEvent('changeStaff', known, requestId, { before, after: role }));
    return ended;
  });
  if (sessions === null) return false;
  const [level, event] =
    role === null ? (['warn', 'role-withdrawn'] as const) : (['info', 'role-changed'] as const);
  log(level, event, { requestId, staffId: id, role: after, sessions });
  return true;
}
