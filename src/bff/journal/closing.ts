import { RecordPart } from '../../contract/bff/journal.ts';
import { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { readJson } from '../upstream/answer.ts';
import type { UpstreamAnswer } from '../upstream/exchange.ts';
import { versionOf } from '../upstream/version.ts';
import type { Closing } from './entries.ts';
import type { Order } from './change-request.ts';
import { differing, maskedPart, pick } from './record.ts';

/** What a change has made of a record, by the service's answer to it. */
export async function closingOf(
  order: Order,
  before: SubscriberDetail | null,
  answer: UpstreamAnswer,
): Promise<Closing> {
  const json = readJson(answer);
  const given = json.ok ? json.value : null;
  const body = 'body' in order.input ? order.input.body : {};
  // What the answer leaves out is as it was, or as it was sent.
  const now = { ...before, ...body, ...RecordPart.safeParse(given).data };
  const id = before?.id ?? SubscriberDetail.shape.id.safeParse(Object(given).id).data ?? null;
  const record = SubscriberDetail.safeParse({ ...now, id }).data;
  const computed = record ? await versionOf(record) : null;
  return {
    outcome: 'done',
    code: null,
    subscriberId: id,
    after: afterOf(order, before, now),
    version: order.operation === 'deleteSubscriber' ? null : (answer.headers.get('ETag') ?? computed),
  };
}

function afterOf(
  { operation, input }: Order,
  before: SubscriberDetail | null,
  now: RecordPart,
): Closing['after'] {
  if (operation === 'deleteSubscriber') return null;
  if (operation === 'createSubscriber' || !before) return maskedPart(now);
  const fields = operation === 'regenerateToken' ? ['accessToken'] : Object.keys(input.body);
  return maskedPart(pick(differing(before, now), fields));
}
