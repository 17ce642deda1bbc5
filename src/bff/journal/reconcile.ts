import type { Change } from '../../contract/bff/journal.ts';
import type { SubscriberInput } from '../../contract/service/subscriber-input.ts';
import type { JournalTable } from './schema.ts';
import type { Caller, CallContext } from '../upstream/call.ts';
import { failureOf } from '../upstream/failures.ts';
import type { Db } from './chain.ts';
import type { Closing } from './entries.ts';
import { partIn } from './entry.ts';
import { findByInput } from './find-by-input.ts';
import type { Mac } from './mac.ts';
import { differing, isSame, maskedPart, pick, readRecord, type Known } from './record.ts';

/** What reading the service says about a change of which no answer came, and the record by which it says so. */
export interface Settled {
  closing: Closing;
  known: Known | null;
}

/**
 * Finds out by reading whether a change was done.
 *
 * @throws {Refusal} where the service cannot be read either
 */
export async function settle(
  deps: { db: Db; caller: Caller; mac: Mac },
  entry: JournalTable,
  context: Pick<CallContext, 'atMost'> = {},
): Promise<Settled> {
  const reading = { ...context, role: 'viewer', requestId: entry.request_id } as const;
  if (entry.operation === 'createSubscriber') {
    const found = await findByInput(deps, entry, reading);
    return found ? done(found, found.record.id, maskedPart(found.record)) : settled('failed', entry);
  }
  const answer = await readRecord(deps.caller, Number(entry.subscriber_id), reading);
  if (!('record' in answer)) {
    if (answer.status !== 404) throw failureOf(answer.status);
    return entry.operation === 'deleteSubscriber' ? settled('done', entry) : settled('unknown', entry);
  }
  return judge[entry.operation](deps, entry, answer);
}

type Judge = (deps: { mac: Mac }, entry: JournalTable, now: Known) => Promise<Settled>;

const judge: Record<Exclude<Change, 'createSubscriber'>, Judge> = {
  deleteSubscriber: async (_, entry) => settled('failed', entry),
  async regenerateToken({ mac }, entry, now) {
    const { accessToken } = now.record;
    if ((await mac('token', accessToken)) === entry.token_mac) return settled('failed', entry);
    return done(now, now.record.id, maskedPart({ accessToken }));
  },
  async updateSubscriber(_, entry, now) {
    const { accessToken: _token, ...record } = now.record;
    const before = partIn(entry.before_record) ?? {};
    const wanted = differing(before, partIn(entry.input) ?? {});
    const fields = Object.keys(wanted) as (keyof SubscriberInput)[];
    if (fields.every((field) => isSame(field, record[field], wanted[field])))
      return done(now, record.id, pick(record, fields));
    const untouched = fields.every((field) => isSame(field, record[field], before[field]));
    return settled(untouched ? 'failed' : 'unknown', entry);
  },
};

const done = (known: Known, subscriberId: number, after: Closing['after']): Settled => ({
  known,
  closing: { outcome: 'done', code: null, subscriberId, after, version: known.version },
});

function settled(outcome: Closing['outcome'], entry: JournalTable): Settled {
  const code = outcome === 'failed' ? 'upstream-unreachable' : null;
  const subscriberId = entry.subscriber_id;
  return { known: null, closing: { outcome, code, subscriberId, after: null, version: null } };
}
