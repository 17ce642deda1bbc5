import type { BffDeps } from '../deps.ts';
import { callFor } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import type { Caller } from '../upstream/call.ts';
import { actorOf, type RecordEvent } from './events.ts';

/** Answers one access token, once the journal says who gets whose. The journal does not have the token. */
export function createRevealToken(
  parts: Pick<BffDeps, 'db'> & { caller: Caller; recordEvent: RecordEvent },
): BffHandlers['revealToken'] {
  const { db, caller, recordEvent } = parts;
  return async ({ params }, context, user) => {
    const call = { ...callFor(context, user), fresh: true } as const;
    const { data } = await caller.call('getSubscriber', { params, query: {} }, call);
    // The service may have taken its time, and the session have ended meanwhile.
    await context.recheckAccess();
    const { id, username, accessToken } = data;
    const event = {
      operation: 'revealToken',
      ...actorOf(user, context),
      subscriber: { id, username },
    } as const;
    await db.transaction().execute((tx) => recordEvent(tx, event));
    return { accessToken };
  };
}
