import { may, whyNot, type Permission, type Role } from '../../contract/bff/permission.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { CurrentUser } from '../request-context.ts';

/** Refuses what a role may not do, with the sentence that the dashboard shows as well. */
export function checkPermission(role: Role, permission: Permission): void {
  if (!may(role, permission)) throw new Refusal('not-allowed', whyNot(permission));
}

/** Refuses everything to somebody whose password a manager has seen, until it is changed. */
export function checkOwnPassword(user: CurrentUser): void {
  if (user.mustChangePassword)
    throw new Refusal(
      'password-change-needed',
      'You signed in with a one-time password. Choose one of your own to go on.',
    );
}
