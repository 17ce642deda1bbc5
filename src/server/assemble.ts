import { hash } from 'node:crypto';
import { toBase64url } from '../contract/http/crypto.ts';
import { createBff, type BffDeps } from '../bff/bff.ts';
import { makeOneTimePassword } from '../bff/auth/one-time-password.ts';
import { addStaff, hasStaff } from '../bff/staff/store.ts';
import { bffMigrations } from '../bff/migrations.ts';
import { findOrCreateSecret } from '../bff/auth/secrets.ts';
import type { BffTables } from '../bff/schema.ts';
import { serviceMigrations } from '../service/migrations.ts';
import type { ServiceTables } from '../service/schema.ts';
import type { Config } from './config/config.ts';
import { placeOf } from './config/database-config.ts';
import { embedService, fillEmbeddedService } from './embedded-service.ts';
import { isJson } from './is-json.ts';
import { openDatabase } from './open-database.ts';
import { createOutgoingAnywhere } from './http/outgoing-anywhere.ts';
import { createPasswords } from './passwords.ts';
import { processFigures } from './metrics/process-figures.ts';
import { reachService } from './reach-service.ts';
import type { Fetch } from './http/request-listener.ts';
import { beginServing } from './sql/node-sqlite.ts';

interface Parts extends Pick<BffDeps, 'clock' | 'random' | 'log' | 'pages' | 'isLeaving'> {
  config: Config;
  publicUrl: string;
}

export interface Desk {
  fetch: Fetch;
  /** The account that this start made; its password where it was generated and nobody knows it yet. */
  firstAccount: { name: string; password: string | null } | null;
  close: () => Promise<void>;
}

/**
 * The whole desk: the BFF, and behind it the service, in the same process or, by HTTP, elsewhere. What is in the process
 * keeps its own tables in a SQLite file in `DATA_DIR`, or in PostgreSQL.
 *
 * @throws {CannotStart} where a database cannot be used
 */
export async function assembleDesk(parts: Parts): Promise<Desk> {
  const { config, publicUrl, clock, random, log, pages } = parts;
  const { db, passwords, secret, journalKey, firstAccount } = await openDesk(parts);
  const service = config.upstream ? reachService(config.upstream) : await openService(parts, secret);
  const outgoing = createOutgoingAnywhere();
  const metrics = await openMetrics(config);
  const bff = createBff({
    db,
    clock,
    random,
    passwords,
    sha256: (text) => hash('sha256', text, 'base64url'),
    isJson,
    journalKey,
    journalDays: config.journalDays,
    upstream: service.upstream,
    transport: { kind: 'http', publicUrl },
    ...(config.openId && { singleSignOn: { ...config.openId, fetch: outgoing.fetch } }),
    pages,
    ...(parts.isLeaving && { isLeaving: parts.isLeaving }),
    log,
    ...(metrics && { metrics }),
  });
  const tending = setInterval(() => void bff.runMaintenance(), tendEvery);
  void bff.runMaintenance();
  return {
    fetch: bff.fetch,
    firstAccount,
    close: async () => {
      clearInterval(tending);
      await db.destroy();
      await service.close();
      await outgoing.close();
    },
  };
}

/** In ms. */
const tendEvery = 60_000;

/** Its library costs a start some 50 ms of processor time: loaded only where somebody may read what it keeps. */
async function openMetrics({ metricsToken: token }: Config): Promise<BffDeps['metrics']> {
  if (token === null) return undefined;
  const { createBffMetrics } = await import('./metrics/desk-figures.ts');
  return { token, figures: createBffMetrics(processFigures) };
}

/** The desk's own tables, with the first account and the client secret, which replicas share by them. */
async function openDesk({ config, clock, random }: Parts) {
  const passwords = createPasswords(random);
  let [secret, journalKey] = ['', ''];
  let firstAccount: Desk['firstAccount'] = null;
  const db = await openDatabase<BffTables>(await placeOf('desk', config), {
    room: 'desk',
    migrations: bffMigrations,
    fill: async (alone) => {
      const generate = () => toBase64url(random(32));
      secret = await findOrCreateSecret(alone, 'client-secret', generate);
      journalKey = await findOrCreateSecret(alone, 'journal-key', generate);
      firstAccount = (await hasStaff(alone))
        ? null
        : await addManager({ db: alone, passwords, random, clock }, config);
    },
  });
  await beginServing(db);
  return { db, passwords, secret, journalKey, firstAccount };
}

/** The service in the same process, on tables of its own. */
async function openService({ config, clock, random, log }: Parts, clientSecret: string) {
  const db = await openDatabase<ServiceTables>(await placeOf('service', config), {
    room: 'service',
    migrations: serviceMigrations,
    fill: (alone) =>
      fillEmbeddedService(alone, { clientSecret, samples: config.sampleSubscribers, now: clock() }),
  });
  await beginServing(db);
  const upstream = embedService({ db, clock, random, log: inRoom(log, 'service') }, clientSecret);
  return { upstream, close: () => db.destroy() };
}

/** The service in this process writes to the desk's log; its lines say whose they are. */
function inRoom(log: BffDeps['log'], room: string): BffDeps['log'] {
  return (level, event, facts) => log(level, event, { room, ...facts });
}

async function addManager(deps: Parameters<typeof addStaff>[0], { managerPassword }: Config) {
  const generated = managerPassword === null ? makeOneTimePassword(deps.random) : null;
  const password = managerPassword ?? generated ?? '';
  await addStaff(deps, { name: 'manager', role: 'manager', password });
  return { name: 'manager', password: generated };
}
