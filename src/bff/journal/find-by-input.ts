import { SubscriberPage, pageSizes } from '../../contract/service/list-query.ts';
import type { JournalTable } from './schema.ts';
import type { Caller, CallContext } from '../upstream/call.ts';
import { badUpstream } from '../upstream/failures.ts';
import { readJson } from '../upstream/answer.ts';
import type { Db } from './chain.ts';
import { partIn } from './entry.ts';
import { enteredIn, differing, readRecord, type Known } from './record.ts';

type Reading = Pick<CallContext, 'role' | 'requestId' | 'atMost'>;

/**
 * The subscriber that a creation made, if it made one: with the same username and all that was entered, and not that
 * of an earlier change, by which it would have been there before.
 */
export async function findByInput(
  { db, caller }: { db: Db; caller: Caller },
  entry: JournalTable,
  reading: Reading,
): Promise<Known | null> {
  const id = await findId(caller, entry.username, reading);
  if (id === null || (await isOfAnother(db, id, entry.seq))) return null;
  const known = await readRecord(caller, id, reading);
  if (!('record' in known)) return null;
  const input = partIn(entry.input) ?? {};
  return Object.keys(differing(enteredIn(known.record), input)).length === 0 ? known : null;
}

/** The service's filter is "contains", so that one of many may be meant. */
async function findId(caller: Caller, username: string, reading: Reading): Promise<number | null> {
  for (let page = 1; ; page += 1) {
    const query = { Username: username, Page: page, PageSize: pageSizes.most };
    const answer = await caller.call(
      'listSubscribers',
      { query },
      { ...reading, ifMatch: null, fresh: true },
    );
    const json = readJson(answer);
    const list = answer.status === 200 && json.ok ? SubscriberPage.safeParse(json.value).data : undefined;
    if (!list) throw badUpstream();
    const found = list.items.find((one) => one.username === username);
    if (found) return found.id;
    if (list.items.length === 0 || page >= list.totalPages) return null;
  }
}

async function isOfAnother(db: Db, id: number, seq: number): Promise<boolean> {
  const query = db.selectFrom('journal').select('id').where('subscriber_id', '=', id);
  return (await query.where('seq', '<', seq).limit(1).executeTakeFirst()) !== undefined;
}
