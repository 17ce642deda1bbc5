import { enterPassword, newPasswordFault, type ChangePasswordBody } from '../../../contract/bff/password.ts';
import type { Answer } from '../../../contract/http/answer.ts';
import { invalidField, Problem } from '../../../contract/http/problem.ts';
import type { CurrentUser } from '../../current-user.ts';
import type { BffDeps } from '../../deps.ts';
import type { RequestContext } from '../../http/context.ts';
import type { Attempts } from '../attempts.ts';
import { readOneTimePassword } from '../one-time-password.ts';
import type { SignInRecord } from '../sign-in-record.ts';
import { createChangeAccount, type AccountParts } from './change-account.ts';
import { findAccount } from './factors.ts';

/**
 * A user who knows the current password chooses another. Wrong ones count like those at sign-in: an unattended screen
 * must not make guessing easier, and are recorded like those. It is no proof for what asks for one: an account may have a
 * second factor, which is not asked for here.
 *
 * @returns each `Set-Cookie`, of the new session and of the browser
 */
export function createChangePassword(
  parts: AccountParts & Pick<BffDeps, 'passwords'> & { attempts: Attempts; signIns: SignInRecord },
) {
  const { db, passwords, log, browsers, attempts, signIns } = parts;
  const change = createChangeAccount(parts);
  return async (
    { password, newPassword }: ChangePasswordBody,
    context: RequestContext,
    user: CurrentUser,
  ): Promise<Answer<undefined>> => {
    if (user.singleSignOn)
      throw new Problem(
        'decided-elsewhere',
        'You sign in with single sign-on and have no password here. Change your password there.',
      );
    const { headers, address, requestId } = context;
    const fault =
      newPassword === password
        ? 'This is your current password. Choose another.'
        : newPasswordFault(newPassword, user.name);
    if (fault !== null) throw invalidField('newPassword', fault);
    const staff = await findAccount(db, user);
    const { id, name_key: account, password_hash: hash } = staff;
    let forget: (() => Promise<void>) | undefined;
    if (password !== undefined) {
      forget = await attempts.count('password', {
        account,
        address,
        browser: await browsers.find(headers, account),
      });
      if (!(await passwords.verify(password, hash))) {
        await signIns.failed(staff, requestId);
        log('warn', 'password-change-failed', { requestId, staffId: id });
        throw invalidField('password', 'This is not your current password. Try again.');
      }
    } else if (staff.must_change_password === 0) throw invalidField('password', enterPassword);
    // The sign-in has shown that the user has the one-time password, and has used it up. Strangers who guess it must not
    // stand in the way, so nothing is counted.
    const isOneTime = staff.must_change_password !== 0;
    if (isOneTime && (await passwords.verify(readOneTimePassword(newPassword), hash)))
      throw invalidField('newPassword', 'This is the one-time password. Choose another password.');
    const password_hash = await passwords.hash(newPassword);
    const answer = await change('changePassword', staff, context, async (tx) => {
      const own = { password_hash, must_change_password: 0, password_expires_at: null };
      await tx.updateTable('staff').set(own).where('id', '=', id).execute();
      return { result: undefined };
    });
    await forget?.();
    return answer;
  };
}
