import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebianPackages } from './debian-program.ts';

export type PatroniPrograms = NonNullable<ReturnType<typeof findPatroniPrograms>>;

const packages = [
  'etcd-server',
  'haproxy',
  'patroni',
  'postgresql',
  'python3',
  'python3-etcd',
  'python3-psycopg2',
];

/**
 * Finds programs that run a PostgreSQL cluster under Patroni, of the system or else Debian's, and what programs need
 * around them that are unpacked, not installed.
 *
 * @param to an empty folder, which every user of this machine may read
 * @returns null where they cannot be had
 */
export function findPatroniPrograms(to: string) {
  const cached = unpackDebianPackages('patroni', packages);
  if (cached === null) return null;
  // PostgreSQL does not run as root, and other users may not be able to read this project.
  execFileSync('cp', ['-a', `${cached}/.`, to]);
  chmodSync(to, 0o755);
  const find = (path: string) => [path, join(to, path)].find((each) => existsSync(each)) ?? '';
  const versions = find('/usr/lib/postgresql');
  const newest = versions && readdirSync(versions).toSorted((a, b) => Number(b) - Number(a))[0];
  const libraries = ['usr/lib', `usr/lib/${machine()}`].map((each) => join(to, each));
  const found = {
    etcd: find('/usr/bin/etcd'),
    haproxy: find('/usr/sbin/haproxy'),
    /** With the words that begin its command line. */
    patroni: [find('/usr/bin/python3'), find('/usr/bin/patroni')] as const,
    /** The folder of PostgreSQL's programs. */
    postgres: join(versions, newest ?? '', 'bin'),
    env: {
      LD_LIBRARY_PATH: libraries.join(':'),
      PYTHONPATH: join(to, 'usr/lib/python3/dist-packages'),
      PATH: '/usr/bin:/bin',
    },
  };
  const all = [found.etcd, found.haproxy, ...found.patroni, join(found.postgres, 'pg_rewind')];
  return all.every((each) => existsSync(each)) ? found : null;
}

/** As Debian names the folders of libraries. */
function machine(): string {
  const names: Partial<Record<NodeJS.Architecture, string>> = { x64: 'x86_64', arm64: 'aarch64' };
  return `${names[process.arch] ?? process.arch}-linux-gnu`;
}
