import type { Transaction } from 'kysely';
import { enterPassword, newPasswordFault, type ChangePasswordBody } from '../../contract/bff/password.ts';
import { invalidField, Problem } from '../../contract/http/problem.ts';
import type { BffDeps } from '../deps.ts';
import type { Sessions } from './sessions.ts';
import { nameKey } from '../staff/name-key.ts';
import type { RecordEvent } from '../journal/events.ts';
import type { BffTables, StaffTable } from '../schema.ts';
import { endSessionsOf, insertSession, type NewSession } from './session-store.ts';
import type { RequestContext } from '../http/context.ts';
import type { Attempts } from './attempts.ts';
import { forgetBrowsers, type KnownBrowsers } from './known-browsers.ts';
import type { CurrentUser } from '../current-user.ts';

/** Changes the current user's password, and returns the `Set-Cookie` of the new session and of the browser. */
export type ChangePassword = (
  body: ChangePasswordBody,
  context: RequestContext,
  user: CurrentUser,
) => Promise<string[]>;

type Deps = Pick<BffDeps, 'db' | 'clock' | 'random' | 'passwords' | 'log'> & {
  sessions: Sessions;
  browsers: KnownBrowsers;
  attempts: Attempts;
  recordEvent: RecordEvent;
};

/**
 * A user who knows the current password chooses another. Wrong ones count like those at sign-in: an unattended screen
 * must not make guessing easier.
 */
export function createChangePassword(deps: Deps): ChangePassword {
  const { db, passwords, log, sessions, browsers, attempts } = deps;
  /** The sign-in has shown that the user has the one-time password, and has used it up. */
  const checkOneTime = async (staff: FoundAccount, newPassword: string) => {
    if (staff.must_change_password === 0) throw invalidField('password', enterPassword);
    if (await passwords.verify(newPassword, staff.password_hash))
      throw invalidField('newPassword', 'This is the one-time password. Choose another password.');
  };
  return async (
    { password, newPassword },
    { headers, address, requestId },
    { name, staffId, singleSignOn },
  ) => {
    if (singleSignOn)
      throw new Problem(
        'decided-elsewhere',
        'You sign in with single sign-on and have no password here. Change your password there.',
      );
    sessions.checkMayStart(headers);
    const fault =
      newPassword === password
        ? 'This is your current password. Choose another.'
        : newPasswordFault(newPassword, name);
    if (fault !== null) throw invalidField('newPassword', fault);
    const account = nameKey(name);
    const browser = await browsers.find(headers, account);
    // Nothing is guessed where the sign-in has shown the one-time password: strangers who guess it must not stand in the way.
    const forget =
      password === undefined
        ? async () => {}
        : await attempts.count('password', { account, address, browser });
    const staff = await findAccount(db, staffId ?? '');
    if (!staff) throw accountChanged();
    if (password === undefined) await checkOneTime(staff, newPassword);
    else if (!(await passwords.verify(password, staff.password_hash))) {
      log('warn', 'password-change-failed', { requestId, staffId });
      throw invalidField('password', 'This is not your current password. Try again.');
    }
    const { cookie, ...issued } = await sessions.issue(headers);
    const session = { ...issued, staffId: staff.id, now: deps.clock() };
    const change = { staff, hash: await passwords.hash(newPassword), session };
    const event = { operation: 'changePassword', staff: { id: staff.id, name }, requestId } as const;
    const record = (tx: Transaction<BffTables>) => deps.recordEvent(tx, event);
    if (!(await replacePassword(db, change, record))) throw accountChanged();
    await forget();
    log('info', 'password-changed', { requestId, staffId });
    const known = await browsers.remember(headers, { ...staff, password_hash: change.hash });
    return known === null ? [cookie] : [cookie, known];
  };
}

type FoundAccount = Pick<StaffTable, 'id' | 'name_key' | 'password_hash' | 'must_change_password'>;

function findAccount(db: BffDeps['db'], id: string): Promise<FoundAccount | undefined> {
  const found = db.selectFrom('staff').where('id', '=', id);
  return found.select(['id', 'name_key', 'password_hash', 'must_change_password']).executeTakeFirst();
}

const accountChanged = () =>
  new Problem(
    'not-signed-in',
    'Your account was changed in the meantime. Your password was not changed. Sign in and try again.',
  );

/**
 * Ends every session of the account, the current one too: a copy of its id must not outlive the password. For the same
 * reason no browser stays known.
 */
async function replacePassword(
  db: BffDeps['db'],
  change: { staff: FoundAccount; hash: string; session: NewSession },
  record: (tx: Transaction<BffTables>) => Promise<void>,
): Promise<boolean> {
  const { staff, hash, session } = change;
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows: updated } = await tx
      .updateTable('staff')
      .set({ password_hash: hash, must_change_password: 0, password_expires_at: null })
      .where('id', '=', staff.id)
      .where('password_hash', '=', staff.password_hash)
      .where('disabled', '=', 0)
      .executeTakeFirst();
    if (updated === 0n) return false;
    await endSessionsOf(tx, staff.id, session.now);
    await forgetBrowsers(tx, staff.id);
    await insertSession(tx, session);
    await record(tx);
    return true;
  });
}
