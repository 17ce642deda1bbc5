import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { bffBase, sessionPath } from './paths.ts';
import { extensionNames } from '../service/list-query.ts';
import { permissions, roles, type BffEndpoint } from './permission.ts';
import { Status } from '../service/subscriber.ts';
import { View } from './view.ts';

export const Session = z.object({
  staff: z.object({ id: z.string(), name: z.string(), role: z.enum(roles), singleSignOn: z.boolean() }),
  can: z.array(z.enum(permissions)),
  extensions: z.array(z.enum(extensionNames)),
  /** False in a tab with a fixed user. */
  canSignOut: z.boolean(),
  /** Also false for a user of single sign-on, who has no local password. */
  canChangePassword: z.boolean(),
  /** True after signing in with a one-time password: until it is changed nothing else is allowed. */
  mustChangePassword: z.boolean(),
  /** The user's own, in their order; part of the session so that the first screen needs no further request. */
  views: z.array(View),
  /** The statuses of subscribers, where the BFF knows them already; otherwise listStatuses answers them. */
  statuses: z.optional(z.array(Status)),
});
export type Session = z.infer<typeof Session>;

/** How users can sign in, besides with a local account. */
const SignInWays = z.object({ singleSignOn: z.boolean() });

/** The rows that the first screen needs; apart from the others, which a browser loads with the screens that need them. */
export const bffReadApi = {
  getSession: {
    method: 'GET',
    path: sessionPath,
    summary: 'Who is signed in, and what they may do',
    access: 'signed-in',
    oneTimePassword: true,
    answer: Session,
  },
  getSignInWays: {
    method: 'GET',
    path: `${bffBase}/sign-in-ways`,
    summary: 'The ways to sign in',
    access: 'public',
    answer: SignInWays,
  },
  listViews: {
    method: 'GET',
    path: `${bffBase}/views`,
    summary: 'List the own views, in their order',
    access: 'signed-in',
    answer: z.array(View),
  },
} as const satisfies Record<string, BffEndpoint>;
