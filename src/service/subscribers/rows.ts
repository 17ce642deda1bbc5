import { searchText } from '../../contract/service/search-text.ts';
import type { Selectable } from 'kysely';
import type { Subscriber, SubscriberDetail } from '../../contract/service/subscriber.ts';
import type { SubscriberInput, UpdateBody } from '../../contract/service/subscriber-input.ts';
import type { Bit, SubscriberTable } from '../schema.ts';

/** A subscriber of the database, and its version. */
export interface Stored {
  record: SubscriberDetail;
  version: number;
}

type Row = Selectable<SubscriberTable>;

/** The columns that hold the eleven fields of a list's rows. */
export const summaryColumns = [
  'id',
  'access_token',
  'username',
  'email',
  'expires_at',
  'max_connections',
  'is_trial',
  'note',
  'status_id',
  'hls',
  'mpeg_ts',
] as const satisfies readonly (keyof Row)[];

export function readRow(row: Row): Stored {
  const record = {
    ...readSummary(row),
    bundles: readList<number>(row.bundles),
    ipAddresses: readList<string>(row.ip_addresses),
    userAgents: readList<string>(row.user_agents),
    countries: readList<string>(row.countries),
  };
  return { record, version: row.version };
}

export function readSummary(row: Pick<Row, (typeof summaryColumns)[number]>): Subscriber {
  return {
    id: row.id,
    accessToken: row.access_token,
    username: row.username,
    email: row.email,
    expiresAt: new Date(row.expires_at).toISOString(),
    maxConnections: row.max_connections,
    isTrial: row.is_trial === 1,
    note: row.note,
    status: row.status_id,
    hls: row.hls === 1,
    mpegTs: row.mpeg_ts === 1,
  };
}

/** What `writeColumns` wrote with JSON.stringify, from input that the contract had checked. */
const readList = <T>(text: string) => JSON.parse(text) as T[];

type InputColumns = Omit<Row, 'id' | 'access_token' | 'status_id' | 'version'>;

/** The columns of a body; undefined, which Kysely leaves out, for what an update leaves out. */
export function columnsOf(input: UpdateBody): { [C in keyof InputColumns]: InputColumns[C] | undefined } {
  return {
    username: input.username,
    username_search: given(input.username, searchText),
    email: input.email,
    email_search: given(input.email, searchText),
    expires_at: given(input.expiresAt, Date.parse),
    max_connections: input.maxConnections,
    is_trial: given(input.isTrial, bit),
    note: input.note,
    hls: given(input.hls, bit),
    mpeg_ts: given(input.mpegTs, bit),
    bundles: given(input.bundles, JSON.stringify),
    ip_addresses: given(input.ipAddresses, JSON.stringify),
    user_agents: given(input.userAgents, JSON.stringify),
    countries: given(input.countries, JSON.stringify),
  };
}

/** A whole body leaves no column out, which the types cannot follow through `columnsOf`. */
export const wholeColumnsOf = (input: SubscriberInput) => columnsOf(input) as InputColumns;

function given<T, R>(value: T | undefined, write: (value: T) => R): R | undefined {
  return value === undefined ? undefined : write(value);
}

const bit = (value: boolean): Bit => (value ? 1 : 0);
