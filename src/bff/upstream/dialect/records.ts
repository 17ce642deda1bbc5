import { fromWallTime } from '../../../contract/bff/extension.ts';
import type { OperationName } from '../../../contract/service/api.ts';
import { isInstant } from '../../../contract/service/times.ts';
import { SubscriberDetail } from '../../../contract/service/subscriber.ts';
import { emptyValues } from '../../../contract/service/subscriber-input.ts';

// The seed of the contract shows no values, so another service may write them otherwise and still be right.

type Values = Record<string, unknown>;

/** Changes each record in an answer: one, a list of them, or a page. */
function mapRecords(body: unknown, change: (record: Values) => Values): unknown {
  const one = (value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? change(value as Values) : value;
  if (Array.isArray(body)) return body.map(one);
  const { items } = Object(body) as { items?: unknown };
  // So some languages write a list of nobody.
  if (items === null) return { ...Object(body), items: [] };
  return Array.isArray(items) ? { ...Object(body), items: items.map(one) } : one(body);
}

/**
 * An answer with digits as numbers, 0 and 1 as switches, and null as what is empty. What else differs stays.
 *
 * @param ids of the statuses, for a service that has only names of them
 */
export const readLoosely = (body: unknown, ids: Readonly<Record<string, number>> = {}) =>
  mapRecords(body, (record) =>
    Object.fromEntries([
      // A token is a bearer token unless its answer says otherwise. Other answers have no such field, and do not keep it.
      ['token_type', 'Bearer'],
      ...Object.entries(record).map(([name, value]) => [name, readField(name, value, ids)]),
    ]),
  );

const mayBeNull = ['email', 'expiresAt', ...Object.keys(emptyValues)];

function readField(name: string, value: unknown, ids: Readonly<Record<string, number>>): unknown {
  const { type } = fields.get(name) ?? {};
  if (type === 'array')
    return value === null ? [] : Array.isArray(value) && name === 'bundles' ? value.map(asNumber) : value;
  if (name === 'status') return asNumber(ids[String(value)] ?? Object(value).id ?? value);
  if (type === 'number' || name === 'expires_in') return asNumber(value ?? undefined);
  if (type === 'boolean') return switches.get(value) ?? value;
  return value === null && mayBeNull.includes(name) ? '' : value;
}

const fields = new Map(Object.entries(SubscriberDetail.shape).map(([name, { def }]) => [name, def]));

const asNumber = (value: unknown) =>
  typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value) ? Number(value) : value;

const switches = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ['0', false],
  ['1', true],
  ['false', false],
  ['true', true],
]);

const withoutRecords: readonly OperationName[] = ['issueToken', 'listStatuses', 'getStatistics'];

/** True if the answer of an operation is a record or a page of them. */
export const hasRecords = (operation: OperationName): boolean => !withoutRecords.includes(operation);

/**
 * The records of an answer with each expiry in UTC; empty where it is no time, or one that each browser would read in its
 * own way, such as 01/02/2027.
 *
 * @param zone of the service's clock
 */
export const withInstants = (body: unknown, zone?: string) =>
  mapRecords(body, (record) => {
    const { expiresAt } = record;
    if (typeof expiresAt !== 'string') return record;
    if (usual.test(expiresAt)) return record;
    return { ...record, expiresAt: toInstant(expiresAt, zone) };
  });

/** Tested instead of parsed, which takes ten times as long: a tenth of the reading of a page. February’s 29th is parsed. */
const day = '(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)';
const usual = new RegExp(`^[1-9]\\d{3}-${day}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{3})?Z$`);

const timePattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(?:(Z|[+-]\d\d)(?::?(\d\d))?)?$/;

function toInstant(text: string, zone = 'UTC'): string {
  const [, date, time = '00:00', hours, minutes = '00'] = timePattern.exec(text) ?? [];
  const iso = `${date}T${time}${hours === undefined || hours === 'Z' ? 'Z' : `${hours}:${minutes}`}`;
  if (!isInstant(iso)) return '';
  const at = Date.parse(iso);
  return new Date(hours === undefined ? fromWallTime(at, zone) : at).toISOString();
}
