import { may, whyNot, type BffEndpoint, type Permission, type Role } from '../../contract/bff/permission.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { CurrentUser } from '../request-context.ts';

/**
 * Refuses a user what a row of the table does not give them.
 *
 * @throws {Refusal} `password-change-needed` or `not-allowed`
 */
export function checkAccess(
  row: Pick<BffEndpoint, 'access' | 'oneTimePassword'>,
  { role, mustChangePassword }: CurrentUser,
): void {
  if (mustChangePassword && !row.oneTimePassword)
    throw new Refusal(
      'password-change-needed',
      'You signed in with a one-time password. Choose one of your own to go on.',
    );
  if (row.access !== 'public' && row.access !== 'signed-in') checkPermission(role, row.access);
}

/** Refuses what a role may not do, with the sentence that the dashboard shows as well. */
export function checkPermission(role: Role, permission: Permission): void {
  if (!may(role, permission)) throw new Refusal('not-allowed', whyNot(permission));
}
