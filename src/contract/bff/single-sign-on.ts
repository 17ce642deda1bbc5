import * as z from 'zod/mini';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';
import '../http/zod-config.ts';

/**
 * The BFF's addresses that a browser opens on the way to the OpenID provider and back. A navigation cannot send the
 * CSRF header, so these addresses have a guard of their own.
 */
export const navigations = {
  startSingleSignOn: {
    method: 'GET',
    path: `${bffBase}/oidc/start`,
    access: 'public',
  },
  finishSingleSignOn: {
    method: 'GET',
    path: `${bffBase}/oidc/callback`,
    access: 'public',
  },
} as const satisfies Record<string, Omit<BffEndpoint, 'answer'>>;

/** Why single sign-on failed: the code in the address of the sign-in page, and the sentence on that page. */
export const singleSignOnProblems = {
  unavailable: 'Single sign-on does not answer. Try again later, or sign in with a password.',
  cancelled: 'Single sign-on did not let you in. Try again, or ask an administrator for access.',
  expired: 'This sign-in took too long or was already used. Start again.',
  misconfigured:
    'Single sign-on is not set up correctly. Ask an administrator to compare the settings of Subscriber Desk and of the provider.',
  untrusted: 'The answer from single sign-on could not be trusted. Start again.',
  clock: 'The clocks of Subscriber Desk and of single sign-on differ. Ask an administrator to correct them.',
  'no-role': 'Your single sign-on account has no role in Subscriber Desk. Ask an administrator for one.',
  disabled: 'Your account is disabled. Ask a manager to enable it.',
  'too-many': 'Too many sign-ins were started from your network. Try again in ten minutes.',
  failed: 'Something went wrong on the server. Try again. If it happens again, tell an administrator.',
} as const;
export type SingleSignOnProblem = keyof typeof singleSignOnProblems;

/** The sentence for a code in an address; null for anything else. */
export function singleSignOnSentence(code: string | undefined): string | null {
  if (code === undefined || !Object.hasOwn(singleSignOnProblems, code)) return null;
  return singleSignOnProblems[code as SingleSignOnProblem];
}

/**
 * Requests that the OpenID provider's server sends by itself. They have no session and no header of ours: a signature
 * says who sends them. So they have a guard of their own, and no browser can send them.
 */
export const backChannel = {
  endProviderSession: {
    method: 'POST',
    path: `${bffBase}/oidc/backchannel-logout`,
    access: 'public',
    form: true,
    // Whatever is wrong with it is one answer (OpenID Connect Back-Channel Logout 1.0 section 2.8).
    body: z.object({ logout_token: z.optional(z.unknown()) }),
  },
} as const satisfies Record<string, Omit<BffEndpoint, 'answer'>>;
