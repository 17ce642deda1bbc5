import type { Role } from '../contract/bff/permission.ts';

/** Who is signed in. */
export interface CurrentUser {
  /** Null in a tab, where there are no accounts. */
  readonly staffId: string | null;
  readonly name: string;
  readonly role: Role;
  /** Nothing else is allowed before, because someone else has seen the password. */
  readonly mustChangePassword: boolean;
  /** Whether the OpenID provider signs the account in; it has no password here. */
  readonly singleSignOn: boolean;
  /** Whether the last sign-in is a proof that it is the user who acts. */
  readonly isProven: boolean;
}

/** The user's id in entries. In a browser tab, where there are no accounts, it is `tab`. */
export const staffIdOf = ({ staffId }: CurrentUser): string => staffId ?? 'tab';
