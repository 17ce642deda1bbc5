import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { sql, type Kysely } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import { bffMigrations } from '../../../src/bff/migrations.ts';
import { CannotStart } from '../../../src/server/cannot-start.ts';
import { openDatabase } from '../../../src/server/open-database.ts';
import { openPostgres } from '../../../src/server/sql/postgres.ts';
import { createDatabase } from '../../support/setup/database.ts';
import { databaseUrl } from '../../support/setup/database-url.ts';
import { listenOnFreePort, unusedPort } from '../../support/server/free-port.ts';
import { openServer, runDesk } from '../../support/server/in-process.ts';
import { temporaryFolder } from '../../support/server/temporary-folder.ts';

/** The sentence with which a start fails at this address of a database. */
async function startError(url: string): Promise<string> {
  const config = { variable: 'DATABASE_URL', url };
  const options = { name: 'desk', migrations: bffMigrations, fill: async () => {} } as const;
  const error = await openDatabase(config, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof CannotStart)) throw error;
  expect(error.message).not.toContain(new URL(url).password);
  return error.message;
}

const server = () => inject('postgres')?.url ?? '';
const at = (changes: Partial<URL>) => Object.assign(new URL(server()), changes).href;

test.each<[string, () => Promise<string>, string]>([
  [
    'a server that is down',
    async () => at({ port: String(await unusedPort()) }),
    'The database server in DATABASE_URL does not answer (ECONNREFUSED). Start it, or correct the host and the port in DATABASE_URL.',
  ],
  [
    'a wrong password',
    async () => at({ password: 'canary-wrong' }),
    'The database server refuses the user or the password. Correct them in DATABASE_URL.',
  ],
  [
    'a database that is not there',
    async () => at({ pathname: '/nowhere' }),
    'The database server has no database with this name. Create it, or correct the name in DATABASE_URL.',
  ],
  [
    'a server without encryption',
    async () => {
      // What PostgreSQL answers to the request for it.
      const plain = createServer((socket) => socket.once('data', () => socket.end('N')));
      onTestFinished(() => void plain.close());
      const port = await listenOnFreePort(plain);
      return `postgres://desk:canary@127.0.0.1:${port}/desk?sslmode=verify-full`;
    },
    'The database server in DATABASE_URL encrypts no connections. Turn on ssl there, or add ?sslmode=disable to DATABASE_URL where you trust the network.',
  ],
  [
    'a certificate that is not there',
    async () => at({ search: '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem' }),
    'A file that DATABASE_URL names cannot be read (ENOENT). Correct its path.',
  ],
])('%s is said in a sentence with what to do', async (_, address, sentence) => {
  expect(await startError(await address())).toBe(sentence);
});

test('a user who may make no tables is told so', async () => {
  const url = await createDatabase();
  const admin = openPostgres(url);
  onTestFinished(() => admin.destroy());
  const role = `reader_${randomBytes(6).toString('hex')}`;
  await sql`create role ${sql.id(role)} login password 'canary-reader'`.execute(admin);
  await sql`revoke all on schema public from public`.execute(admin);
  onTestFinished(async () => void (await sql`drop role ${sql.id(role)}`.execute(admin)));
  const asReader = Object.assign(new URL(url), { username: role, password: 'canary-reader' });
  expect(await startError(asReader.href)).toMatch(/may not create tables|reports an error/);
});

test('a database in another encoding is refused', async () => {
  const name = `${inject('postgres')?.run}_latin`;
  const admin = openPostgres(server());
  onTestFinished(() => admin.destroy());
  await sql`create database ${sql.id(name)} encoding 'LATIN1' locale 'C' template template0`.execute(admin);
  expect(await startError(databaseUrl(server(), name))).toBe(
    'The database in DATABASE_URL has the encoding LATIN1. Create one with the encoding UTF8.',
  );
});

test('a database of a newer version is refused', async () => {
  const url = await createDatabase();
  const migrations = { ...bffMigrations, '9999-newer': { up: async () => {} } };
  const config = { variable: 'DATABASE_URL', url };
  await (await openDatabase(config, { name: 'desk', migrations, fill: async () => {} })).destroy();
  expect(await startError(url)).toBe(
    'The database in DATABASE_URL belongs to a newer version of Subscriber Desk, or to another program. Update Subscriber Desk, or set DATABASE_URL to another database.',
  );
});

test('a database that takes no changes, as on a standby, is said to be one', async () => {
  const url = await createDatabase();
  const open = { name: 'desk', migrations: bffMigrations, fill: async () => {} } as const;
  await (await openDatabase({ variable: 'DATABASE_URL', url }, open)).destroy();
  const readOnly = new URL(url);
  readOnly.searchParams.set('options', '-c default_transaction_read_only=on');
  expect(await startError(readOnly.href)).toBe(
    'The database in DATABASE_URL takes no changes: it is a standby, or read-only. Set DATABASE_URL to the primary.',
  );
});

test('a server without the extension that searches is refused', async () => {
  const config = { variable: 'SERVICE_DATABASE_URL', url: await createDatabase() };
  const up = async (db: Kysely<unknown>) => void (await sql`create extension of_no_server`.execute(db));
  const opening = openDatabase(config, {
    name: 'service',
    migrations: { '0001-extension': { up } },
    fill: async () => {},
  });
  await expect(opening).rejects.toThrow(
    'The database server in SERVICE_DATABASE_URL does not have the extension pg_trgm. Install the contrib package',
  );
});

test('a command says the same as a start', async () => {
  const DATABASE_URL = at({ password: 'canary-wrong' });
  for (const words of [['verify-journal'], ['reset-password', 'kari'], ['forget-subscriber', '1']] as const)
    expect(await runDesk({ DATABASE_URL }, ...words)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The database server refuses the user or the password. Correct them in DATABASE_URL.\n',
    });
});

test('a server that cannot use its database makes no folder', async () => {
  const DATA_DIR = join(temporaryFolder(), 'data');
  const env = { DATABASE_URL: at({ password: 'canary-wrong' }), SERVICE_DATABASE_URL: server() };
  await expect(openServer({ ...env, DATA_DIR })).rejects.toThrow(
    'The database server refuses the user or the password. Correct them in DATABASE_URL.',
  );
  expect(existsSync(DATA_DIR)).toBe(false);
});
