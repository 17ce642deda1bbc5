import type { Selectable } from 'kysely';
import { signInQueues } from '../../src/bff/auth/sign-in.ts';
import { createBff, type BffDeps, type Upstream } from '../../src/bff/http/bff.ts';
import { bffMigrations } from '../../src/bff/migrations.ts';
import type { BffTables, StaffTable } from '../../src/bff/schema.ts';
import { addStaff } from '../../src/bff/staff/store.ts';
import { upstreamLimits } from '../../src/bff/upstream/exchange.ts';
import type { Role } from '../../src/contract/bff/permission.ts';
import { createClient } from '../../src/contract/http/client.ts';
import { api } from '../../src/contract/service/api.ts';
import { listNames } from '../../src/contract/service/limits.ts';
import type { SubscriberInput } from '../../src/contract/service/subscriber-input.ts';
import type { SubscriberDetail } from '../../src/contract/service/subscriber.ts';
import { createSeededRandom } from '../../src/service/samples/seeded-random.ts';
import { addSamples } from '../../src/service/samples/samples.ts';
import { password as usualPassword, publicUrl } from './bff/browser.ts';
import { addCannedRows, cannedAnswers } from './bff/canned.ts';
import { createPerson } from './bff/person.ts';
import { asUpstream, createUpstream, upstreamBase } from './bff/upstream.ts';
import { startService, type TestService } from './service/harness.ts';
import { openTestDatabase, whenOver } from './setup/database.ts';

/** The tests' time, in ms since 1970, to be put forward by a test; and how the BFF waits in it. */
export interface TestTime {
  now: number;
  wait?: (ms: number) => Promise<void>;
}

/** Options of a test. Beside these it may replace anything that `createBff` is given. */
export interface TestDeskOptions extends Partial<Omit<BffDeps, 'clock' | 'upstream'>> {
  /**
   * `real`, unless given. `canned` answers every request well with the same subscriber, and all that the sample routes
   * name exists, with the id 7; for tests of what passes through the BFF.
   */
  service?: 'real' | 'canned';
  /** The subscribers. Each gets the next id, from 1. */
  people?: readonly SubscriberInput[];
  /** Number of made-up subscribers before those. */
  samples?: number;
  /** The accounts by name; one named after each role and a colleague unless given, and none where nobody signs in. */
  staff?: Readonly<Record<string, Role>>;
  /** The first moment of 2026 unless given, where only tests and the BFF's waiting move it on. */
  time?: TestTime;
  /** Changes to the connection to the service, such as its extensions. */
  upstream?: Partial<Upstream>;
}

export type TestDesk = Awaited<ReturnType<typeof createTestDesk>>;

/** The limits of calls to the service but for the token: the first one starts the service, which a busy machine does slowly. */
export const patientLimits = { ...upstreamLimits, token: 10 * 60_000 };

// Tests fill these queues with a hundred sign-ins, which takes a busy machine longer.
for (const queue of Object.values(signInQueues)) queue.patience = 10 * 60_000;

export const journalKey = 'A'.repeat(43);
const secondFactorKey = 'canary-second-factor-key'.padEnd(43, '-');
const usualStaff = {
  viewer: 'viewer',
  support: 'support',
  manager: 'manager',
  colleague: 'support',
} as const;

/**
 * Opens a desk for the running test, the one way to do so in a process: the real BFF before the real service, each on an
 * empty database of the engine that this run of the suite is for. All of it is gone when the test is over. `openApp` in
 * `app/page.tsx` opens the dashboard on such a desk.
 *
 * @example
 * const desk = await createTestDesk({ people: [anna] });
 * const support = await desk.signIn('support');
 * await support.api.updateSubscriber({ params: { id: 1 }, body: { note: 'Called.' } });
 * expect((await desk.saved()).note).toBe('Called.');
 *
 * @example
 * // The service fails, and the BFF says so.
 * desk.upstream.operation = () => new Response(null, { status: 500 });
 * expect((await support.ask('GET', '/api/subscribers')).status).toBe(502);
 * expect(desk.logs).toContainEqual(expect.objectContaining({ event: 'upstream-answered' }));
 */
export async function createTestDesk(options: TestDeskOptions = {}) {
  const { service: kind, people = [], samples = 0, staff, upstream: connection, ...replaced } = options;
  const { time = stillTime(), transport = { kind: 'http', publicUrl }, ...others } = replaced;
  const passwords = createCountedPasswords();
  const logs: Record<string, unknown>[] = [];

  let started: Promise<TestService> | null = null;
  // Many tests need none, so it starts with the first request that gets there.
  const real = () => (started ??= startService({ time, seed: 2 }));
  const service = createClient(api, {
    fetch: async (request) => (await real()).fetchWithToken(request),
    base: upstreamBase,
  });
  const upstream = createUpstream(async (request) => (await real()).fetch(request));
  if (kind === 'canned') Object.assign(upstream, cannedAnswers);

  const deps: BffDeps = {
    db: others.db ?? (await openTestDatabase<BffTables>('bff', bffMigrations)),
    clock: () => time.now,
    random: createSeededRandom(1).bytes,
    passwords,
    journalKey,
    secondFactorKey,
    upstream: { ...asUpstream((request) => upstream.fetch(request)), ...connection },
    transport,
    pages: async () => new Response('page', { headers: { 'Content-Type': 'text/html' } }),
    log: (level, event, details) => void logs.push({ level, event, ...details }),
    limits: patientLimits,
    ...(time.wait && { wait: time.wait }),
    ...others,
  };
  const bff = createBff(deps);
  whenOver(() => bff.stop());
  const hire = (role: Role, name: string = role) => addStaff(deps, { name, role, password: usualPassword });
  const accounts = staff ?? ('staff' in transport ? {} : usualStaff);
  for (const [name, role] of Object.entries<Role>(accounts)) await hire(role, name);
  if (kind === 'canned') await addCannedRows(deps.db, journalKey);
  if (samples > 0) await addSamples((await real()).db, { count: samples, seed: 1, now: time.now });
  const made: SubscriberDetail[] = [];
  let replicas = 0;
  for (const body of people) made.push((await service.createSubscriber({ body })).data);

  return {
    ...bff,
    /** Dependencies of the BFF: for another one on the same database, `createBff({ ...desk.deps, … })`. */
    deps,
    db: deps.db,
    /** All rows of a table of the BFF. */
    rows: <T extends keyof BffTables>(table: T) =>
      deps.db.selectFrom<keyof BffTables>(table).selectAll().execute() as Promise<Selectable<BffTables[T]>[]>,
    time,
    passwords,
    /** The lines that the BFF logged. */
    logs,
    /** Between the BFF and the service: what passed, and what is to go wrong. */
    upstream,
    /** Typed calls of the service by another client: for changes that pass no BFF, and to check its data. */
    service,
    /** A subscriber as the service has it now, with the lists; the first unless given. */
    saved: async (id = 1) =>
      (await service.getSubscriber({ params: { id }, query: { include: [...listNames] } })).data,
    serviceDb: async () => (await real()).db,
    /** The subscribers of the option. */
    people: made,
    /** Adds an account. */
    hire,
    /** Changes an account past the BFF. */
    changeAccount: (name: string, change: Partial<StaffTable>) =>
      deps.db.updateTable('staff').set(change).where('name', '=', name).execute(),
    /** Another server on the same database. */
    openReplica: (change: Partial<BffDeps> = {}) => {
      replicas += 1;
      const replica = createBff({ ...deps, random: createSeededRandom(1 + replicas).bytes, ...change });
      whenOver(() => replica.stop());
      return replica;
    },
    /** A user of an account, in a browser of their own. */
    signIn: async (name: string, password = usualPassword) => {
      const person = createPerson(bff.fetch, baseOf(transport));
      const { status } = await person.ask('POST', '/bff/session', { name, password });
      if (status !== 200) throw new Error(`Sign-in was answered with ${status}.`);
      return person;
    },
    /** A user who need not sign in, at a BFF process of their own on the same database. */
    as: (role: Role, name: string = role, change: Partial<BffDeps> = {}) => {
      const own = createBff({ ...deps, ...change, transport: { kind: 'tab', staff: { name, role } } });
      whenOver(() => own.stop());
      return { ...createPerson(own.fetch, publicUrl), runMaintenance: own.runMaintenance };
    },
  };
}

const baseOf = (transport: BffDeps['transport']) =>
  transport.kind === 'http' ? transport.publicUrl : publicUrl;

const newYear = Date.parse('2026-01-01T00:00:00Z');

function stillTime(): TestTime {
  const time = { now: newYear, wait: async (ms: number) => void (time.now += Math.ceil(ms)) };
  return time;
}

/**
 * Time that passes by itself: for changes that wait for each other, which they do twenty times as fast. From one look at
 * the clock to the next, at most a second passes: a change is not late because the machine has stalled.
 */
export function runningTime(): TestTime {
  let [time, lookedAt] = [newYear, performance.now()];
  return {
    get now() {
      const at = performance.now();
      time += Math.min(at - lookedAt, 1000);
      lookedAt = at;
      return Math.floor(time);
    },
    set now(moment) {
      [time, lookedAt] = [moment, performance.now()];
    },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms / 20)),
  };
}

/** Passwords whose "hash" costs nothing, counted; what is no hash is refused at once, as a real one refuses it. */
function createCountedPasswords() {
  const hashOf = (text: string) => `hash of ${[...text].toReversed().join('')}`;
  const counted = {
    hashed: 0,
    verified: 0,
    async hash(text: string) {
      counted.hashed += 1;
      return hashOf(text);
    },
    async verify(text: string, hash: string) {
      if (!hash.startsWith('hash of ')) return false;
      counted.verified += 1;
      return hash === hashOf(text);
    },
  };
  return counted;
}
