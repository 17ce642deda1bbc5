import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { otherDialect } from '../support/bff/other-service/dialect.ts';
import { createOtherService, otherCredentials } from '../support/bff/other-service/service.ts';
import { listenAnywhere } from '../support/server/listen-anywhere.ts';
import { runDesk, type RunningDesk } from './desk-process.ts';
import { openDoor, signInDoor, type Door } from './entry.ts';

/** Where the desk stands, with 2,000 subscribers behind it. */
export interface Place {
  name: string;
  /** The id of the status that the service calls active. */
  active: number;
  open: () => Promise<RunningDesk>;
  /** The way in and the way out, which the demo has of its own. */
  door: Door;
}

export const places: readonly Place[] = [
  { name: 'its own service', active: 1, open: () => runDesk('start'), door: signInDoor },
  { name: 'another service', active: 10, open: openBeforeOther, door: signInDoor },
  { name: 'its own service, in the tab of the demo', active: 1, open: () => runDesk('demo'), door: openDoor },
];

async function openBeforeOther(): Promise<RunningDesk> {
  const now = () => Date.now();
  const { fetch } = createOtherService({ count: 2000, now, random: (bytes) => randomBytes(bytes) });
  const server = createServer(getRequestListener(fetch));
  const folder = mkdtempSync(join(tmpdir(), 'subscriber-desk-'));
  const file = join(folder, 'dialect.json');
  writeFileSync(file, JSON.stringify(otherDialect));
  const { clientId, clientSecret, scopes } = otherCredentials;
  const desk = await runDesk('start', {
    UPSTREAM_URL: `http://127.0.0.1:${await listenAnywhere(server)}`,
    UPSTREAM_CLIENT_ID: clientId,
    UPSTREAM_CLIENT_SECRET: clientSecret,
    UPSTREAM_SCOPE_READ: scopes.read,
    UPSTREAM_SCOPE_WRITE: scopes.write,
    UPSTREAM_DIALECT: file,
  });
  return {
    ...desk,
    stop: async () => {
      await desk.stop();
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
