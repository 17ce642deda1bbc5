import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { networkOf } from '../../lib/client-network.ts';
import type { Log } from '../../lib/log.ts';
import { Problem } from '../../contract/http/problem.ts';
import { askToClose, serializeAnswer, type Refuse } from './refuse.ts';

export interface ConnectionLimits {
  /** Connections at once. */
  connections: number;
  /** Most of these from one IPv4 address or one IPv6 network; through a trusted proxy most requests under way. */
  perClient: number;
  /**
   * In ms without a byte in either direction, as when a client does not read its answer. Node counts a part of an answer that waits as
   * the last byte once more, so that may take twice as long.
   */
  silence: number;
}

/** Descriptors for all but clients: databases, the upstream, files, the process itself. */
const reservedDescriptors = 256;

/** A request has 15 s to come in, and until its answer begins the client waits for us: other silence is that of clients. */
export function connectionLimits(descriptors = openFileLimit()): ConnectionLimits {
  const connections = Math.max(64, Math.min(4096, descriptors - reservedDescriptors));
  return { connections, perClient: Math.min(512, Math.ceil(connections / 2)), silence: 20_000 };
}

/** The most descriptors that this process can have. Windows does not say. */
function openFileLimit(): number {
  const report = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const limit = Number(report.userLimits?.open_files?.soft ?? Infinity);
  return Number.isNaN(limit) ? Infinity : limit;
}

/**
 * Keeps strangers from filling memory and from taking all connections:
 *
 * - A connection has one request under way. Who sends the next one before its answer is sent (pipelining, which browsers
 *   and proxies do not do) gets the first answer, then the connection closes, as RFC 9112 section 9.3.2 lets it.
 * - Connections over a limit are refused with 503, and silent ones are cut.
 *
 * What it prevents is logged once a second, as counts.
 *
 * @param options.isProxy says which peers are trusted proxies: many clients come through one, so no share holds for its connections
 * @returns the answers that are under way
 */
export function limitConnections(
  server: Server,
  options: { limits: ConnectionLimits; refuse: Refuse; log: Log; isProxy: (address: string) => boolean },
): ReadonlyMap<Duplex, ServerResponse> {
  const { limits, refuse, log, isProxy } = options;
  const count = createCounts(log);
  const check = createCheck(limits, isProxy);
  const refuseConnection = createConnectionRefusal(refuse);
  const answers = new Map<Duplex, ServerResponse>();
  const acceptByHttp = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const excess = check(socket);
    if (excess) {
      count(excess);
      void refuseConnection(socket);
      return;
    }
    for (const accept of acceptByHttp) accept.call(server, socket);
    takeOneByOne(socket, answers, () => count('pipelined'));
  });
  server.on('request', ({ socket }, answer) => {
    answers.set(socket, answer);
    answer.once('close', () => answers.delete(socket));
  });
  server.setTimeout(limits.silence, (socket: Socket) => {
    const answer = answers.get(socket);
    // The client waits for us: for the next row of an export, or for a change that waits for others and then for a slow service.
    if (answer && socket.writableLength === 0) {
      socket.setTimeout(limits.silence);
      return;
    }
    if (answer) count('unread');
    socket.destroy();
  });
  return answers;
}

type Prevented = 'pipelined' | 'unread' | 'overLimit' | 'overShare';

function createCounts(log: Log): (what: Prevented) => void {
  let counts: Partial<Record<Prevented, number>> | null = null;
  return (what) => {
    if (!counts) {
      counts = {};
      setTimeout(() => {
        log('warn', 'connections-limited', { ...counts });
        counts = null;
      }, 1000).unref();
    }
    counts[what] = (counts[what] ?? 0) + 1;
  };
}

/** Counts the open connections; it says what one more exceeds, or null. */
function createCheck(limits: ConnectionLimits, isProxy: (address: string) => boolean) {
  const takeShare = createShares(limits.perClient);
  let all = 0;
  return (socket: Socket): 'overLimit' | 'overShare' | null => {
    const address = socket.remoteAddress ?? '';
    if (all >= limits.connections) return 'overLimit';
    if (!isProxy(address) && !takeShare(address, socket)) return 'overShare';
    all += 1;
    socket.once('close', () => (all -= 1));
    return null;
  };
}

/** A connection or an answer, which ends with `close`. */
interface Closing {
  once(event: 'close', listener: () => void): unknown;
}

/** Counts what each client has open. @returns a function that says whether a client may have one more, and counts that */
export function createShares(most: number): (address: string, one: Closing) => boolean {
  const open = new Map<string, number>();
  return (address, one) => {
    const client = networkOf(address);
    const own = open.get(client) ?? 0;
    if (own >= most) return false;
    open.set(client, own + 1);
    one.once('close', () => {
      const remaining = (open.get(client) ?? 1) - 1;
      if (remaining > 0) open.set(client, remaining);
      else open.delete(client);
    });
    return true;
  };
}

export const tooManyConnections = () =>
  new Problem('busy', 'Too many connections are open. Try again in a few seconds.', {
    headers: { 'Retry-After': '5' },
  });

const lingerLimits = { sockets: 64, time: 1000 };

/** Answers a connection that is one too many. If many of them are being answered, it closes without an answer. */
function createConnectionRefusal(refuse: Refuse): (socket: Socket) => Promise<void> {
  const lingering = new Set<Socket>();
  return async (socket) => {
    socket.on('error', () => {});
    if (lingering.size >= lingerLimits.sockets) return void socket.destroy();
    lingering.add(socket);
    const timer = setTimeout(() => socket.destroy(), lingerLimits.time);
    socket.once('close', () => {
      clearTimeout(timer);
      lingering.delete(socket);
    });
    // Read: a socket that closes with unread bytes is reset, and its client may lose the answer.
    socket.resume();
    // Not in the log one by one: a crowd would fill it.
    socket.end(await serializeAnswer(refuse(tooManyConnections(), null)));
  };
}

/** Node's parser, which its types do not say. */
interface HttpSocket extends Socket {
  parser?: { onIncoming: (request: IncomingMessage, keepAlive: boolean) => number } | null;
}

/** Makes the parser drop the rest of the input, as it does when a connection changes to another protocol. */
const stopParsing = 2;

/**
 * Stops Node's parser at a pipelined request. Closing the socket when the server's `request` comes is too late: Node
 * has made objects of all requests in a packet by then, so 300 connections with 2,000 requests each took 1.1 GB (87 MB
 * this way) and kept others waiting for 30 s (p99 23 ms).
 */
function takeOneByOne(
  socket: HttpSocket,
  answers: ReadonlyMap<Duplex, ServerResponse>,
  onPipelined: () => void,
): void {
  const { parser } = socket;
  if (!parser) throw new Error('This Node has another HTTP parser: requests cannot be taken one by one.');
  const take = parser.onIncoming;
  let isClosing = false;
  parser.onIncoming = (request, keepAlive) => {
    const answer = answers.get(socket);
    if (!answer && !isClosing) return take(request, keepAlive);
    if (answer && !isClosing) {
      isClosing = true;
      onPipelined();
      socket.pause();
      askToClose(answer);
      answer.once('finish', () => socket.destroySoon());
    }
    return stopParsing;
  };
}
