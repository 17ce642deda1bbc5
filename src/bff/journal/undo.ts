import * as z from 'zod/mini';
import { type ChangeEntry, type RecordPart, undoOf } from '../../contract/bff/journal.ts';
import { noSuchSubscriber, Problem } from '../../contract/http/problem.ts';
import { CreateBody, type SubscriberInput } from '../../contract/service/subscriber-input.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { checkPermission } from '../http/guards.ts';
import { RefusedByService, reworded } from '../upstream/failures.ts';
import { loadChange } from './activity.ts';
import type { ChangeRequest } from './change-request.ts';
import { authorOf, findChange, findNewest, isSame, maskedPart, pickEntered } from './entries.ts';
import type { CurrentUser } from '../current-user.ts';
import type { BffDb } from '../schema.ts';

/**
 * Makes the change request that undoes an entry.
 *
 * @throws {Problem} `no-such-entry`; `cannot-undo`; `not-allowed` if the user may not make that change
 */
export async function makeUndoRequest(db: BffDb, id: string, user: CurrentUser): Promise<ChangeRequest> {
  const entry = await loadChange(db, id);
  const undo = undoOf(entry);
  if (undo.operation === null) throw new Problem('cannot-undo', undo.sentence);
  for (const permission of undo.needs) checkPermission(user.role, permission);
  if (entry.before === null && entry.after === null) throw new Problem('cannot-undo', isErased);
  const [undone, before] = [{ undoOf: id }, entry.before ?? {}];
  // Checked again for each attempt, because two users may undo the same entry at the same moment.
  const checkNotUndone = async () => {
    const again = undoOf(await loadChange(db, id));
    if (again.operation === null) throw new Problem('cannot-undo', again.sentence);
  };
  if (undo.operation === 'createSubscriber') {
    const { email = '', ...others } = pickEntered(before);
    const body = email === '' ? WithoutEmail.safeParse(others) : CreateBody.safeParse({ ...others, email });
    if (!body.success) throw new Problem('cannot-undo', noLongerValid);
    const input = { body: body.data as SubscriberInput };
    return { ...undone, operation: undo.operation, input, check: checkNotUndone };
  }
  const params = { id: Number(entry.subscriberId) };
  const check = async (current: SubscriberDetail | null) => {
    await checkNotUndone();
    if (current) await checkUnchanged(db, entry, current);
  };
  if (undo.operation === 'deleteSubscriber')
    return { ...undone, operation: undo.operation, input: { params }, check };
  return {
    ...undone,
    operation: 'updateSubscriber',
    input: { params, body: pickEntered(before) },
    check,
  };
}

/** Some services have subscribers without an email address. */
const WithoutEmail = z.omit(CreateBody, { email: true });

const isErased =
  'The data of this entry was erased, so it can’t be undone. Nothing was changed. Make the change by hand.';

const noLongerValid =
  'The deleted subscriber has values that are no longer accepted. Nothing was changed. Create it again by hand.';

/**
 * The refusal of an undo, with what the service says of the values: who undoes a change has no form that shows it, nor one to
 * correct them in.
 */
export function explainRefusal(error: unknown): unknown {
  const isOfValues = error instanceof RefusedByService && error.code === 'invalid-input';
  const sentences = isOfValues ? Object.values(error.particulars.errors ?? {}).flat() : [];
  if (!isOfValues || sentences.length === 0) return error;
  const said = sentences.slice(0, mostSentences).join(' ');
  const detail = `What was there before is not accepted any more: ${said} Nothing was undone. Make the change by hand.`;
  return reworded(error, detail);
}

const mostSentences = 5;

/**
 * @throws {Problem} `changed-since` if a field of the entry was changed again later: an undo must not overwrite that
 * unseen; `no-such-subscriber` if the subscriber was deleted later, and somebody else has the number now
 */
async function checkUnchanged(db: BffDb, entry: ChangeEntry, current: SubscriberDetail): Promise<void> {
  const since = (await findChange(db, entry.id))?.closed_seq ?? 0;
  if (await wasDeleted(db, current.id, since)) throw noSuchSubscriber();
  const [after, masked] = [entry.after ?? {}, maskedPart(current) as RecordPart];
  const names = Object.keys(after) as (keyof RecordPart)[];
  const fields = names.filter((field) => !isSame(field, masked[field], after[field]));
  if (fields.length === 0) return;
  const newest = await findNewest(db, new Map([[current.id, new Set(fields)]]), since);
  const conflicts = fields.map(async (field) => {
    // Named only if they wrote the current value: it may also come from outside the BFF.
    const last = newest.get(current.id)?.get(field);
    const isKnown = last && isSame(field, last.value, masked[field]);
    const { at, ...by } = isKnown ? await authorOf(db, last.row) : nobody;
    return { field, by: at === null ? null : by, at };
  });
  const detail = `Changed again later: ${fields.join(', ')}. Nothing was undone. Undo the later change first, or edit the subscriber.`;
  throw new Problem('changed-since', detail, { obstacles: { conflicts: await Promise.all(conflicts) } });
}

/** Some services give the number of a deleted subscriber to the next one. @param since the link of an outcome */
async function wasDeleted(db: BffDb, id: number, since: number): Promise<boolean> {
  const changes = db.selectFrom('journal').select('id').where('lock_key', '=', `s:${id}`);
  const deletions = changes.where('operation', '=', 'deleteSubscriber').where('outcome', '=', 'done');
  return (await deletions.where('closed_seq', '>', since).limit(1).executeTakeFirst()) !== undefined;
}

const nobody = { name: '', singleSignOn: false, at: null };
