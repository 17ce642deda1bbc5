import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { permissions, roles } from './permission.ts';
import { Status } from '../service/subscriber.ts';
import { View } from './view.ts';

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
