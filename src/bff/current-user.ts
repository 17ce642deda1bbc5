import type { Role } from '../contract/bff/permission.ts';

/** The signed-in user. */
export interface CurrentUser {
  /** Null in a tab, where there are no accounts. */
  readonly staffId: string | null;
  readonly name: string;
  readonly role: Role;
  /** Nothing else is allowed before, because someone else has seen the password. */
  readonly mustChangePassword: boolean;
  /** True if the OpenID provider signs the account in; it has no password here. */
  readonly singleSignOn: boolean;
  /** True if the last sign-in is a proof that it is the user who acts. */
  readonly isProven: boolean;
}

/** The user's id in entries. In a browser tab, where there are no accounts, it is `tab`. */
export const staffIdOf = ({ staffId }: Pick<CurrentUser, 'staffId'>): string => staffId ?? 'tab';
