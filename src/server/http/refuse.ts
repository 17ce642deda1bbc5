import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { Log } from '../../lib/log.ts';
import { createSecurityHeaders } from '../../bff/http/security-headers.ts';
import { toResponse, problemAnswer } from '../../contract/http/answer.ts';
import { Problem } from '../../contract/http/problem.ts';
import { systemCode } from '../cannot-start.ts';
import { clock } from '../runtime.ts';

/** Answers a request that never reached a route. Logs it like other requests, unless `fields` is null. */
export type Refuse = (refusal: Problem, fields?: Readonly<Record<string, unknown>> | null) => Response;

/** @param publicUrl the origin that browsers use, if it is known: it decides about HSTS */
export function createRefuse(log: Log, publicUrl: string | undefined): Refuse {
  const securityHeaders = createSecurityHeaders(publicUrl === undefined ? {} : { publicUrl });
  return (refusal, fields = {}) => {
    const requestId = crypto.randomUUID();
    const response = toResponse(problemAnswer(refusal, requestId), securityHeaders.data);
    if (fields) log('info', 'request', { route: 'none', status: response.status, ...fields, requestId });
    return response;
  };
}

/**
 * Answers what Node rejects before there is a request, with a problem and headers like other refusals.
 *
 * @param answers the answers that are under way
 */
export function refuseUnreadable(
  server: Server,
  refuse: Refuse,
  answers: ReadonlyMap<Duplex, ServerResponse>,
): void {
  const refused = new WeakSet<Duplex>();
  const refuseOn = async (socket: Duplex, code: string) => {
    // The rest of the input is unreadable as well, and would be refused again.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = answers.get(socket);
    if (!socket.writable || answer?.headersSent) return void socket.destroy();
    socket.on('error', () => {});
    // What cannot be read came behind a whole request: its answer alone says what was done.
    if (answer?.req.complete) {
      askToClose(answer);
      answer.once('finish', () => socket.destroy());
      return;
    }
    socket.end(await serializeAnswer(refuse(refusalOf(code), { reason: code })));
    await swallowBody(socket);
    socket.destroy();
  };
  server.on('clientError', (error, socket) => void refuseOn(socket, systemCode(error)));
  // Otherwise Node closes a CONNECT without an answer, and answers an unknown `Expect` itself.
  server.on('connect', (_, socket) => void refuseOn(socket, 'CONNECT'));
  server.on('checkExpectation', (incoming, answer) => server.emit('request', incoming, answer));
}

/** Ends the connection with an answer, where that has not begun. */
export function askToClose(answer: ServerResponse): void {
  if (!answer.headersSent) answer.setHeader('Connection', 'close');
}

/** The refusal for an error code of Node or its parser, which contains nothing of the request. */
function refusalOf(code: string): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem(
      'headers-too-large',
      'The headers are too large. Send fewer or shorter headers, or a shorter address.',
    );
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem(
      'too-slow',
      'The request arrived too slowly. Nothing was changed. Send it again, over a faster connection if possible.',
    );
  return new Problem(
    'bad-request',
    'The request is not valid HTTP/1.1. Nothing was changed. Correct it and send it again.',
  );
}

/** Writes an answer as text for the wire. The connection closes after it. */
export async function serializeAnswer(response: Response): Promise<string> {
  const body = await response.text();
  const headers = {
    ...Object.fromEntries(response.headers),
    Date: new Date(clock()).toUTCString(),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Most of an unwanted body that is read, in bytes and ms. */
export const swallowLimits = { bytes: 1024 * 1024, time: 500 };

/**
 * Reads and drops the rest of a body before its request is answered: closing a socket with unread bytes resets it, and
 * the sender may lose the answer. Resolves at the end of the body or at the limits.
 */
export function swallowBody(incoming: Readable): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const stop = () => {
      clearTimeout(timer);
      incoming.off('data', take);
      for (const event of ['end', 'close', 'error']) incoming.off(event, stop);
      resolve();
    };
    const take = (part: Uint8Array) => {
      bytes += part.byteLength;
      // The reader of the first part may have paused the stream.
      if (bytes <= swallowLimits.bytes) incoming.resume();
      else stop();
    };
    const timer = setTimeout(stop, swallowLimits.time);
    incoming.on('data', take);
    for (const event of ['end', 'close', 'error']) incoming.on(event, stop);
    incoming.resume();
  });
}
