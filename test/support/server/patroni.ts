import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { unprivileged } from '../setup/embedded-postgres.ts';
import { readExample } from './deploy-example.ts';
import { unusedPort } from './free-port.ts';
import type { PatroniPrograms } from './patroni-programs.ts';
import { startRelay } from './tcp-relay.ts';

/** As Patroni shows them. */
interface Member {
  name: string;
  role: string;
  state: string;
}

/**
 * Three nodes with `src/server/deploy/patroni.yaml`, and one etcd, on loopback, with their files in this folder. All of
 * it ends with the running test.
 */
export async function startPatroni(programs: PatroniPrograms, folder: string) {
  const user = unprivileged();
  const run = (name: string, [program = '', ...words]: readonly string[]) => {
    const own = join(folder, name);
    const log = openSync(join(folder, `${name}.log`), 'a');
    return spawn(program, words, { ...user, cwd: own, env: programs.env, stdio: ['ignore', log, log] });
  };
  const makeFolder = (name: string) => {
    const own = join(folder, name);
    mkdirSync(own, { mode: 0o700 });
    if (user) chownSync(own, user.uid, user.gid);
    return own;
  };
  let isOver = false;
  const etcdPort = await unusedPort();
  makeFolder('etcd');
  const etcd = run('etcd', etcdCommand(programs.etcd, { port: etcdPort, peers: await unusedPort() }));
  const password = randomBytes(16).toString('hex');
  const nodes = await Promise.all(['node1', 'node2', 'node3'].map(createNode));
  onTestFinished(() => {
    isOver = true;
    for (const node of nodes) node.kill('node');
    etcd.kill('SIGKILL');
  });
  await answers(`http://127.0.0.1:${etcdPort}/health`);
  for (const node of nodes) node.start();

  /** One of three nodes: a PostgreSQL server and the Patroni that looks after it. */
  async function createNode(name: string) {
    const own = makeFolder(name);
    const [postgres, patroni] = [await unusedPort(), await unusedPort()];
    /** The way of others to its PostgreSQL and its Patroni, and its own to etcd. Without them it is alone. */
    const ways = {
      postgres: await startRelay(postgres),
      patroni: await startRelay(patroni),
      etcd: await startRelay(etcdPort),
    };
    const file = join(own, 'patroni.yaml');
    const text = readExample('patroni.yaml', [
      ['name: node1', `name: ${name}`],
      ['listen: 10.0.0.11:8008', `listen: 127.0.0.1:${patroni}`],
      ['connect_address: 10.0.0.11:8008', `connect_address: 127.0.0.1:${ways.patroni.port}`],
      ['listen: 10.0.0.11:5432', `listen: 127.0.0.1:${postgres}`],
      ['connect_address: 10.0.0.11:5432', `connect_address: 127.0.0.1:${ways.postgres.port}`],
      // As a proxy: it would ask etcd for its addresses, and go past what can be cut.
      [/hosts: .*/, `hosts: [127.0.0.1:${ways.etcd.port}]\n  use_proxies: true`],
      ['/usr/lib/postgresql/15/bin', programs.postgres],
      ['/var/lib/postgresql', own],
      ['10.0.0.0/24', '127.0.0.1/32'],
      ['CHANGE-1', password],
      [/CHANGE-\d/g, randomPassword(password)],
    ]);
    writeFileSync(file, text.replace(/^ {6}parameters:$/m, `$&\n        unix_socket_directories: ''`));
    let child: ChildProcess | null = null;
    return {
      name,
      ways,
      start() {
        // A test that was cut off may still go on.
        if (!isOver) child = run(name, [...programs.patroni, file]);
      },
      /** With SIGKILL: PostgreSQL alone, whose Patroni goes on, or both. */
      kill(what: 'postgres' | 'node') {
        if (what === 'node') child?.kill('SIGKILL');
        killAllIn(what === 'node' ? own : join(own, 'desk'));
      },
    };
  }

  /** Asks Patroni for something, at any node that answers. */
  async function ask(path: string, method = 'GET', body?: object): Promise<Response> {
    for (const { ways } of nodes) {
      const url = `http://127.0.0.1:${ways.patroni.port}${path}`;
      const signal = AbortSignal.timeout(method === 'GET' ? 2000 : 60_000);
      const text = body && JSON.stringify(body);
      const answer = await fetch(url, { method, signal, ...(text && { body: text }) }).catch(() => null);
      if (answer) return answer;
    }
    throw new Error('No Patroni answers.');
  }

  return {
    nodes,
    /** The password of `postgres`. */
    password,
    ask,
    /** The node that is the primary, once there is one and both others follow it, one of them without any delay. */
    async whole() {
      for (const limit = performance.now() + 180_000; performance.now() < limit; await pause(200)) {
        const answer = await ask('/cluster').catch(() => null);
        const { members = [] }: { members?: Member[] } = answer?.ok ? await answer.json() : {};
        const leader = members.find(({ role, state }) => role === 'leader' && state === 'running');
        const followers = members.filter(({ role, state }) => isFollower.test(role) && isUp.test(state));
        const synchronous = followers.some(({ role }) => role === 'sync_standby');
        const node = nodes.find(({ name }) => name === leader?.name);
        if (node && synchronous && followers.length === nodes.length - 1) return node;
      }
      throw new Error(`The cluster is not whole.\n${tails(folder)}`);
    },
  };
}

const isFollower = /^(sync_standby|replica)$/;
/** Older versions say the former of a standby that follows. */
const isUp = /^(running|streaming)$/;

const randomPassword = (but: string) => `${but.slice(8)}${but.slice(0, 8)}`;

function etcdCommand(program: string, { port, peers }: { port: number; peers: number }): string[] {
  const [clients, others] = [port, peers].map((each) => `http://127.0.0.1:${each}`);
  return [
    program,
    '--data-dir=data',
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=${clients}`,
    `--listen-peer-urls=${others}`,
    `--initial-advertise-peer-urls=${others}`,
    `--initial-cluster=default=${others}`,
  ];
}

/** Waits until something answers there. */
async function answers(url: string): Promise<void> {
  for (const limit = performance.now() + 60_000; performance.now() < limit; await pause(100))
    if ((await fetch(url).catch(() => null))?.ok) return;
  throw new Error(`Nothing answers at ${url}.`);
}

/** Kills the processes that run in a folder, which are all of a node: PostgreSQL runs in that of its data. */
function killAllIn(folder: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const where = readlinkSync(`/proc/${pid}/cwd`);
      if (where === folder || where.startsWith(`${folder}/`)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile, or is another user's.
    }
  }
}

/** The ends of all logs. */
function tails(folder: string): string {
  const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
  return logs.map((name) => `${name}:\n${readFileSync(join(folder, name), 'utf8').slice(-1500)}`).join('\n');
}
