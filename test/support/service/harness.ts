import type { Kysely } from 'kysely';
import { scopes } from '../../../src/contract/service/token.ts';
import { setApiClient } from '../../../src/service/oauth/api-clients.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { createService } from '../../../src/service/http/service.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceDeps } from '../../../src/service/deps.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { openTestDatabase, openTwice } from '../setup/database.ts';
import { createCalls, tokenRequest as requestOf } from './calls.ts';

export const issuer = 'https://service.example';
export const credentials = { id: 'desk', secret: 'canary-client-secret' };

export type TestService = Awaited<ReturnType<typeof startService>>;

/** A migrated database for the running test. */
export function openStore(): Promise<Kysely<ServiceTables>> {
  return openTestDatabase<ServiceTables>('service', serviceMigrations);
}

/**
 * The service alone, for tests of it and behind every `createTestDesk`: with one API client that may do everything, at noon
 * of the first of June 2026 unless there is a `time`.
 */
export async function startService(
  given: {
    db?: Kysely<ServiceTables>;
    runSlowRead?: ServiceDeps['runSlowRead'];
    seed?: number;
    /** The service's clock, in ms since 1970, to be put forward by a test. */
    time?: { now: number };
  } = {},
) {
  const db = given.db ?? (await openStore());
  await setApiClient(db, { id: credentials.id, secrets: [credentials.secret], scopes });
  const { time = { now: Date.parse('2026-06-01T12:00:00Z') } } = given;
  const log: { level: string; event: string; details: Readonly<Record<string, unknown>> }[] = [];
  const { fetch } = createService({
    db,
    ...(given.runSlowRead && { runSlowRead: given.runSlowRead }),
    clock: () => time.now,
    random: createSeededRandom(given.seed ?? 1).bytes,
    issuer,
    log: (level, event, details = {}) => log.push({ level, event, details }),
  });
  const calls = await createCalls({ base: issuer, credentials, fetch });
  log.length = 0;
  return { ...calls, db, time, log };
}

/** Two services, each with its own connection to one database. */
export async function startTwo() {
  const [first, second] = await openTwice<ServiceTables>('service', serviceMigrations);
  return {
    one: await startService({ db: first, seed: 1 }),
    other: await startService({ db: second, seed: 2 }),
  };
}

/** A token request that is right but for the fields that are given; null leaves one out. */
export const tokenRequest = (fields: Readonly<Record<string, string | null>>) =>
  requestOf({ base: issuer, credentials }, fields);
