import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';

/**
 * The BFF's addresses that a browser navigates to, on the way to the OpenID provider and back. A navigation cannot
 * send our header, so they have a guard of their own.
 */
export const navigations = {
  startSingleSignOn: {
    method: 'GET',
    path: `${bffBase}/oidc/start`,
    access: 'public',
    summary: 'Go to the OpenID provider; `to` is the local path to come back to',
  },
  finishSingleSignOn: {
    method: 'GET',
    path: `${bffBase}/oidc/callback`,
    access: 'public',
    summary: 'Come back from the OpenID provider, signed in or not',
  },
} as const satisfies Record<string, Omit<BffEndpoint, 'answer'>>;

/** Why single sign-on came to nothing: its code in the address of the sign-in page, and what that page says. */
export const singleSignOnProblems = {
  unavailable: 'The single sign-on provider does not answer. Try again later, or sign in with a password.',
  cancelled:
    'The single sign-on provider did not sign you in. Try again, or ask an administrator for access there.',
  expired: 'This sign-in took too long or was used before. Start it again.',
  misconfigured:
    'The single sign-on provider does not accept this desk. Ask an administrator to compare the settings of both.',
  untrusted: 'The answer of the single sign-on provider could not be trusted. Start again.',
  clock:
    'The clocks of the desk and of the single sign-on provider differ. Ask an administrator to set them right.',
  'no-role':
    'Your account at the single sign-on provider has no role for this desk. Ask an administrator for one.',
  disabled: 'Your account is disabled here. Ask a manager to enable it.',
  'too-many': 'Too many sign-ins were started from your address. Try again in ten minutes.',
  failed: 'Something went wrong here. Try again. If it goes wrong again, tell an administrator.',
} as const;
export type SingleSignOnProblem = keyof typeof singleSignOnProblems;

/** The sentence for the code that an address brings; null for anything else. */
export function singleSignOnSentence(code: string | undefined): string | null {
  if (code === undefined || !Object.hasOwn(singleSignOnProblems, code)) return null;
  return singleSignOnProblems[code as SingleSignOnProblem];
}
