import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { answer, type Fault } from './faulty-service.ts';

const leak = 'canary-upstream-text';
export const mebibyte = 1024 ** 2;

const repeat = (socket: Socket, ms: number, text: string) => {
  const timer = setInterval(() => socket.write(text), ms);
  socket.on('close', () => clearInterval(timer));
};
const then =
  (bytes: string | Buffer): Fault =>
  (socket) =>
    socket.end(bytes);
/** The beginning of an answer that has not said yet how long it is. */
export const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Writes for ever, as fast as the other side takes it; the connection counts what it wrote. */
export const flood = (socket: Socket) => {
  const part = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
  const more = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  socket.on('drain', more);
  more();
};

/** Faults of a service, and the status that staff get: whatever it says holds a canary. */
export const faults: readonly [string, Fault, number][] = [
  ['never answers', () => undefined, 504],
  ['begins its head and stops', (socket) => socket.write(head), 504],
  ['begins its body and stops', (socket) => socket.write(`${head}Content-Length: 9\r\n\r\n{`), 504],
  [
    'answers a byte at a time without end',
    (socket) => {
      socket.write(`${head}Content-Length: 99999\r\n\r\n`);
      repeat(socket, 20, ' ');
    },
    504,
  ],
  ['writes its head a letter at a time', (socket) => repeat(socket, 20, 'H'), 502],
  ['says without end that it will go on', (socket) => repeat(socket, 20, 'HTTP/1.1 102 Go on\r\n\r\n'), 504],
  ['hangs up at once', (socket) => socket.destroy(), 503],
  ['resets the connection at once', (socket) => socket.resetAndDestroy(), 503],
  [
    'resets the connection within its body',
    (socket) =>
      socket.write(`${head}Content-Length: 999\r\n\r\n{"note":"${leak}`, () => socket.resetAndDestroy()),
    502,
  ],
  ['cuts off its JSON', then(answer(`{"note":"${leak}`)), 502],
  ['calls HTML JSON', then(answer(`<p>${leak}`)), 502],
  ['promises more than it sends', then(answer('{}', { headers: { 'Content-Length': '999' } })), 502],
  [
    'sends more than it promised',
    then(answer(`{"a":"${leak}"}`, { headers: { 'Content-Length': '4' } })),
    502,
  ],
  ['counts its body twice', then(answer('{}', { headers: { 'content-length': '3' } })), 502],
  ['counts its body below nothing', then(answer('{}', { headers: { 'Content-Length': '-1' } })), 502],
  [
    'breaks its chunks',
    then(answer(leak, { headers: { 'Content-Length': null, 'Transfer-Encoding': 'chunked' } })),
    502,
  ],
  ['floods its head', then(answer('{}', { headers: { 'X-Debug': leak.repeat(10_000) } })), 502],
  ['speaks something else', then(`220 ${leak} ESMTP\r\n`), 502],
  ['answers a status that is none', then(answer('{}', { status: '999 What' })), 502],
  ['floods its body', flood, 502],
  [
    'sends a bomb in gzip',
    then(answer(gzipSync(Buffer.alloc(50 * mebibyte)), { headers: { 'Content-Encoding': 'gzip' } })),
    502,
  ],
  ['redirects', then(answer(leak, { status: '302 Found', headers: { Location: '/v1/elsewhere' } })), 502],
  [
    'redirects for ever',
    then(answer(leak, { status: '308 Permanent', headers: { Location: '/v1/elsewhere' } })),
    502,
  ],
  ['answers 500', then(answer(leak, { status: `500 ${leak}` })), 502],
  ['answers 503', then(answer(leak, { status: '503 Busy' })), 503],
  ...['1', '0', '-1', 'soon', '9'.repeat(30), 'Thu, 01 Jan 2026 00:00:02 GMT'].map(
    (text): [string, Fault, number] => [
      `answers 429 with Retry-After ${text}`,
      then(answer(leak, { status: '429 Slow', headers: { 'Retry-After': text } })),
      503,
    ],
  ),
];
