import { createServer, type RequestListener, type Server } from 'node:http';
import { CannotStart, systemCode } from './cannot-start.ts';

/** Bytes and milliseconds that a request may take on its way in. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  // Node looks for late requests only every 30 seconds unless told otherwise.
  connectionsCheckingInterval: 1000,
} as const;

/** How long requests under way may take to end once the desk is told to stop, in ms. */
const usualDrainTime = 15_000;

export interface Listening {
  server: Server;
  port: number;
  /** Takes no new connections, lets requests under way end, and cuts off what is left after `drainTime`. */
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
  drainTime?: number;
}): Promise<Listening> {
  const { port, host, listener, drainTime = usualDrainTime } = options;
  const server = createServer(limits, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new CannotStart(whyNot(systemCode(error), port, host), error)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    server,
    port: address !== null && typeof address === 'object' ? address.port : port,
    close: () => drain(server, drainTime),
  };
}

async function drain(server: Server, drainTime: number): Promise<void> {
  // A connection kept alive after its last answer would hold the server open until its browser goes away.
  server.prependListener('request', (_, answer) => answer.setHeader('Connection', 'close'));
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const limit = setTimeout(() => server.closeAllConnections(), drainTime);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
  clearTimeout(limit);
}

function whyNot(code: string, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Stop the other program or set PORT to another number.`;
  if (code === 'EACCES') return `Port ${port} is not open to this program. Set PORT to a number from 1024.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `${host} is no address of this machine. Set HOST to one that is, such as 127.0.0.1.`;
  return `Listening on ${host}, port ${port}, failed (${code}). Set HOST and PORT to others.`;
}
