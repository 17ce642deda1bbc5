import type { Change } from '../../contract/bff/journal.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import { Subscriber } from '../../contract/service/subscriber.ts';
import type { JournalTable } from './schema.ts';
import { failureOf } from '../upstream/failures.ts';
import type { JournalParts } from './change-request.ts';
import { partIn } from './entry.ts';
import { readRecord, type Known } from './record.ts';

/** What is answered where the service's own answer did not come, but reading it shows that the change was done. */
export function answerNow(operation: Change, known: Known | null): Response {
  if (!known) throw outcomeUnknown();
  const { record, version } = known;
  const headers = { ...(version !== null && operation !== 'deleteSubscriber' && { ETag: version }) };
  return Response.json(operation === 'regenerateToken' ? Subscriber.parse(record) : record, { headers });
}

/**
 * What is answered to a change that is asked for again and whose answer was never kept: the record as it is by now;
 * of a deletion as it last was, with what is left of its token.
 *
 * @throws {Refusal} `outcome-unknown`, or what reading the service comes to
 */
export async function answerLater(parts: JournalParts, entry: JournalTable): Promise<Response> {
  const id = entry.subscriber_id;
  if (entry.outcome !== 'done' || id === null) throw outcomeUnknown();
  if (entry.operation === 'deleteSubscriber') return Response.json({ id, ...partIn(entry.before_record) });
  const known = await readRecord(parts.caller, id, { role: 'viewer', requestId: entry.request_id });
  if ('record' in known) return answerNow(entry.operation, known);
  if (known.status !== 404) throw failureOf(known.status);
  throw new Refusal('no-such-subscriber', 'This was done, and the subscriber was deleted since.');
}

export const outcomeUnknown = () =>
  new Refusal(
    'outcome-unknown',
    'It is not known whether this was done. Wait half a minute and look at the subscriber before you try again.',
    { headers: { 'Retry-After': '30' } },
  );
