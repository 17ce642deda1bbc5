import '../http/zod-sentences.ts';
import * as z from 'zod/mini';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';

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
