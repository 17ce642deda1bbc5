import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { api, type Api } from '../../../src/contract/service/api.ts';
import { createClient, type Client } from '../../../src/contract/http/client.ts';
import { scopes } from '../../../src/contract/service/token.ts';
import { clock, random } from '../../../src/server/runtime.ts';
import { migrate } from '../../../src/server/sql/migrate.ts';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { openSlowReads } from '../../../src/server/sql/slow-reads.ts';
import { setApiClient } from '../../../src/service/oauth/api-clients.ts';
import { addSamples } from '../../../src/service/samples/samples.ts';
import { createService } from '../../../src/service/http/service.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import type { ServiceTables } from '../../../src/service/schema.ts';
import { startEmbeddedPostgres } from '../../support/setup/embedded-postgres.ts';

/** The service in this process on a database of so many subscribers. */
export interface Subject {
  engine: 'SQLite' | 'PostgreSQL';
  /** Builds each request and parses each answer by the contract, as every caller of ours does. */
  client: Client<Api>;
  /** Answers requests that `client` does not know, such as `/healthz`. */
  fetch: (request: Request) => Promise<Response>;
  /** In s: to invent the subscribers and write them. */
  filled: number;
  stop: () => Promise<void>;
}

export const issuer = 'https://service.example';
const credentials = { id: 'bench', secret: 'of-the-bench-alone-and-32-characters' };

export async function startSubject(engine: Subject['engine'], rows: number): Promise<Subject> {
  const { db, runSlowRead, stop } = engine === 'SQLite' ? await openFile() : await openServer();
  await migrate(db, serviceMigrations);
  const began = performance.now();
  await addSamples(db, { count: rows, seed: 1, now: clock() });
  const filled = (performance.now() - began) / 1000;
  // What autovacuum does in time by itself.
  if (engine === 'PostgreSQL') await sql`vacuum analyze`.execute(db);
  await setApiClient(db, { id: credentials.id, secrets: [credentials.secret], scopes });
  const { fetch } = createService({ db, runSlowRead, clock, random, issuer, log: () => {} });
  const body = {
    grant_type: 'client_credentials',
    client_id: credentials.id,
    client_secret: credentials.secret,
    scope: scopes.join(' '),
  } as const;
  const { access_token } = (await createClient(api, { fetch, base: issuer }).issueToken({ body })).data;
  const headers = { Authorization: `Bearer ${access_token}` };
  const client = createClient(api, { fetch, base: issuer, headers });
  return { engine, client, fetch, filled, stop };
}

async function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-bench-'));
  const file = join(folder, 'service.sqlite');
  const db = openNodeSqlite<ServiceTables>(file);
  const slowReads = openSlowReads<ServiceTables>({ file });
  const stop = async () => {
    await Promise.all([db.destroy(), slowReads.close()]);
    rmSync(folder, { recursive: true, force: true });
  };
  return { db, runSlowRead: slowReads.run, stop };
}

/** A server of the bench's own does not wait for the disk, so its writes are not measured. */
async function openServer() {
  const server = await startEmbeddedPostgres();
  // Without limits of time: to fill a million takes longer than a statement may.
  const db = openPostgres<ServiceTables>(server.url, { patient: true });
  const slowReads = openSlowReads<ServiceTables>({ url: server.url });
  const stop = async () => {
    await Promise.all([db.destroy(), slowReads.close()]);
    await server.stop();
  };
  return { db, runSlowRead: slowReads.run, stop };
}
