import { createBff, type BffDeps } from '../../../src/bff/bff.ts';
import { addStaff } from '../../../src/bff/staff.ts';
import { deskMigrations } from '../../../src/bff/store/migrations.ts';
import type { DeskTables } from '../../../src/bff/store/schema.ts';
import type { ExtensionName } from '../../../src/contract/list-query.ts';
import type { Role } from '../../../src/contract/permission.ts';
import { openTestDatabase } from '../../setup/database.ts';
import { asUpstream, createFakeUpstream } from './fake-upstream.ts';

export const publicUrl = 'http://127.0.0.1:8080';
export const password = 'canary-right-password';

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** A desk with an empty database, a service that records, and a clock that moves only when told. */
export async function openDesk(
  options: Partial<Pick<BffDeps, 'visitor' | 'pages' | 'isLeaving' | 'metrics' | 'singleSignOn'>> & {
    extensions?: readonly ExtensionName[];
  } = {},
) {
  const db = await openTestDatabase<DeskTables>('desk', deskMigrations);
  const time = { now: Date.parse('2026-01-01T00:00:00Z') };
  const upstream = createFakeUpstream();
  const passwords = createCountedPasswords();
  const logs: unknown[] = [];
  const deps: BffDeps = {
    db,
    clock: () => time.now,
    random: createSeededRandom(1),
    passwords,
    upstream: {
      ...asUpstream((request) => upstream.fetch(request)),
      ...(options.extensions && { extensions: options.extensions }),
    },
    visitor: options.visitor ?? { kind: 'browser', publicUrl },
    pages: options.pages ?? (async () => new Response('page', { headers: { 'Content-Type': 'text/html' } })),
    log: (level, event, facts) => void logs.push({ level, event, ...facts }),
    wait: async (ms) => void (time.now += ms),
    ...(options.metrics && { metrics: options.metrics }),
    ...(options.isLeaving && { isLeaving: options.isLeaving }),
    ...(options.singleSignOn && { singleSignOn: options.singleSignOn }),
  };
  const bff = createBff(deps);
  return { ...bff, deps, db, time, upstream, passwords, logs };
}

/** A desk with an account for each role, each named after it, a colleague and everybody's view with the id of sample paths. */
export async function openStaffedDesk(options: Parameters<typeof openDesk>[0] = {}) {
  const desk = await openDesk(options);
  for (const role of ['viewer', 'support', 'manager'] as const) await hire(desk, role);
  await hire(desk, 'support', 'colleague');
  await desk.db.updateTable('staff').set({ id: '7' }).where('name', '=', 'colleague').execute();
  for (const { id: owner } of await desk.db.selectFrom('staff').select('id').execute())
    await desk.db
      .insertInto('views')
      .values({ owner, id: '7', place: 0, name: 'Late', query: '{"Expired":"true"}' })
      .execute();
  return desk;
}

export async function hire(desk: Pick<Desk, 'deps'>, role: Role, name: string = role): Promise<void> {
  await addStaff(desk.deps, { name, role, password });
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
