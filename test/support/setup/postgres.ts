import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { TestProject } from 'vitest/node';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import { migrate } from '../../../src/server/sql/migrate.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { serviceMigrations } from '../../../src/service/migrations.ts';
import { databaseUrl } from './database-url.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of the tests that run on PostgreSQL, and what the names of this run's databases begin with. */
    postgres?: { url: string; run: string };
  }
}

/** Before the tests on PostgreSQL: a server, that of TEST_DATABASE_URL or one of their own, with migrated templates. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, stop: async () => {} } : await startEmbeddedPostgres();
  const run = `test_${randomBytes(6).toString('hex')}`;
  const admin = openPostgres(server.url);
  for (const [owner, migrations] of Object.entries({ bff: bffMigrations, service: serviceMigrations })) {
    await sql`create database ${sql.id(`${run}_${owner}`)}`.execute(admin);
    const template = openPostgres(databaseUrl(server.url, `${run}_${owner}`));
    await migrate(template, migrations);
    await template.destroy();
  }
  project.provide('postgres', { url: server.url, run });
  return async () => {
    if (given) await dropDatabases(run);
    await admin.destroy();
    await server.stop();
  };

  async function dropDatabases(prefix: string): Promise<void> {
    const query = sql<{
      name: string;
    }>`select datname as name from pg_database where datname like ${`${prefix}%`}`;
    for (const { name } of (await query.execute(admin)).rows)
      await sql`drop database ${sql.id(name)} with (force)`.execute(admin);
  }
}
