import { sql } from 'kysely';
import { may } from '../../contract/bff/permission.ts';
import { noSubscriberWithToken } from '../../contract/http/problem.ts';
import type { Subscriber } from '../../contract/service/subscriber.ts';
import { callFor, type RequestContext } from '../http/context.ts';
import type { BffHandlers } from '../http/router.ts';
import { findSingleSignOn } from '../staff/store.ts';
import type { Caller } from '../upstream/call.ts';
import type { Mac } from './chain.ts';
import { orNull } from './change-request.ts';
import type { CurrentUser } from '../current-user.ts';
import type { BffDb } from '../schema.ts';

/** True if an entry ended the token whose MAC it has. The same words are in the index, so that engines use it. */
export const endedToken = sql<boolean>`operation in ('regenerateToken', 'deleteSubscriber') and outcome = 'done'`;

/**
 * Tells whose an access token was, and who replaced it or deleted its subscriber. The journal has no tokens; it knows them by
 * their MACs. Deleted subscribers are named only to users who may see them.
 */
export function createGetPreviousToken(parts: {
  db: BffDb;
  mac: Mac;
  caller: Caller;
}): BffHandlers['getPreviousToken'] {
  const { db, mac, caller } = parts;
  return async ({ body }, context, user) => {
    const ended = await selectEnds(db)
      .where('token_mac', '=', await mac('token', body.accessToken))
      .executeTakeFirst();
    if (!ended?.subscriber_id) throw noSubscriberWithToken();
    // Its number may be somebody else's by now, with some services.
    // By the key of `lockKeyOf`, whose index has few: by the id, SQLite reads all deletions, 200 ms of 100,000.
    const deletions = selectEnds(db).where('lock_key', '=', `s:${ended.subscriber_id}`);
    const deletion = await deletions
      .where('operation', '=', 'deleteSubscriber')
      .where('seq', '>=', ended.seq)
      .clearOrderBy()
      .orderBy('seq')
      .executeTakeFirst();
    const present = deletion ? null : await readPresent(caller, ended.subscriber_id, context, user);
    if (!present && !may(user.role, 'seeDeletedSubscribers')) throw noSubscriberWithToken();
    const last = deletion ?? ended;
    return {
      operation: last.operation,
      by: { name: last.staff_name, singleSignOn: (await findSingleSignOn(db, [last.staff_id])).size > 0 },
      at: new Date(last.closed_at ?? last.at).toISOString(),
      subscriber: { id: ended.subscriber_id, username: present?.username ?? last.username },
    };
  };
}

const selectEnds = (db: BffDb) =>
  db
    .selectFrom('journal')
    .select(['seq', 'operation', 'staff_id', 'staff_name', 'at', 'closed_at', 'subscriber_id', 'username'])
    .where(endedToken)
    .$narrowType<{ operation: 'regenerateToken' | 'deleteSubscriber' }>()
    .orderBy('seq', 'desc')
    .limit(1);

/** The subscriber as it is now; null if it was deleted. */
export async function readPresent(
  caller: Caller,
  id: number,
  context: RequestContext,
  user: CurrentUser,
): Promise<Subscriber | null> {
  const input = { params: { id }, query: {} };
  const found = await orNull(caller.call('getSubscriber', input, callFor(context, user)));
  return found && found.data;
}
