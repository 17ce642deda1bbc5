import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { CreateBody } from '../../contract/service/subscriber-input.ts';
import type { JournalEntry, RecordPart } from '../../contract/bff/journal.ts';
import { type Obstacles } from '../../contract/http/problem.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { undoOf } from '../../contract/bff/undo.ts';
import { checkPermission } from '../middleware/permission.ts';
import type { CurrentUser } from '../request-context.ts';
import { loadEntry } from './activity.ts';
import type { Db } from './chain.ts';
import { partIn } from './entry.ts';
import type { Order } from './change-request.ts';
import { enteredIn, isSame, maskedPart } from './record.ts';

/**
 * The change that takes an entry back.
 *
 * @throws {Refusal} where there is none, or it is not for this person
 */
export async function undoOrder(db: Db, id: string, user: CurrentUser): Promise<Order> {
  const entry = await loadEntry(db, id);
  const undo = undoOf(entry);
  if (undo.operation === null) throw new Refusal('cannot-undo', undo.sentence);
  checkPermission(user.role, undo.operation);
  const [undone, before] = [{ undoOf: id }, entry.before ?? {}];
  // Under the lock, because two may undo the same at the same moment.
  const checkOnce = async () => {
    const again = undoOf(await loadEntry(db, id));
    if (again.operation === null) throw new Refusal('cannot-undo', again.sentence);
  };
  if (undo.operation === 'createSubscriber') {
    const body = CreateBody.safeParse(enteredIn(before));
    if (!body.success) throw new Refusal('cannot-undo', unfit);
    return { ...undone, operation: undo.operation, input: { body: body.data }, check: checkOnce };
  }
  const params = { id: Number(entry.subscriberId) };
  const check = async (now: SubscriberDetail | null) => {
    await checkOnce();
    if (now) await checkUnchanged(db, entry, now);
  };
  if (undo.operation === 'deleteSubscriber')
    return { ...undone, operation: undo.operation, input: { params }, check };
  return {
    ...undone,
    operation: 'updateSubscriber',
    input: { params, body: enteredIn(before) },
    check,
  };
}

const unfit = 'The desk does not allow a subscriber like this any more. Create it by hand.';

/** What an entry has made must still be there: what somebody changed since is not taken back unseen. */
async function checkUnchanged(db: Db, entry: JournalEntry, now: SubscriberDetail): Promise<void> {
  const [after, masked] = [entry.after ?? {}, maskedPart(now) as RecordPart];
  const names = Object.keys(after) as (keyof RecordPart)[];
  const fields = names.filter((field) => !isSame(field, masked[field], after[field]));
  if (fields.length === 0) return;
  const later = await changesSince(db, entry.id, now.id);
  const conflicts: NonNullable<Obstacles['conflicts']> = fields.map((field) => {
    // Only who wrote the value that is there now; another may have been written past the desk.
    const last = later.find(({ part }) => field in part);
    const known = last && isSame(field, last.part[field], masked[field]) ? last : null;
    return { field, by: known && { name: known.name }, at: known && known.at };
  });
  const sentence = `Somebody changed ${fields.join(', ')} since. Look at the subscriber and change it by hand.`;
  throw new Refusal('changed-since', sentence, { obstacles: { conflicts } });
}

/** What was changed after an entry was closed, newest first. */
async function changesSince(db: Db, id: string, subscriberId: number) {
  const rows = await db
    .selectFrom('journal')
    .select(['staff_name', 'closed_at', 'after'])
    .where('subscriber_id', '=', subscriberId)
    .where('outcome', '=', 'done')
    .where('closed_seq', '>', (row) => row.selectFrom('journal').select('closed_seq').where('id', '=', id))
    .orderBy('closed_seq', 'desc')
    .execute();
  return rows.map(({ staff_name: name, closed_at: at, after }) => ({
    name,
    at: new Date(at ?? 0).toISOString(),
    part: partIn(after) ?? {},
  }));
}
