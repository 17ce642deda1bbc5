import { hash } from 'node:crypto';
import { createBff, type BffDeps, type Upstream } from '../bff/bff.ts';
import { makeOneTimePassword } from '../bff/sign-in/one-time-password.ts';
import { addStaff, hasStaff } from '../bff/staff.ts';
import { deskMigrations } from '../bff/store/migrations.ts';
import { keepSecret } from '../bff/store/secrets.ts';
import type { DeskTables } from '../bff/store/schema.ts';
import { exchangeByFetch } from '../bff/upstream/by-fetch.ts';
import { extensionNames } from '../contract/list-query.ts';
import { scopes } from '../contract/token.ts';
import { setApiClient } from '../service/api-clients.ts';
import { addSamples, hasSubscribers } from '../service/samples.ts';
import { createService } from '../service/service.ts';
import { serviceMigrations } from '../service/store/migrations.ts';
import type { ServiceTables } from '../service/store/schema.ts';
import type { Config } from './config.ts';
import { placeOf } from './database-place.ts';
import { openDatabase } from './open-database.ts';
import { createOutgoingAnywhere } from './outgoing-anywhere.ts';
import { createPasswords } from './passwords.ts';
import { processFigures } from './process-figures.ts';
import { reachService } from './reach-service.ts';
import type { Fetch } from './request-listener.ts';
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
  const { db, passwords, secret, firstAccount } = await openDesk(parts);
  const service = config.upstream ? reachService(config.upstream) : await embedService(parts, secret);
  const outgoing = createOutgoingAnywhere();
  const bff = createBff({
    db,
    clock,
    random,
    passwords,
    digest: (text) => hash('sha256', text, 'base64url'),
    upstream: service.upstream,
    visitor: { kind: 'browser', publicUrl },
    ...(config.openId && { singleSignOn: { ...config.openId, fetch: outgoing.fetch } }),
    pages,
    ...(parts.isLeaving && { isLeaving: parts.isLeaving }),
    log,
    ...(config.metricsToken !== null && {
      metrics: { token: config.metricsToken, process: processFigures },
    }),
  });
  return {
    fetch: bff.fetch,
    firstAccount,
    close: async () => {
      await db.destroy();
      await service.close();
      await outgoing.close();
    },
  };
}

/** Where the embedded service believes to be. Requests to it never leave the process; `.internal` is nobody's. */
const embeddedUrl = 'http://subscriber-service.internal';
const clientId = 'subscriber-desk';

/** The desk's own tables, with the first account and the client secret, which replicas share by them. */
async function openDesk({ config, clock, random }: Parts) {
  const passwords = createPasswords(random);
  let secret = '';
  let firstAccount: Desk['firstAccount'] = null;
  const db = await openDatabase<DeskTables>(await placeOf('desk', config), {
    room: 'desk',
    migrations: deskMigrations,
    fill: async (alone) => {
      secret = await keepSecret(alone, 'client-secret', () => Buffer.from(random(32)).toString('base64url'));
      firstAccount = (await hasStaff(alone))
        ? null
        : await addManager({ db: alone, passwords, random, clock }, config);
    },
  });
  await beginServing(db);
  return { db, passwords, secret, firstAccount };
}

async function embedService({ config, clock, random, log }: Parts, secret: string) {
  const db = await openDatabase<ServiceTables>(await placeOf('service', config), {
    room: 'service',
    migrations: serviceMigrations,
    fill: async (alone) => {
      await setApiClient(alone, { id: clientId, secret, scopes });
      if (config.sampleSubscribers > 0 && !(await hasSubscribers(alone)))
        await addSamples(alone, { count: config.sampleSubscribers, seed: 1, now: clock() });
    },
  });
  await beginServing(db);
  const { fetch } = createService({ db, clock, random, issuer: embeddedUrl, log: inRoom(log, 'service') });
  const upstream: Upstream = {
    exchange: exchangeByFetch(fetch),
    baseUrl: embeddedUrl,
    clientId,
    clientSecret: secret,
    scopes: { read: 'subscribers:read', write: 'subscribers:write' },
    extensions: extensionNames,
  };
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
