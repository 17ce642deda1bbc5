import * as z from 'zod/mini';
import '../http/zod-config.ts';
import { permissions, roles, type BffEndpoint } from './permission.ts';
import { Status } from '../service/subscriber.ts';
import { View } from './view.ts';
import { idOf } from '../http/shapes.ts';
import { bffBase } from './paths.ts';

export const Session = z.object({
  staff: z.object({ id: z.string(), name: z.string(), role: z.enum(roles), singleSignOn: z.boolean() }),
  /** Empty until a one-time password is replaced, then until a second factor is set up where one is asked for. */
  can: z.array(z.enum(permissions)),
  /** Those of `extensionNames` that the service has, and others of a server that is newer than the page. */
  extensions: z.array(z.string()),
  /** A sentence that says where the status of a subscriber is set, as no operation sets it. */
  statusHelp: z.string(),
  /** Makes playlist addresses by `playlistUrlOf`; missing where the deployment has no template. */
  playlistUrlTemplate: z.optional(z.string()),
  /** Usual length of a new trial, in days. */
  trialDays: z.int(),
  /** False in a browser tab with a fixed user. */
  canSignOut: z.boolean(),
  /** False also for a user of single sign-on, who has no local password. */
  canChangePassword: z.boolean(),
  /** True after sign-in with a one-time password. */
  mustChangePassword: z.boolean(),
  /** True if the last sign-in shows that it is the user who acts: see `proof` of a row. */
  isProven: z.boolean(),
  /** The shared views, then the user's own, both in their order. Part of the session, so that the first screen needs no other request. */
  views: z.array(View),
  /** The statuses of subscribers, if the BFF knows them already; otherwise listStatuses answers them. */
  statuses: z.optional(z.array(Status)),
});
export type Session = z.infer<typeof Session>;

/** The ways to sign in besides a local account. */
export const SignInWays = z.object({ singleSignOn: z.boolean(), passkeys: z.boolean() });

/** A browser in which an account is signed in. */
export const AccountSession = z.object({
  /** Names it to its owner, and opens nothing: it has nothing to do with the cookie. */
  id: z.string(),
  /** The browser and the system, such as “Firefox on Linux”, as far as they are known. */
  browser: z.string(),
  /** When it was signed in to, and last used, to the minute; in UTC. */
  since: z.string(),
  lastUsed: z.string(),
  /** True for the session of this request. */
  isCurrent: z.boolean(),
});
export type AccountSession = z.infer<typeof AccountSession>;

const SessionId = z.object({ id: idOf('a session') });

/** The rows of `bffApi` for the page “My account”. */
export const accountApi = {
  /** This one, then the one that was used last. */
  listSessions: {
    method: 'GET',
    path: `${bffBase}/sessions`,
    access: 'signed-in',
    answer: z.array(AccountSession),
  },
  endSession: {
    method: 'DELETE',
    path: `${bffBase}/sessions/{id}`,
    access: 'signed-in',
    params: SessionId,
    answer: z.undefined(),
  },
  endOtherSessions: {
    method: 'DELETE',
    path: `${bffBase}/sessions`,
    access: 'signed-in',
    answer: z.object({ ended: z.int() }),
  },
} as const satisfies Record<string, BffEndpoint>;
