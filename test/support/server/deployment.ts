import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { onTestFinished } from 'vitest';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { unusedPort } from './free-port.ts';
import { startHaproxy } from './haproxy.ts';
import { findPatroniPrograms } from './patroni-programs.ts';
import { startPatroni } from './patroni.ts';
import { addressOf, startServer } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const managerPassword = 'chosen by the operator';

const deskPassword = 'of-the-database-user-desk';

/** Three of our servers before three PostgreSQL nodes, as the examples of `src/server/deploy` put them together. */
export type Deployment = NonNullable<Awaited<ReturnType<typeof startDeployment>>>;

/**
 * All of it ends with the running test.
 *
 * @returns null where the programs cannot be had
 */
export async function startDeployment() {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'programs'));
  const programs = findPatroniPrograms(join(folder, 'programs'));
  if (!programs) return null;
  const cluster = await startPatroni(programs, folder);
  const ports = { desk: await unusedPort(), database: await unusedPort() };
  const desks = [await unusedPort(), await unusedPort(), await unusedPort()];
  const nodes = cluster.nodes.map(({ ways }) => ({
    postgres: ways.postgres.port,
    patroni: ways.patroni.port,
  }));
  startHaproxy({ programs, folder, ports, desks, nodes });
  await cluster.whole();
  const at = (user: string, database: string) => `postgres://${user}@127.0.0.1:${ports.database}/${database}`;
  const admin = openPostgres(at(`postgres:${cluster.password}`, 'postgres'), { connections: 1 });
  onTestFinished(() => admin.destroy());
  await eventually(() => sql`create role desk login password ${sql.lit(deskPassword)}`.execute(admin));
  await sql`create database desk owner desk encoding UTF8`.execute(admin);
  const database = at(`desk:${deskPassword}`, 'desk');
  const publicUrl = `http://127.0.0.1:${ports.desk}`;
  const start = (port: number) =>
    startServer(join(folder, 'none'), {
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      TRUSTED_PROXIES: '127.0.0.1',
      DATABASE_URL: database,
      SERVICE_DATABASE_URL: database,
      MANAGER_PASSWORD: managerPassword,
      SAMPLE_SUBSCRIBERS: '0',
      READS_PER_SECOND: '0',
      LOG_LEVEL: 'warn',
    });
  const servers = desks.map((port) => ({ port, process: start(port) }));
  await Promise.all(servers.map(({ process }) => addressOf(process)));
  await eventually(async () => {
    if (!(await fetch(`${publicUrl}/readyz`)).ok) throw new Error('HAProxy finds no server ready.');
  });
  return {
    cluster,
    database,
    /** The address for browsers. */
    publicUrl,
    servers,
    /** Starts a server anew, at its port. */
    async restart(server: (typeof servers)[number]) {
      server.process = start(server.port);
      await addressOf(server.process);
    },
  };
}

/** Tries until it works: HAProxy sees a bit later than Patroni which node is the primary. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === 100) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
