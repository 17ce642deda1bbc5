import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sql, type Kysely, type KyselyPlugin } from 'kysely';
import type { Migration } from 'kysely/migration';
import { inject, onTestFinished } from 'vitest';
import { migrate } from '../../../src/server/sql/migrate.ts';
import { openNodeSqlite } from '../../../src/server/sql/node-sqlite.ts';
import { repeatTransactions, openPostgres } from '../../../src/server/sql/postgres.ts';
import { temporaryFolder, whenOver } from '../server/temporary-folder.ts';
import { databaseUrl } from './database-url.ts';

export { whenOver };

type Owner = 'bff' | 'service';

/** The engine that this run of the suite is for: every test of the service and the BFF runs on each. */
export const engine = inject('postgres') ? 'postgres' : 'sqlite';

/** An empty, migrated database for the running test. */
export async function openTestDatabase<Tables>(
  owner: Owner,
  migrations: Readonly<Record<string, Migration>>,
): Promise<Kysely<Tables>> {
  if (engine === 'postgres') return borrow<Tables>(owner);
  const db = openNodeSqlite<Tables>(':memory:');
  whenOver(() => db.destroy());
  await migrate(db, migrations);
  return db;
}

/** Two connections, as of two processes, to one empty, migrated database. */
export async function openTwice<Tables>(
  owner: Owner,
  migrations: Readonly<Record<string, Migration>>,
): Promise<[Kysely<Tables>, Kysely<Tables>]> {
  const open = engine === 'postgres' ? openPostgres<Tables> : openNodeSqlite<Tables>;
  const target = engine === 'postgres' ? await createDatabase(owner) : join(temporaryFolder(), 'database');
  const both: [Kysely<Tables>, Kysely<Tables>] = [open(target), open(target)];
  onTestFinished(async () => void (await Promise.all(both.map((db) => db.destroy()))));
  if (engine === 'sqlite') await migrate(both[0], migrations);
  return both;
}

/** The address of a new PostgreSQL database, empty or with the BFF's or the service's tables. */
export async function createDatabase(owner?: Owner): Promise<string> {
  const server = inject('postgres');
  if (!server) throw new Error('Only the project "postgres" has a server.');
  const name = `${server.run}_${randomBytes(6).toString('hex')}`;
  const admin = openPostgres(server.url);
  const template = owner ? sql`template ${sql.id(`${server.run}_${owner}`)}` : sql``;
  await sql`create database ${sql.id(name)} ${template}`.execute(admin);
  await admin.destroy();
  return databaseUrl(server.url, name);
}

interface Kept {
  db: Kysely<never>;
  fingerprint: string;
}

/** Databases that earlier tests of this file have left: to empty one is much faster than to make one. */
const idle: Record<Owner, Kept[]> = { bff: [], service: [] };

async function borrow<Tables>(owner: Owner): Promise<Kysely<Tables>> {
  const stored = idle[owner].pop() ?? (await create(owner));
  const gate = createGate();
  whenOver(async () => {
    gate.close();
    // A test may have closed it or changed its tables, to see what happens then.
    if (await isEmptied(stored, owner).catch(() => false)) idle[owner].push(stored);
    else await stored.db.destroy();
  });
  // Which tables it has, only the caller's migrations know.
  const db = stored.db as unknown as Kysely<Tables>;
  return repeatTransactions(db.withPlugin(gate.plugin));
}

/**
 * Refuses what a test has left running, such as a server that "died" and whose request ends seconds later: made-up ids
 * are the same in each test, so it would meet the rows of the next one.
 */
function createGate() {
  let isClosed = false;
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (isClosed) throw new Error('The test of this database is over.');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { plugin, close: () => void (isClosed = true) };
}

async function create(owner: Owner): Promise<Kept> {
  const db = openPostgres<never>(await createDatabase(owner));
  return { db, fingerprint: await fingerprintOf(db, owner) };
}

/** Leaves a database as its migrations made it, where nothing but rows has changed. */
async function isEmptied({ db, fingerprint }: Kept, owner: Owner): Promise<boolean> {
  if ((await fingerprintOf(db, owner)) !== fingerprint) return false;
  const query = sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%'`;
  const names = (await query.execute(db)).rows.map(({ name }) => name);
  const tables = names.filter((name) => !filled[owner].includes(name)).map((name) => sql.table(name));
  await sql`truncate ${sql.join(tables)} restart identity cascade`.execute(db);
  return true;
}

/** The tables that migrations put rows into. */
const filled: Record<Owner, readonly string[]> = {
  bff: [],
  service: ['subscriber_statuses'],
};

/** Fingerprint of what a test leaves alone, unless it is about just that: tables, triggers, migrations. */
async function fingerprintOf(db: Kysely<never>, owner: Owner): Promise<string> {
  const parts = [
    sql`select relname from pg_class where relnamespace = 'public'::regnamespace order by 1`,
    sql`select tgname from pg_trigger where not tgisinternal order by 1`,
    ...filled[owner].map((name) => sql`select * from ${sql.table(name)} order by 1`),
  ];
  const results = await Promise.all(parts.map((part) => part.execute(db)));
  return JSON.stringify(results.map(({ rows }) => rows));
}
