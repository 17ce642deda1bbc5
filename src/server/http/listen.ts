import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as Acceptor } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { CannotStart, systemCode } from '../cannot-start.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import type { Refuse } from './refuse.ts';

/** Bytes and milliseconds that a request may take on its way in. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  // Node looks for late requests only every 30 seconds unless told otherwise.
  connectionsCheckingInterval: 1000,
  // The listener sees to it, in the words of all refusals.
  requireHostHeader: false,
} as const;

/**
 * Milliseconds from the word to stop: for how long new connections are still taken, so that whoever asks learns that
 * the desk is leaving before it finds the door shut; and for how long requests under way may take to end after that.
 */
const usualTimes = { leave: 500, drain: 10_000 } as const;

export interface Listening {
  server: Server;
  port: number;
  /** Whether the end has begun: readiness says so while requests are still answered. */
  isLeaving: () => boolean;
  /** Lets requests under way end, takes no more, and cuts off what is left when its time is over. */
  close: () => Promise<void>;
}

/**
 * An HTTP server with limits.
 *
 * @throws {CannotStart} where the address cannot be had
 */
export async function listen(options: {
  port: number;
  host: string;
  listener: RequestListener;
  /** How to answer what never becomes a request. */
  refuse: Refuse;
  /** What the person at the terminal set the port by. */
  portVariable?: 'PORT' | 'SERVICE_PORT';
  times?: { leave: number; drain: number };
}): Promise<Listening> {
  const { port, host, listener, refuse, portVariable = 'PORT', times = usualTimes } = options;
  const server = createServer(limits, listener);
  refuseUnreadable(server, refuse);
  const leaving = prepareLeaving(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CannotStart(whyNot(systemCode(error), { port, host, portVariable }), error)),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    server,
    port: address !== null && typeof address === 'object' ? address.port : port,
    isLeaving: leaving.hasBegun,
    async close() {
      leaving.begin();
      await delay(times.leave);
      await drain(server, times.drain);
    },
  };
}

/** From the beginning of the end on, every answer that is not on its way yet asks for the connection to be closed. */
function prepareLeaving(server: Server) {
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
  // Only once all that has come in is read is a connection idle: what lies in its buffer may be a request.
  const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), 100);
  const limit = setTimeout(() => server.closeAllConnections(), time);
  // The close of an HTTP server would cut idle connections unread, and stop looking for requests that are late.
  await new Promise<void>((resolve) => Acceptor.prototype.close.call(server, () => resolve()));
  clearInterval(sweep);
  clearTimeout(limit);
}

type Address = { port: number; host: string; portVariable: string };

function whyNot(code: string, { port, host, portVariable }: Address): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the other program or set ${portVariable} to another number.`;
  if (code === 'EACCES')
    return `Port ${port} is not open to this program. Set ${portVariable} to a number from 1024.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${host} is no address of this machine. Set HOST to one that is, such as 127.0.0.1.`;
  return `Listening on ${host}, port ${port}, failed (${code}). Set HOST and ${portVariable} to others.`;
}
