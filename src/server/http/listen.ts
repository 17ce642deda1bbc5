import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as Acceptor } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../contract/http/log.ts';
import { CannotStart, systemCode } from '../cannot-start.ts';
import { createProxyCheck } from './client-address.ts';
import { connectionLimits, limitConnections, type ConnectionLimits } from './connection-limits.ts';
import { refuseUnreadable, type Refuse } from './refuse.ts';

/** Bytes and milliseconds that a request may take on its way in. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  // Node looks for slow requests only every 30 seconds unless told otherwise.
  connectionsCheckingInterval: 1000,
  // The request listener checks it and answers like other refusals.
  requireHostHeader: false,
} as const;

/**
 * Milliseconds after the signal to stop. `announce`: new connections are still accepted, so that a load balancer reads
 * from `/readyz` that the server is stopping before connections fail. `drain`: then running requests may end.
 */
const stopTimes = { announce: 500, drain: 10_000 } as const;

export interface Listening {
  server: Server;
  port: number;
  /** Whether it has been told to stop: `/readyz` says so while requests are still answered. */
  isStopping: () => boolean;
  /** Lets running requests end, accepts no more, and cuts off what is left when the time is over. */
  close: () => Promise<void>;
}

/**
 * An HTTP server with limits.
 *
 * @throws {CannotStart} where it cannot listen at the address
 */
export async function listen(options: {
  port: number;
  host: string;
  listener: RequestListener;
  /** Answers what never becomes a request. */
  refuse: Refuse;
  log: Log;
  /** As `createClientAddress` takes them. */
  trustedProxies?: readonly string[];
  /** The variable that set the port, for the error message. */
  portVariable?: 'PORT' | 'SERVICE_PORT';
  times?: { announce: number; drain: number };
  connections?: ConnectionLimits;
}): Promise<Listening> {
  const { port, host, listener, refuse, log, portVariable = 'PORT', times = stopTimes } = options;
  const server = createServer(limits, listener);
  limitConnections(server, {
    limits: options.connections ?? connectionLimits(),
    refuse,
    log,
    isProxy: createProxyCheck(options.trustedProxies ?? []),
  });
  refuseUnreadable(server, refuse);
  const stopping = prepareStop(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CannotStart(listenProblem(systemCode(error), { port, host, portVariable }), error)),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    server,
    port: address !== null && typeof address === 'object' ? address.port : port,
    isStopping: stopping.hasBegun,
    async close() {
      stopping.begin();
      await delay(times.announce);
      await drain(server, times.drain);
    },
  };
}

/** Once stopping has begun, every answer that is not sent yet asks to close its connection. */
function prepareStop(server: Server) {
  const open = new Set<ServerResponse>();
  let begun = false;
  server.on('request', (_, answer) => {
    open.add(answer);
    answer.once('close', () => open.delete(answer));
  });
  server.prependListener('request', (_, answer) => {
    if (begun) askToClose(answer);
  });
  return {
    hasBegun: () => begun,
    begin() {
      begun = true;
      for (const answer of open) askToClose(answer);
    },
  };
}

function askToClose(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}

async function drain(server: Server, time: number): Promise<void> {
  // Closes idle connections only after their input was read: the buffer may hold a request.
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), 100);
  const limit = setTimeout(() => server.closeAllConnections(), time);
  // `close` of the HTTP server itself would cut idle connections unread, and stop checking for slow requests.
  await new Promise<void>((resolve) => Acceptor.prototype.close.call(server, () => resolve()));
  clearInterval(sweep);
  clearTimeout(limit);
}

type Address = { port: number; host: string; portVariable: string };

function listenProblem(code: string, { port, host, portVariable }: Address): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the other program or set ${portVariable} to another number.`;
  if (code === 'EACCES')
    return `Port ${port} is not open to this program. Set ${portVariable} to a number from 1024.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${host} is no address of this machine. Set HOST to one that is, such as 127.0.0.1.`;
  return `Listening on ${host}, port ${port}, failed (${code}). Set HOST and ${portVariable} to others.`;
}
