import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../../contract/http/refusal.ts';
import { systemCode } from '../cannot-start.ts';
import { clock } from '../runtime.ts';
import type { Refuse } from './refuse.ts';
import { swallowBody } from './swallow-body.ts';

/** Answers what Node itself gives up on, before there is a request, in the words and headers of all other refusals. */
export function refuseUnreadable(server: Server, refuse: Refuse): void {
  const begun = new WeakMap<Duplex, ServerResponse>();
  const refused = new WeakSet<Duplex>();
  server.on('request', ({ socket }, answer) => begun.set(socket, answer));
  const refuseOn = async (socket: Duplex, code: string) => {
    // What goes on coming in is as unreadable, and would be refused again.
    if (refused.has(socket)) return;
    refused.add(socket);
    const former = begun.get(socket);
    const inTheMidst = former?.headersSent === true && !former.writableFinished;
    if (!socket.writable || inTheMidst) return void socket.destroy();
    socket.on('error', () => {});
    socket.end(await asText(refuse(refusalOf(code), { reason: code })));
    await swallowBody(socket);
    socket.destroy();
  };
  server.on('clientError', (error, socket) => void refuseOn(socket, systemCode(error)));
  // Without these Node hangs up on the one without a word, and refuses the other in words of its own.
  server.on('connect', (_, socket) => void refuseOn(socket, 'CONNECT'));
  server.on('checkExpectation', (incoming, answer) => server.emit('request', incoming, answer));
}

/** By the codes of Node and of its parser, which hold nothing of the request. */
function refusalOf(code: string): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Refusal('headers-too-large', 'Send fewer or shorter headers, or a shorter address.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Refusal('too-slow', 'Send it again, over a better line if there is one.');
  return new Refusal('bad-request', 'Send it again by HTTP/1.1, as a browser does.');
}

async function asText(response: Response): Promise<string> {
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
