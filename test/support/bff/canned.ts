import type { Kysely } from 'kysely';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { noCounts } from '../../../src/bff/jobs/store.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import type { Subscriber } from '../../../src/contract/service/subscriber.ts';
import { addEntries } from './entries.ts';
import type { createUpstream, Seen } from './upstream.ts';

export const subscriber = {
  id: 7,
  accessToken: 'canary-subscriber-token',
  username: 'canary-username',
  email: 'canary@example.com',
  expiresAt: '2027-01-01T00:00:00.000Z',
  maxConnections: 1,
  isTrial: false,
  note: '',
  status: 1,
  hls: true,
  mpegTs: true,
} satisfies Subscriber;

/** The same with its lists, as the journal reads it around each change. */
export const wholeSubscriber = { ...subscriber, bundles: [], ipAddresses: [], userAgents: [], countries: [] };

export const tokenAnswer = (count: number, extra: object = { expires_in: 3600 }) =>
  Response.json({ access_token: `canary-bearer-${count}`, token_type: 'Bearer', ...extra });

export const onlyPage = { items: [subscriber], page: 1, pageSize: 200, totalCount: 1, totalPages: 1 };

const statuses = [{ id: 1, name: 'Active' }];

/** A subscriber with the id or the token of the request, if it has one, and with the fields that it enters. */
function answerOne({ method, url, body }: Seen): Response {
  const isCreation = url.endsWith('/subscribers');
  const id = Number(/\/subscribers\/(\d+)/.exec(url)?.[1] ?? subscriber.id);
  const token = /\/by-token\/([^?]+)/.exec(url)?.[1];
  const changed = {
    ...(token !== undefined && { accessToken: decodeURIComponent(token) }),
    ...(url.endsWith('/regenerate-token') && { accessToken: 'canary-new-token' }),
    ...((method === 'PUT' || isCreation) && (JSON.parse(body) as object)),
  };
  return Response.json({ ...wholeSubscriber, id, ...changed }, { headers: { ETag: '"v1"' } });
}

/** The answers of a service that agrees to everything, answers what it was sent, and keeps nothing of it. */
export const cannedAnswers: Pick<ReturnType<typeof createUpstream>, 'token' | 'operation' | 'lookup'> = {
  token: (count) => tokenAnswer(count),
  operation: (seen) => {
    const { method, url } = seen;
    const { pathname } = new URL(url);
    if (pathname.endsWith('/subscribers') && method === 'GET') return Response.json(onlyPage);
    if (pathname.endsWith('/subscriber-statuses')) return Response.json(statuses);
    if (pathname.endsWith('/statistics')) return Response.json({ statuses, groups: [] });
    return answerOne(seen);
  },
  lookup: answerOne,
};

/** Adds rows for the paths of sample routes, each with the id 7: a colleague, views, a message, an entry. */
export async function addCannedRows(db: Kysely<BffTables>, journalKey: string): Promise<void> {
  await db.updateTable('staff').set({ id: '7' }).where('name', '=', 'colleague').execute();
  for (const { id: owner } of await db.selectFrom('staff').select('id').execute())
    await db
      .insertInto('views')
      .values({ owner, id: '7', place: 0, name: 'Late', query: '{"Expired":"true"}' })
      .execute();
  const message = { language: 'en', name: 'Late', text: 'You are late.', version: 1 };
  await db
    .insertInto('messages')
    .values({ id: '7', occasion: 'general', ...message })
    .execute();
  const at = Date.parse('2025-12-31T00:00:00Z');
  const entry = {
    id: '7',
    operation: 'updateSubscriber',
    outcome: 'done',
    note: '',
    subscriberId: 7,
  } as const;
  await addEntries(db, createMac(journalKey), [entry], at);
  await addCannedJob(db);
}

/** A job that is ready to run, with nobody to change. */
async function addCannedJob(db: Kysely<BffTables>): Promise<void> {
  const made = { staff_id: 'staff', staff_name: 'canary-manager', created_at: 0, request_id: 'r' };
  const figures = { total: 0, ran_for: 0, rows_done: 0, lease_until: 0, fence: 0 };
  const texts = { targets: '{"ids":[7]}', counts: JSON.stringify(noCounts), preview: '{}' };
  await db
    .insertInto('jobs')
    .values({ id: '7', kind: 'delete', state: 'ready', ...made, ...figures, ...texts })
    .execute();
}
