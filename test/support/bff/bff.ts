import { createBff, type BffDeps } from '../../../src/bff/bff.ts';
import { beginEntry, closeEntry } from '../../../src/bff/journal/entries.ts';
import { createMac } from '../../../src/bff/journal/chain.ts';
import { addStaff } from '../../../src/bff/staff/store.ts';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import type { BffTables } from '../../../src/bff/schema.ts';
import type { ExtensionName } from '../../../src/contract/service/list-query.ts';
import type { Role } from '../../../src/contract/bff/permission.ts';
import { openTestDatabase } from '../setup/database.ts';
import { asUpstream, createFakeUpstream } from './fake-upstream.ts';

export const publicUrl = 'http://127.0.0.1:8080';
export const journalKey = 'A'.repeat(43);
export const password = 'canary-right-password';

export type TestBff = Awaited<ReturnType<typeof openBff>>;

/** A BFF with an empty database, a service that records, and a clock that only the test moves. */
export async function openBff(
  options: Partial<
    Pick<
      BffDeps,
      'transport' | 'pages' | 'isStopping' | 'metrics' | 'singleSignOn' | 'wait' | 'clock' | 'upstream'
    >
  > & {
    extensions?: readonly ExtensionName[];
  } = {},
) {
  const db = await openTestDatabase<BffTables>('bff', bffMigrations);
  const time = { now: Date.parse('2026-01-01T00:00:00Z') };
  const upstream = createFakeUpstream();
  const passwords = createCountedPasswords();
  const logs: unknown[] = [];
  const deps: BffDeps = {
    db,
    clock: options.clock ?? (() => time.now),
    random: createSeededRandom(1),
    passwords,
    journalKey,
    upstream: {
      ...asUpstream((request) => upstream.fetch(request)),
      ...options.upstream,
      ...(options.extensions && { extensions: options.extensions }),
    },
    transport: options.transport ?? { kind: 'http', publicUrl },
    pages: options.pages ?? (async () => new Response('page', { headers: { 'Content-Type': 'text/html' } })),
    log: (level, event, facts) => void logs.push({ level, event, ...facts }),
    wait: options.wait ?? (async (ms) => void (time.now += Math.ceil(ms))),
    ...(options.metrics && { metrics: options.metrics }),
    ...(options.isStopping && { isStopping: options.isStopping }),
    ...(options.singleSignOn && { singleSignOn: options.singleSignOn }),
  };
  const bff = createBff(deps);
  return { ...bff, deps, db, time, upstream, passwords, logs };
}

/** A BFF with an account named after each role, a colleague, and for each the view with the id of the sample paths. */
export async function openStaffedBff(options: Parameters<typeof openBff>[0] = {}) {
  const bff = await openBff(options);
  for (const role of ['viewer', 'support', 'manager'] as const) await hire(bff, role);
  await hire(bff, 'support', 'colleague');
  await bff.db.updateTable('staff').set({ id: '7' }).where('name', '=', 'colleague').execute();
  for (const { id: owner } of await bff.db.selectFrom('staff').select('id').execute())
    await bff.db
      .insertInto('views')
      .values({ owner, id: '7', place: 0, name: 'Late', query: '{"Expired":"true"}' })
      .execute();
  await addSampleEntry(bff.db);
  return bff;
}

/** A change that somebody once made to the service's subscriber, with the id that sample paths have. */
async function addSampleEntry(db: BffDeps['db']): Promise<void> {
  const mac = createMac(journalKey);
  const draft = {
    id: '7',
    at: Date.parse('2025-12-31T00:00:00Z'),
    staff_id: '7',
    staff_name: 'colleague',
    operation: 'updateSubscriber' as const,
    subscriber_id: 7,
    username: 'canary-username',
    input: '{"note":""}',
    before_record: '{"note":"was here"}',
    token_mac: null,
    reason: null,
    request_id: 'r',
    undo_of: null,
    lock_key: 's:7',
  };
  const closing = {
    outcome: 'done' as const,
    code: null,
    subscriberId: 7,
    after: { note: '' },
    version: null,
  };
  await beginEntry(db, mac, draft, { seen: null, claim: null });
  await closeEntry(db, mac, '7', { closing, now: draft.at, sealed: null });
}

export async function hire(bff: Pick<TestBff, 'deps'>, role: Role, name: string = role): Promise<void> {
  await addStaff(bff.deps, { name, role, password });
}

/** Passwords whose "hash" costs nothing, counted; what is no hash is refused at once, as a real one refuses it. */
function createCountedPasswords() {
  const counted = {
    hashed: 0,
    verified: 0,
    async hash(text: string) {
      counted.hashed += 1;
      return `hash of ${[...text].toReversed().join('')}`;
    },
    async verify(text: string, hash: string) {
      if (!hash.startsWith('hash of ')) return false;
      counted.verified += 1;
      return hash === `hash of ${[...text].toReversed().join('')}`;
    },
  };
  return counted;
}

/** Bytes that differ from call to call and repeat from run to run (mulberry32). */
export function createSeededRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) & 0xff;
  };
  return (bytes: number) => Uint8Array.from({ length: bytes }, next);
}
