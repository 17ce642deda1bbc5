import { once } from 'node:events';
import { beforeEach, describe, expect, it, onTestFinished, test } from 'vitest';
import { problemAnswer, toResponse } from '../../../src/contract/http/answer.ts';
import { Problem, ProblemBody } from '../../../src/contract/http/problem.ts';
import { readInput } from '../../../src/contract/http/router.ts';
import { api } from '../../../src/contract/service/api.ts';
import { swallowLimits } from '../../../src/server/http/refuse.ts';
import type { Fetch } from '../../../src/server/http/request-listener.ts';
import { echo, openListener, request } from '../../support/server/http-listener.ts';
import { openSocket, readAll, sendRaw } from '../../support/server/raw-http.ts';

const { time } = swallowLimits;

// On a busy machine, half a second can pass between two parts of a body.
beforeEach(() => {
  swallowLimits.time = 30_000;
  onTestFinished(() => void (swallowLimits.time = time));
});

/** An answer on the line, taken apart. */
function readAnswer(text: string) {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(': ')[0] ?? '', line.split(': ')[1] ?? '']),
  );
  return { status, headers, body, problem: ProblemBody.safeParse(JSON.parse(body || 'null')).data };
}

async function sendOdd(text: string, fetch: Fetch = echo) {
  const logged: unknown[] = [];
  const { port, seen } = await openListener(fetch, (...line) => logged.push(line));
  return { ...readAnswer(await sendRaw(port, text)), logged, seen };
}

const statuses = {
  'bad-request': '400 Bad Request',
  'headers-too-large': '431 Request Header Fields Too Large',
};
const local = (...headers: string[]) => request('GET /', 'Host: localhost', ...headers);
const posted = (...headers: string[]) => `${request('POST /', 'Host: localhost', ...headers)}canary`;

describe('what never becomes a request', () => {
  it.each<[string, string, keyof typeof statuses]>([
    ['no HTTP', 'canary\r\n\r\n', 'bad-request'],
    ['a method that is none', 'CANARY / HTTP/1.1\r\nHost: localhost\r\n\r\n', 'bad-request'],
    ['another version', 'GET /canary HTTP/9.9\r\nHost: localhost\r\n\r\n', 'bad-request'],
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00canary', 'bad-request'],
    ['a header without a name', local(': canary'), 'bad-request'],
    ['a NUL in a header', local('X: \0canary'), 'bad-request'],
    ['a body that is counted twice', posted('Content-Length: 3', 'Content-Length: 7'), 'bad-request'],
    [
      'a body that is counted and in chunks',
      posted('Content-Length: 3', 'Transfer-Encoding: chunked'),
      'bad-request',
    ],
    ['a tunnel', 'CONNECT canary:443 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'bad-request'],
    ['headers over 16 KiB', local(`X-Long: ${'canary'.repeat(3000)}`), 'headers-too-large'],
    ['headers far over 16 KiB', local(`X-Long: ${'canary'.repeat(100_000)}`), 'headers-too-large'],
    [
      'an address over 16 KiB',
      request(`GET /${'canary'.repeat(3000)}`, 'Host: localhost'),
      'headers-too-large',
    ],
  ])(
    'is answered as every refusal is, with a line in the log and none of its text: %s',
    async (_, text, code) => {
      const { headers, problem, seen, logged, ...answer } = await sendOdd(text);
      expect(answer.status).toBe(`HTTP/1.1 ${statuses[code]}`);
      expect(problem).toMatchObject({ type: `urn:subscriber-desk:problem:${code}` });
      expect(Object.fromEntries(headers)).toEqual({
        'cache-control': 'no-store',
        connection: 'close',
        'content-length': String(answer.body.length),
        'content-type': 'application/problem+json',
        'cross-origin-resource-policy': 'same-origin',
        date: expect.stringMatching(/ GMT$/),
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-request-id': problem?.requestId,
      });
      expect(seen).toEqual([]);
      const details = {
        route: 'none',
        status: problem?.status,
        reason: expect.stringMatching(/^(HPE_[A-Z_]+|CONNECT)$/),
        requestId: problem?.requestId,
      };
      expect(logged).toEqual([['info', 'request', details]]);
      expect(answer.body + JSON.stringify(logged)).not.toMatch(/canary/i);
    },
  );
});

test('a request that does not arrive in time is told so', async () => {
  const logged: unknown[] = [];
  const { port, server } = await openListener(echo, (...line) => logged.push(line));
  server.headersTimeout = 50;
  const socket = await openSocket(port);
  onTestFinished(() => void socket.destroy());
  socket.write('GET /canary HTTP/1.1\r\nHost: loc');
  const { status, problem } = readAnswer(await readAll(socket));
  expect(status).toBe('HTTP/1.1 408 Request Timeout');
  expect(problem).toMatchObject({ type: 'urn:subscriber-desk:problem:too-slow' });
  expect(logged).toMatchObject([['info', 'request', { status: 408, reason: 'ERR_HTTP_REQUEST_TIMEOUT' }]]);
  expect(JSON.stringify(logged)).not.toContain('canary');
});

test('an answer that is on its way is not mixed with a refusal', async () => {
  const part = new TextEncoder().encode('begun');
  const open = () => new Response(new ReadableStream({ start: (line) => line.enqueue(part) }));
  const { port } = await openListener(async () => open());
  const socket = await openSocket(port);
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  let text = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      if (!text.includes('begun') && (text += bytes.toString()).includes('begun'))
        socket.write('canary\r\n\r\n');
      else text += bytes.toString();
    });
    socket.on('close', () => resolve());
  });
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]*begun\r\n$/);
});

test('a request with an expectation that nobody knows is a request like any other', async () => {
  const { status, seen } = await sendOdd(request('GET /', 'Host: localhost', 'Expect: canary'));
  expect([status, seen.length]).toEqual(['HTTP/1.1 200 OK', 1]);
});

test('a client that has gone gets no answer, and that is no failure', async () => {
  const logged: unknown[] = [];
  const { port, server } = await openListener(echo, (...line) => logged.push(line));
  const socket = await openSocket(port);
  const noticed = once(server, 'clientError');
  socket.write('GET / HTTP/1.1\r\nHo', () => socket.resetAndDestroy());
  await noticed;
  expect(logged).toEqual([]);
});

test('what cannot be read behind a whole request leaves that request its answer, and the connection ends', async () => {
  const held = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const { port } = await openListener(async (request) => {
    const body = await request.text();
    arrived.resolve();
    await held.promise;
    return new Response(`did ${body}`);
  });
  const socket = await openSocket(port);
  const all = readAll(socket);
  socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nthis\0\0 no HTTP\r\n\r\n');
  await arrived.promise;
  held.resolve();
  const text = await all;
  expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(['HTTP/1.1 200']);
  expect(text).toContain('did this');
});

/** Answers without reading the body, as middleware that refuses a request. */
const refuseAtOnce: Fetch = async () => new Response('refused', { status: 403 });

/** Reads a body as every route does, and notes what came of it. */
function createReader() {
  const codes: string[] = [];
  const seen = Promise.withResolvers<void>();
  const fetch: Fetch = async (request) => {
    const end: unknown = await readInput(api.updateSubscriber, request, { id: '1' }).catch((error) => error);
    codes.push(end instanceof Problem ? end.code : String(end));
    seen.resolve();
    const refusal = end instanceof Problem ? end : new Problem('internal-error', 'A bug.');
    return toResponse(problemAnswer(refusal, 'r1'));
  };
  return { codes, fetch, seen: seen.promise };
}

const put = (...headers: string[]) =>
  `PUT / HTTP/1.1\r\n${['Host: localhost', 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`;

test('a refusal before a large body is read arrives, and the connection ends once the body is read away', async () => {
  const { port, server } = await openListener(refuseAtOnce);
  const [answer, [socket]] = await Promise.all([
    sendRaw(port, put('Content-Length: 900000') + 'x'.repeat(900_000)),
    once(server, 'connection'),
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*\r\nConnection: close\r\n[^]*refused$/i);
  // A reset could take the answer with it.
  expect(socket.bytesRead).toBeGreaterThan(900_000);
});

test('a body that is refused after its limit has its answer arrive as well', async () => {
  const { port } = await openListener(createReader().fetch);
  const answer = await sendRaw(port, put('Content-Length: 900000') + 'x'.repeat(900_000));
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n/i);
});

test('a body that never comes is not waited for long', async () => {
  swallowLimits.time = time;
  const { port } = await openListener(refuseAtOnce);
  expect(await sendRaw(port, put('Content-Length: 9'))).toMatch(/^HTTP\/1\.1 403 /);
});

test('a body that was read leaves the connection open', async () => {
  const { port } = await openListener(createReader().fetch);
  const socket = await openSocket(port);
  socket.write(`${put('Content-Length: 1')}{`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 422 [^]*\r\nConnection: keep-alive\r\n/i);
  socket.destroy();
});

test.each([
  ['is chunked badly', `${put('Transfer-Encoding: chunked')}zz\r\nab`, false],
  ['is cut off by the end of the connection', `${put('Content-Length: 9')}{`, true],
])('a body that %s is no failure of ours', async (_, text, leave) => {
  const { codes, fetch, seen } = createReader();
  const { port } = await openListener(fetch);
  const socket = await openSocket(port);
  const all = readAll(socket).catch(() => '');
  socket.write(text);
  if (leave) socket.resetAndDestroy();
  await seen;
  expect(codes).toEqual(['bad-request']);
  if (!leave) await all;
});
