import { sql } from 'kysely';
import { readIfMatch } from '../../contract/http/change-headers.ts';
import { toBase64url } from '../../lib/crypto.ts';
import {
  invalidField,
  invalidInput,
  changedMeanwhile,
  noSubscriberWithToken,
  noSuchSubscriber,
} from '../../contract/http/problem.ts';
import type { Api } from '../../contract/service/api.ts';
import { listNames, type ListName } from '../../contract/service/limits.ts';
import type { SubscriberDetail } from '../../contract/service/subscriber.ts';
import { checkFilters } from '../../contract/service/scan.ts';
import type { Handlers, ServiceDeps } from '../deps.ts';
import type { ServiceDb } from '../schema.ts';
import { canTakeLong, listSubscribers } from './list.ts';
import * as store from './store.ts';
import type { Statistics } from '../../contract/service/statistics.ts';
import { inSnapshot } from '../database.ts';
import { countByValue } from './values.ts';

/** Creates the handlers of the operations on subscribers and their statuses. */
export function subscriberHandlers(
  deps: Pick<ServiceDeps, 'clock' | 'random' | 'runSlowRead'>,
): Omit<Handlers<Api>, 'issueToken'> {
  const newToken = () => toBase64url(deps.random(32));

  return {
    listSubscribers: async ({ query }, { db, signal }) => {
      const disconnected = signal();
      if (query.AfterId !== undefined && (query.Page ?? query.SortBy) !== undefined)
        throw invalidField('AfterId', 'Use it without Page and SortBy.');
      if (query.StatusIds !== undefined && query.StatusId !== undefined)
        throw invalidField('StatusIds', 'Use it without StatusId.');
      checkFilters(query);
      const { Near, PageSize: _size, ...others } = query;
      if (Near !== undefined && Object.values(others).some((value) => value !== undefined))
        throw invalidField('Near', 'Use it alone, or with PageSize.');
      const list = (from: ServiceDb) => listSubscribers(from, query, deps.clock(), disconnected);
      const { runSlowRead } = deps;
      return { body: await (runSlowRead && canTakeLong(query) ? runSlowRead(list, disconnected) : list(db)) };
    },

    createSubscriber: async ({ body }, { db }) =>
      whole(await reportTakenUsername(store.insertSubscriber(db, body, newToken()))),

    async getSubscriber({ params, query }, { db }) {
      const found = await store.findSubscriber(db, params);
      if (!found) throw noSuchSubscriber();
      return answer(found, query.include);
    },

    async getSubscriberByToken({ params, query }, { db }) {
      const found = await store.findSubscriber(db, params);
      if (!found) throw noSubscriberWithToken();
      return answer(found, query.include);
    },

    updateSubscriber: async ({ params, body }, { ifMatch, db }) => {
      const written = await reportTakenUsername(
        store.updateSubscriber(db, targetOf(params.id, ifMatch), body),
      );
      return whole(written ?? (await throwNotWritten(db, params.id)));
    },

    deleteSubscriber: async ({ params }, { ifMatch, db }) => {
      const deleted = await store.deleteSubscriber(db, targetOf(params.id, ifMatch));
      return whole(deleted ?? (await throwNotWritten(db, params.id)));
    },

    regenerateToken: async ({ params }, { ifMatch, db }) => {
      const change = { newToken: newToken() };
      const written = await store.updateSubscriber(db, targetOf(params.id, ifMatch), change);
      return answer(written ?? (await throwNotWritten(db, params.id)));
    },

    getStatistics: async ({ query }, { db, signal }) => {
      const count = (from: ServiceDb) => countSubscribers(from, query.Limits ?? []);
      return { body: await (deps.runSlowRead ? deps.runSlowRead(count, signal()) : count(db)) };
    },

    // Rows of a table, because a deployment may have other statuses.
    listStatuses: async (_, { db }) => ({
      body: await db.selectFrom('subscriber_statuses').select(['id', 'name']).orderBy('id').execute(),
    }),
  };
}

const targetOf = (id: number, ifMatch: string | null): store.Target => ({
  id,
  versions: versionsAllowed(ifMatch, id),
});

/** A record with the requested lists. */
const answer = (row: store.Row, include?: readonly ListName[]) => ({
  body: store.readWithLists(row, include),
  etag: etagOf(row.id, row.version),
});

// It has all lists.
const whole = (row: store.Row) => answer(row, listNames) as { body: SubscriberDetail; etag: string };

/** @throws {Problem} why a write found no record: it is gone, or it is another version than the writer knew */
async function throwNotWritten(db: ServiceDb, id: number): Promise<never> {
  throw (await store.findSubscriber(db, { id })) ? changedMeanwhile() : noSuchSubscriber();
}

/** @throws {Problem} `invalid-input` if the write failed because the username is taken */
async function reportTakenUsername<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (!store.isUsernameTaken(error)) throw error;
    throw invalidInput({ username: ['Username already taken. Choose another.'] });
  }
}

/** The strong validator of a record: its id and version, such as `"12-3"` (RFC 9110 section 8.8.3). */
function etagOf(id: number, version: number): string {
  return `"${id}-${version}"`;
}

/**
 * The versions of a record that an `If-Match` allows to be changed.
 *
 * @returns null for any version: without the header, and for `*` (RFC 9110 section 13.1.1)
 */
function versionsAllowed(ifMatch: string | null, id: number): number[] | null {
  const tags = readIfMatch(ifMatch);
  if (tags === null) return null;
  return tags.flatMap((tag) => {
    const version = Number(/^"\d+-(\d{1,15})"$/.exec(tag)?.[1]);
    return tag === etagOf(id, version) ? [version] : [];
  });
}

/** Counts subscribers by status, plan and expiry, and by bundle and country. Each range is read from the index by expiry, so each row once. */
function countSubscribers(db: ServiceDb, limits: readonly string[]): Promise<Statistics> {
  const from = [Number.MIN_SAFE_INTEGER, ...limits.map((limit) => Date.parse(limit))];
  const ranges = from.map(
    (start, index) =>
      sql`(${sql.lit(index)}, ${sql.lit(start)}, ${sql.lit(from[index + 1] ?? Number.MAX_SAFE_INTEGER)})`,
  );
  return inSnapshot(db, async (snapshot) => {
    const { rows } = await sql<{ range: number; status: number; trial: number; count: number }>`
      with ranges ("range", "start", "stop") as (values ${sql.join(ranges)})
      select "range", status_id as status, is_trial as trial, count(*) as count
      from ranges join subscribers on expires_at >= "start" and expires_at < "stop"
      group by "range", status_id, is_trial order by "range", status_id, is_trial`.execute(snapshot);
    const statuses = await snapshot
      .selectFrom('subscriber_statuses')
      .select(['id', 'name'])
      .orderBy('id')
      .execute();
    const groups = rows.map(({ range, status, trial, count }) => ({
      status,
      isTrial: trial === 1,
      from: limits[range - 1] ?? null,
      count,
    }));
    return { statuses, groups, values: await countByValue(snapshot) };
  });
}
