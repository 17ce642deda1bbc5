import type { Role } from '../contract/bff/permission.ts';
import { Problem } from '../contract/http/problem.ts';

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

/** Time after signing in that counts as proof of identity, in ms. A screen left open must not be enough. */
export const proofLife = 5 * 60_000;

/** @param signedInAt null where the OpenID provider did not say when */
export const isProof = (signedInAt: number | null, now: number): boolean =>
  signedInAt !== null && Math.abs(now - signedInAt) < proofLife;

/** @throws {Problem} `proof-needed` */
export function checkProof({ isProven }: CurrentUser): void {
  if (!isProven)
    throw new Problem(
      'proof-needed',
      'Only you may do this, and you signed in some time ago. Nothing was changed. Sign in again, then repeat it.',
    );
}
