import { onTestFinished } from 'vitest';
import type { BffTables } from '../../../src/bff/schema.ts';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import type { Role } from '../../../src/contract/bff/permission.ts';
import type { SubscriberDetail } from '../../../src/contract/service/subscriber.ts';
import type { SubscriberInput } from '../../../src/contract/service/subscriber-input.ts';
import { scopes } from '../../../src/contract/service/token.ts';
import { createBffInTab } from '../../../src/demo/bff-in-tab.ts';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';
import { setApiClient } from '../../../src/service/oauth/api-clients.ts';
import { createDice } from '../../../src/service/samples/dice.ts';
import { createService } from '../../../src/service/service.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { connect } from './network.ts';

export interface BffOptions {
  role?: Role;
  /** The subscribers; each gets the next id, from 1. */
  people?: readonly SubscriberInput[];
  /** How many made-up subscribers there are in addition. */
  samples?: number;
}

/** The real BFF and service, with a user of a role signed in; they answer the requests of the page. */
export async function openBff({ role = 'manager', people = [], samples = 0 }: BffOptions = {}) {
  const serviceDb = openDatabase<ServiceTables>();
  const bff = await createBffInTab({
    serviceDb,
    bffDb: openDatabase<BffTables>(),
    samples,
    transport: { kind: 'tab', staff: { name: 'Kari', role } },
    clock: () => Date.now(),
    random: createDice(1).bytes,
    log: () => undefined,
  });
  const { service } = await openServiceClient(serviceDb);
  const there: SubscriberDetail[] = [];
  for (const body of people) there.push((await service.createSubscriber({ body })).data);
  return {
    ...connect(bff.fetch),
    /** The service without the BFF: for changes by another client, and to check its data. */
    service,
    people: there,
    /** No operation sets a status; a deployment does. */
    suspend: (username: string) =>
      serviceDb
        .updateTable('subscribers')
        .set({ status_id: 2 })
        .where('username', '=', username)
        .executeTakeFirstOrThrow(),
    /** From then on the service answers with errors of its own. */
    breakService: () => serviceDb.schema.dropTable('subscribers').execute(),
  };
}

/** An empty database, without tables yet. */
export function openDatabase<Tables>() {
  const db = openNodeSqlite<Tables>(':memory:');
  onTestFinished(() => db.destroy());
  return db;
}

type ServiceDb = Parameters<typeof setApiClient>[0];
export const issuer = 'http://service.example';

/** The service over the same database, with a client of its own. */
export async function openServiceClient(db: ServiceDb) {
  const credentials = { id: 'somebody-else', secret: 'long and random' };
  await setApiClient(db, { id: credentials.id, secrets: [credentials.secret], scopes });
  const { fetch } = createService({
    db,
    clock: () => Date.now(),
    random: createDice(2).bytes,
    issuer,
    log: () => undefined,
  });
  const { data } = await createClient(api, { fetch, base: issuer }).issueToken({
    body: {
      grant_type: 'client_credentials',
      client_id: credentials.id,
      client_secret: credentials.secret,
      scope: scopes.join(' '),
    },
  });
  const headers = { Authorization: `Bearer ${data.access_token}` };
  return { fetch, credentials, service: createClient(api, { fetch, base: issuer, headers }) };
}
