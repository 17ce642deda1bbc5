import type { RecordPart } from '../../contract/bff/journal.ts';
import { maskedToken } from '../../contract/bff/access-token.ts';
import { listNames, SubscriberDetail } from '../../contract/service/subscriber.ts';
import { SubscriberInput, type UpdateBody } from '../../contract/service/subscriber-input.ts';
import type { Caller, CallContext } from '../upstream/call.ts';
import { badUpstream } from '../upstream/failures.ts';
import { readJson } from '../upstream/answer.ts';
import type { UpstreamAnswer } from '../upstream/exchange.ts';

/** A subscriber as it is, with all lists, and the answer that it came in. */
export interface Known {
  record: SubscriberDetail;
  version: string | null;
  answer: UpstreamAnswer;
}

/**
 * Reads a subscriber anew.
 *
 * @returns the service's own answer where it is not there
 * @throws {Refusal} where the service gives no answer that can be used
 */
export async function readRecord(
  caller: Caller,
  id: number,
  context: Pick<CallContext, 'role' | 'requestId' | 'traceContext' | 'atMost'>,
): Promise<Known | UpstreamAnswer> {
  const input = { params: { id }, query: { include: [...listNames] } };
  const answer = await caller.call('getSubscriber', input, { ...context, ifMatch: null, fresh: true });
  if (answer.status !== 200) return answer;
  const json = readJson(answer);
  const record = json.ok ? SubscriberDetail.safeParse(json.value).data : undefined;
  if (!record) throw badUpstream();
  return { record, version: answer.headers.get('ETag'), answer };
}

export const enteredFields = Object.keys(SubscriberInput.shape) as (keyof SubscriberInput)[];
const ownFields = Object.keys(SubscriberDetail.shape).filter((name) => name !== 'id') as (keyof RecordPart)[];

/** What a person once entered, without what the service adds. */
export function enteredIn(record: RecordPart): UpdateBody {
  return pick(record, enteredFields);
}

/** A record, or a part of one, as the journal keeps it. */
export function maskedPart<T extends RecordPart>(record: T): Omit<T, 'id'> {
  const { id: _, ...part } = { id: null, ...record };
  const { accessToken } = part;
  return { ...part, ...(accessToken !== undefined && { accessToken: maskedToken(accessToken) }) };
}

/** The fields of the second that are there and differ from the first's. */
export function differing(first: RecordPart, second: RecordPart): RecordPart {
  const fields = ownFields.filter(
    (field) => second[field] !== undefined && !isSame(field, first[field], second[field]),
  );
  return pick(second, fields);
}

export function pick(part: RecordPart, fields: readonly string[]): RecordPart {
  return Object.fromEntries(Object.entries(part).filter(([name]) => fields.includes(name)));
}

/** Whether a field is the same, however a service writes it: a time in another zone, a list in another order. */
export function isSame(field: keyof RecordPart, one: unknown, other: unknown): boolean {
  return comparable(field, one) === comparable(field, other);
}

function comparable(field: keyof RecordPart, value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(String).toSorted());
  const time = field === 'expiresAt' && typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? JSON.stringify(value ?? null) : String(time);
}
