import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as Acceptor } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { CannotStart, systemCode } from '../cannot-start.ts';
import { createProxyCheck } from './client-address.ts';
import { connectionLimits, limitConnections, type ConnectionLimits } from './connection-limits.ts';
import { askToClose, createRefuse, refuseUnreadable } from './refuse.ts';
import { createRequestListener, type Fetch } from './request-listener.ts';

/** Limits of incoming requests, in bytes and ms. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  // Node looks for slow requests only every 30 seconds unless told otherwise.
  connectionsCheckingInterval: 1000,
  // The request listener checks the Host header, and answers like other refusals.
  requireHostHeader: false,
} as const;

/**
 * In ms after the signal to stop. `announce`: new connections are still accepted, so that a load balancer can read from
 * `/readyz` that the server is stopping. `drain`: after that, running requests may end.
 */
export const stopTimes = { announce: 500, drain: 10_000 };

interface Listening {
  server: Server;
  port: number;
  /**
   * Answers requests by `fetch`. Those that came before wait for this call.
   *
   * @param intercept gets each request first, and says whether it answers it
   */
  serve: (fetch: Fetch, intercept?: (...given: Parameters<RequestListener>) => boolean) => void;
  /** True once the server was told to stop. `/readyz` says so while requests are still answered. */
  isStopping: () => boolean;
  /** Accepts no more requests, lets running ones end, and cuts off those that are too slow. */
  close: () => Promise<void>;
}

/**
 * Starts an HTTP server with limits. The port comes first: the public address depends on it, and a port in use stops
 * the start before it creates anything.
 *
 * @throws {CannotStart} if it cannot listen at the address
 */
export async function listen(options: {
  port: number;
  host: string;
  log: Log;
  /** The origin that browsers use, if it is known yet. */
  publicUrl?: string | undefined;
  /** As `createClientAddress` takes them. */
  trustedProxies?: readonly string[];
  /** The variable that set the port, for the error message. */
  portVariable?: 'PORT' | 'SERVICE_PORT';
  times?: { announce: number; drain: number };
  connections?: ConnectionLimits;
}): Promise<Listening> {
  const { port, host, log, portVariable = 'PORT', trustedProxies = [], times = stopTimes } = options;
  const refuse = createRefuse(log, options.publicUrl);
  const ready = Promise.withResolvers<RequestListener>();
  let listener: RequestListener = (...given) => void ready.promise.then((answer) => answer(...given));
  const server = createServer(limits);
  const connections = options.connections ?? connectionLimits();
  const answers = limitConnections(server, {
    limits: connections,
    refuse,
    log,
    isProxy: createProxyCheck(trustedProxies),
  });
  refuseUnreadable(server, refuse, answers);
  let isStopping = false;
  server.on('request', (incoming, answer) => {
    if (isStopping) askToClose(answer);
    listener(incoming, answer);
  });
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
    serve(fetch, intercept = () => false) {
      const { perClient } = connections;
      const answer = createRequestListener({ fetch, trustedProxies, perClient, refuse, log });
      listener = (...given) => void (intercept(...given) || answer(...given));
      ready.resolve(listener);
    },
    isStopping: () => isStopping,
    async close() {
      isStopping = true;
      // Every answer that is not sent yet asks its client to close the connection.
      for (const answer of answers.values()) askToClose(answer);
      await delay(times.announce);
      await drain(server, times.drain);
    },
  };
}

async function drain(server: Server, time: number): Promise<void> {
  // Closes idle connections only after their input was read, because the buffer may contain a request.
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), 100);
  const limit = setTimeout(() => server.closeAllConnections(), time);
  // The HTTP server's own `close` would cut idle connections unread, and stop checking for slow requests.
  await new Promise<void>((resolve) => Acceptor.prototype.close.call(server, () => resolve()));
  clearInterval(sweep);
  clearTimeout(limit);
}

type Address = { port: number; host: string; portVariable: string };

function listenProblem(code: string, { port, host, portVariable }: Address): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the other program or set ${portVariable} to another number.`;
  if (code === 'EACCES')
    return `This program may not use port ${port}. Set ${portVariable} to 1024 or higher.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${host} is not an address of this machine. Set HOST to one, such as 127.0.0.1.`;
  return `Cannot listen on ${host}, port ${port} (${code}). Set HOST and ${portVariable} to other values.`;
}
