import { Problem } from '../../contract/http/problem.ts';
import type { CurrentUser } from '../current-user.ts';

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
