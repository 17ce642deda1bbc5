import { api } from '../../contract/service/api.ts';
import { Subscriber } from '../../contract/service/subscriber.ts';
import type { BffDeps } from '../deps.ts';
import type { BffHandlers } from '../router.ts';
import { readJson, refusalFor } from '../upstream/answer.ts';
import type { Caller } from '../upstream/call.ts';
import { badUpstream } from '../upstream/failures.ts';
import { actorOf, type RecordEvent } from './events.ts';

/** Answers one access token, once the journal says who gets whose. The journal does not have the token. */
export function createRevealToken(
  parts: Pick<BffDeps, 'db'> & { caller: Caller; recordEvent: RecordEvent },
): BffHandlers['revealToken'] {
  const { db, caller, recordEvent } = parts;
  return async ({ params }, context, user) => {
    const { requestId, traceContext, signal } = context;
    const call = {
      role: user.role,
      requestId,
      traceContext,
      ifMatch: null,
      fresh: true,
      signal: signal(),
    } as const;
    const answer = await caller.call('getSubscriber', { params, query: {} }, call);
    if (answer.status !== 200) throw refusalFor(api.getSubscriber, answer);
    const json = readJson(answer);
    const found = Subscriber.safeParse(json.ok ? json.value : null);
    if (!found.success) throw badUpstream();
    const { id, username, accessToken } = found.data;
    const event = {
      operation: 'revealToken',
      ...actorOf(user, context),
      subscriber: { id, username },
    } as const;
    await db.transaction().execute((tx) => recordEvent(tx, event));
    return Response.json({ accessToken });
  };
}
