import { maskedToken } from '../../contract/bff/access-token.ts';
import { RecordPart } from '../../contract/bff/journal.ts';
import { listNames, SubscriberDetail } from '../../contract/service/subscriber.ts';
import { enteredFields, type UpdateBody } from '../../contract/service/subscriber-input.ts';
import { readJson } from '../upstream/answer.ts';
import type { CallContext, Caller } from '../upstream/call.ts';
import type { UpstreamAnswer } from '../upstream/exchange.ts';
import { badUpstream } from '../upstream/failures.ts';

/** A subscriber as the service has it now, with all lists. */
export interface CurrentRecord {
  record: SubscriberDetail;
  version: string | null;
}

/**
 * Reads a subscriber, never from an answer that is shared with an earlier read.
 *
 * @returns the service's own answer where it is not a 200
 * @throws {Refusal} where the service gives no answer that can be used
 */
export async function readRecord(
  caller: Caller,
  id: number,
  context: Pick<CallContext, 'role' | 'requestId' | 'traceContext' | 'atMost'>,
): Promise<CurrentRecord | UpstreamAnswer> {
  const input = { params: { id }, query: { include: [...listNames] } };
  const answer = await caller.call('getSubscriber', input, { ...context, ifMatch: null, fresh: true });
  if (answer.status !== 200) return answer;
  const json = readJson(answer);
  const record = json.ok ? SubscriberDetail.safeParse(json.value).data : undefined;
  if (!record) throw badUpstream();
  return { record, version: answer.headers.get('ETag') };
}

const partFields = Object.keys(SubscriberDetail.shape).filter(
  (name) => name !== 'id',
) as (keyof RecordPart)[];

/** The fields that people enter, without what the service adds. */
export function pickEntered(record: RecordPart): UpdateBody {
  return pick(record, enteredFields);
}

/** A record, or a part of one, as the journal stores it: without its id, its token masked. */
export function maskedPart<T extends RecordPart>(record: T): Omit<T, 'id'> {
  const { id: _, ...part } = { id: null, ...record };
  const { accessToken } = part;
  return { ...part, ...(accessToken !== undefined && { accessToken: maskedToken(accessToken) }) };
}

/** Parses a part of a record that the journal has stored. */
export function parsePart(text: string | null): RecordPart | null {
  return text === null ? null : RecordPart.parse(JSON.parse(text));
}

/** The fields of the second that are given and differ from the first's. */
export function differing(first: RecordPart, second: RecordPart): RecordPart {
  const fields = partFields.filter(
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
