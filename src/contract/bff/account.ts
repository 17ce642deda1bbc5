import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { idOf } from '../http/shapes.ts';
import { bffBase } from './paths.ts';
import type { BffEndpoint } from './permission.ts';

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
