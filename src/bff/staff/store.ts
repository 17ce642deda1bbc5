import { Transaction } from 'kysely';
import type { Role } from '../../contract/bff/permission.ts';
import type {
  AddStaffBody,
  ChangeStaffBody,
  StaffMember,
  StaffWithPassword,
} from '../../contract/bff/staff.ts';
import type { EventDetails } from '../../contract/bff/journal.ts';
import { toBase64url } from '../../lib/crypto.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import { lockRow } from '../lock-row.ts';
import type { BffDeps } from '../deps.ts';
import {
  giveOneTimePassword,
  makeOneTimePassword,
  oneTimePasswordExpiry,
} from '../auth/one-time-password.ts';
import { isOfOtherProvider } from '../auth/openid/issuer.ts';
import { createRecordChange, endAccess } from '../auth/record-change.ts';
import { factorsOf, hasSecondFactor, removeAllFactors } from '../auth/second-factor.ts';
import { endSessions } from '../auth/session-store.ts';
import type { Actor, RecordEvent } from '../journal/events.ts';
import { noRole, type BffTables, type StaffTable, type BffDb } from '../schema.ts';
import { nameKey } from './name-key.ts';

/** True if there is any account. Without one, nobody can sign in to add the first. */
export async function hasStaff(db: BffDb): Promise<boolean> {
  return (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Asks again whether the user may still do this. @throws {Problem} if not */
type RecheckAccess = () => Promise<unknown>;

/**
 * Adds a local account.
 *
 * @param account.password of a length that `newPasswordLength` allows
 * @param record called in the transaction that adds it, at its end
 * @param recheck called once the password is hashed, which waits for others
 * @throws {Problem} `invalid-input` if the name is taken
 */
export async function addStaff(
  deps: Pick<BffDeps, 'db' | 'passwords' | 'random' | 'clock'>,
  account: { name: string; role: Role; password: string; oneTime?: boolean },
  record: (tx: Transaction<BffTables>, added: StaffTable) => Promise<void> = async () => undefined,
  recheck: RecheckAccess = async () => undefined,
): Promise<StaffTable> {
  const name = account.name.trim();
  const now = deps.clock();
  const row = {
    id: toBase64url(deps.random(16)),
    name,
    name_key: nameKey(name),
    role: account.role,
    password_hash: await deps.passwords.hash(account.password),
    disabled: 0,
    created_at: now,
    must_change_password: account.oneTime ? 1 : 0,
    password_expires_at: account.oneTime ? oneTimePasswordExpiry(now) : null,
    last_sign_in_at: null,
    issuer: null,
    subject: null,
  };
  const insert = async (tx: Transaction<BffTables>) => {
    // Whether the name is free is for the table to say: two may ask for it at the same moment.
    const { numInsertedOrUpdatedRows: inserted } = await tx
      .insertInto('staff')
      .values(row)
      .onConflict((conflict) => conflict.column('name_key').doNothing())
      .executeTakeFirst();
    if (inserted === 0n) throw invalidField('name', 'Name already taken. Choose another.');
    await record(tx, row);
  };
  await recheck();
  await (deps.db instanceof Transaction ? insert(deps.db) : deps.db.transaction().execute(insert));
  return row;
}

export async function findStaff(db: BffDb, name: string): Promise<StaffTable | undefined> {
  return db.selectFrom('staff').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst();
}

/** Which of these ids are of accounts that single sign-on signs in. */
export async function findSingleSignOn(db: BffDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const found = db
    .selectFrom('staff')
    .select('id')
    .where('id', 'in', [...new Set(ids)]);
  return new Set((await found.where('issuer', 'is not', null).execute()).map(({ id }) => id));
}

export type StaffAccounts = ReturnType<typeof createStaffAccounts>;

/** Staff accounts, as managers look after them. The journal says what each manager did. */
export function createStaffAccounts(
  deps: Pick<BffDeps, 'db' | 'passwords' | 'random' | 'clock' | 'singleSignOn'> & {
    recordEvent: RecordEvent;
  },
) {
  const { db, clock, passwords, random } = deps;
  const recordChange = createRecordChange(deps);
  const provider = deps.singleSignOn?.issuer;
  const checkManagerRemains = createManagerCheck(provider);
  const asMember = (row: StaffTable, secondFactor: boolean): StaffMember => ({
    id: row.id,
    name: row.name,
    role: roleOf(row),
    disabled: row.disabled !== 0,
    singleSignOn: isFromProvider(row),
    otherProvider: isOfOtherProvider(row.issuer, provider),
    mustChangePassword: row.must_change_password !== 0,
    secondFactor,
    lastSignInAt: row.last_sign_in_at === null ? null : new Date(row.last_sign_in_at).toISOString(),
  });
  return {
    async list(): Promise<StaffMember[]> {
      const rows = await db.selectFrom('staff').selectAll().orderBy('name_key').execute();
      const factors = await db.selectFrom('second_factors').select('staff_id').distinct().execute();
      const withFactor = new Set(factors.map((factor) => factor.staff_id));
      return rows.map((row) => asMember(row, withFactor.has(row.id)));
    },

    async add({ name, role }: AddStaffBody, by: Actor, recheck: RecheckAccess): Promise<StaffWithPassword> {
      const oneTimePassword = makeOneTimePassword(random);
      const account = { name, role, password: oneTimePassword, oneTime: true };
      const details = { role: { before: null, after: role } };
      const record = (tx: Transaction<BffTables>, added: StaffTable) =>
        deps.recordEvent(tx, { operation: 'addStaff', ...by, account: asAccount(added), details });
      const row = await addStaff(deps, account, record, recheck);
      return { staff: asMember(row, false), oneTimePassword, passkeys: 0 };
    },

    /** @throws {Problem} `no-such-account`; `decided-elsewhere`; `last-manager` if no manager would be left */
    async change(id: string, { role, disabled }: ChangeStaffBody, by: Actor): Promise<StaffMember> {
      const account = asAccount(await find(db, id));
      return recordChange({ operation: 'changeStaff', ...by, account }, async (tx) => {
        await holdManagers(tx);
        const before = await hold(tx, id);
        if (isFromProvider(before) && role !== undefined && role !== before.role)
          throw decidedElsewhere(
            'Single sign-on manages the role of this account. Nothing was changed. Change the role there.',
          );
        const after = {
          ...before,
          ...(role !== undefined && { role }),
          ...(disabled !== undefined && { disabled: disabled ? 1 : 0 }),
        };
        await checkManagerRemains(tx, before, after);
        const details = differenceOf(before, after);
        if (details !== null) {
          const change = { role: after.role, disabled: after.disabled };
          await tx.updateTable('staff').set(change).where('id', '=', id).execute();
          if (after.disabled !== 0) {
            await endAccess(tx, id, clock());
            await tx.deleteFrom('recent_subscribers').where('owner', '=', id).execute();
          } else await endSessions(tx, id, clock());
        }
        return { result: asMember(after, await hasSecondFactor(tx, id)), details };
      });
    },

    /** @returns how many sessions ended */
    async endSessions(id: string, by: Actor): Promise<number> {
      const account = asAccount(await find(db, id));
      return recordChange({ operation: 'endStaffSessions', ...by, account }, async (tx) => {
        const sessions = await endSessions(tx, id, clock());
        return { result: sessions, details: { sessions } };
      });
    },

    /** @throws {Problem} `no-such-account`; `decided-elsewhere`; `last-manager` if two managers reset each other */
    async resetPassword(id: string, by: Actor, recheck: RecheckAccess): Promise<StaffWithPassword> {
      const account = await find(db, id);
      if (isFromProvider(account))
        throw decidedElsewhere(
          'This account signs in with single sign-on and has no password here. Reset its password there.',
        );
      const oneTimePassword = makeOneTimePassword(random);
      const hash = await passwords.hash(oneTimePassword);
      await recheck();
      const event = { operation: 'resetStaffPassword', ...by, account: asAccount(account) } as const;
      return recordChange(event, async (tx) => {
        await holdManagers(tx);
        const before = await hold(tx, id);
        const after = { ...before, must_change_password: 1 };
        await checkManagerRemains(tx, before, after);
        await giveOneTimePassword(tx, id, { hash, now: clock() });
        const passkeys = (await factorsOf(tx, id, 'passkey')).length;
        const staff = asMember(after, await hasSecondFactor(tx, id));
        return { result: { staff, oneTimePassword, passkeys } };
      });
    },

    /** Removes the second factor and ends all ways in; the password stays. @throws {Problem} as `resetPassword` */
    async resetSecondFactor(id: string, by: Actor): Promise<StaffMember> {
      const row = await find(db, id);
      if (isFromProvider(row))
        throw decidedElsewhere(
          'This account signs in with single sign-on. Its second factor is there: reset it there.',
        );
      const event = { operation: 'resetSecondFactor', ...by, account: asAccount(row) } as const;
      return recordChange(event, async (tx) => {
        const result = asMember(await hold(tx, id), false);
        if (!(await removeAllFactors(tx, id))) return { result, details: null };
        return { result, details: { sessions: await endAccess(tx, id, clock()) } };
      });
    },
  };
}

const asAccount = ({ id, name }: StaffTable) => ({ id, name });

/** Null if nothing differs. */
function differenceOf(before: StaffTable, after: StaffTable): EventDetails | null {
  const hasOtherRole = before.role !== after.role;
  const isSwitched = before.disabled !== after.disabled;
  if (!hasOtherRole && !isSwitched) return null;
  return {
    ...(hasOtherRole && { role: { before: roleOf(before), after: roleOf(after) } }),
    ...(isSwitched && { disabled: after.disabled !== 0 }),
  };
}

const roleOf = ({ role }: StaffTable) => (role === noRole ? null : role);

const isFromProvider = ({ issuer }: StaffTable) => issuer !== null;

const decidedElsewhere = (sentence: string) => new Problem('decided-elsewhere', sentence);

/**
 * Creates a check that a manager is left who can sign in: with a password of their own, or at the configured provider. A
 * one-time password does not count, because it may expire before anyone uses it. Call `holdManagers` before it.
 *
 * @param issuer the configured provider
 * @throws {Problem} from the check: `last-manager` if the change of this account leaves no manager
 */
function createManagerCheck(issuer: string | undefined) {
  const canSignIn = (account: StaffTable) =>
    account.issuer === null ? account.must_change_password === 0 : !isOfOtherProvider(account.issuer, issuer);
  const manages = (account: StaffTable) =>
    account.role === 'manager' && account.disabled === 0 && canSignIn(account);
  return async (tx: Transaction<BffTables>, before: StaffTable, after: StaffTable): Promise<void> => {
    if (!manages(before) || manages(after)) return;
    const others = tx.selectFrom('staff').selectAll().where('role', '=', 'manager');
    if ((await others.where('id', '<>', before.id).execute()).some(manages)) return;
    throw new Problem(
      'last-manager',
      'This is the last manager who can sign in. Nothing was changed. Make another person manager first, and wait until they have signed in and chosen a password.',
    );
  };
}

/**
 * Writes to all managers without changing them, so that another such transaction waits until this one ends:
 * two managers who demote each other must not both find the other still there. Every engine has it, `for update` not.
 */
async function holdManagers(tx: Transaction<BffTables>): Promise<void> {
  // One row first: PostgreSQL takes many in any order, and of two that wait for each other refuses one after a second.
  await holdShared(tx);
  await lockRow(tx, 'staff', { role: 'manager' });
}

/**
 * The same by the oldest account alone: other changes of what staff share wait until this transaction ends. In a tab, which
 * has no account, there is one writer.
 */
export async function holdShared(tx: Transaction<BffTables>): Promise<void> {
  const oldest = tx.selectFrom('staff').select('id').orderBy('created_at').orderBy('id');
  const account = await oldest.limit(1).executeTakeFirst();
  if (account) await lockRow(tx, 'staff', account);
}

async function find(db: BffDeps['db'], id: string): Promise<StaffTable> {
  const found = await db.selectFrom('staff').selectAll().where('id', '=', id).executeTakeFirst();
  if (!found) throw noSuchAccount();
  return found;
}

/** The account as it is now, which only this transaction changes: single sign-on may be taking its role away. */
async function hold(tx: Transaction<BffTables>, id: string): Promise<StaffTable> {
  const found = await lockRow(tx, 'staff', { id });
  if (!found) throw noSuchAccount();
  return found;
}

const noSuchAccount = () =>
  new Problem('no-such-account', 'This account does not exist. Reload the list of accounts.');
