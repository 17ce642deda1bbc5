import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExample } from './deploy-example.ts';
import type { PatroniPrograms } from './patroni-programs.ts';
import { startProcess } from './start-process.ts';

interface Targets {
  programs: PatroniPrograms;
  folder: string;
  /** Where it listens: for browsers, and for the primary. */
  ports: { desk: number; database: number };
  /** The ports of the three servers. */
  desks: readonly number[];
  /** The ports of PostgreSQL and of Patroni at each node. */
  nodes: readonly { postgres: number; patroni: number }[];
}

/**
 * HAProxy with `src/server/deploy/haproxy.cfg`, in which only addresses, ports, the certificate and the rate of one address are
 * others. It ends with the test.
 */
export function startHaproxy({ programs, folder, ports, desks, nodes }: Targets): void {
  const file = join(folder, 'haproxy.cfg');
  const text = readExample('haproxy.cfg', [
    [/bind :443 ssl crt \S+/, `bind 127.0.0.1:${ports.desk}`],
    [/bind 10\.0\.0\.5:5432/, `bind 127.0.0.1:${ports.database}`],
    // In a test, everybody has one address.
    ['sc_http_req_rate(0) gt 300', 'sc_http_req_rate(0) gt 300000'],
    ['hdr Host desk.example.com', `hdr Host 127.0.0.1:${ports.desk}`],
    ...desks.map((port, at) => [`10.0.0.${at + 1}:8080`, `127.0.0.1:${port}`] as const),
    ...nodes.map(
      ({ postgres, patroni }, at) =>
        [`10.0.0.1${at + 1}:5432 check port 8008`, `127.0.0.1:${postgres} check port ${patroni}`] as const,
    ),
  ]);
  writeFileSync(file, text);
  const proxy = startProcess(['-db', '-f', file], programs.env, { program: programs.haproxy });
  void proxy.ended.then(({ code, stderr }) =>
    code ? Promise.reject(new Error(`HAProxy ended.\n${stderr}`)) : null,
  );
}
