import { once } from 'node:events';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Problem } from '../../../src/contract/http/problem.ts';
import { swallowLimits } from '../../../src/server/http/refuse.ts';
import type { Fetch } from '../../../src/server/http/request-listener.ts';
import { echo, openListener, request } from '../../support/server/http-listener.ts';
import { openSocket, readAll, sendRaw } from '../../support/server/raw-http.ts';

// On a busy machine, half a second can pass between two parts of a body.
beforeEach(() => {
  const { time } = swallowLimits;
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
  return { status, headers, body, problem: Problem.safeParse(JSON.parse(body || 'null')).data };
}

async function sendOdd(text: string, fetch: Fetch = echo) {
  const logged: unknown[] = [];
  const { port, seen } = await openListener(fetch, (...line) => logged.push(line));
  return { ...readAnswer(await sendRaw(port, text)), logged, seen };
}

const unreadable: [string, string, string, string][] = [
  ['is no HTTP', 'canary\r\n\r\n', '400 Bad Request', 'bad-request'],
  [
    'has a method that is none',
    'CANARY / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    '400 Bad Request',
    'bad-request',
  ],
  [
    'has another version',
    'GET /canary HTTP/9.9\r\nHost: localhost\r\n\r\n',
    '400 Bad Request',
    'bad-request',
  ],
  ['begins TLS', '\x16\x03\x01\x02\x00\x01\x00canary', '400 Bad Request', 'bad-request'],
  [
    'has a header without a name',
    request('GET /', 'Host: localhost', ': canary'),
    '400 Bad Request',
    'bad-request',
  ],
  [
    'has a NUL in a header',
    request('GET /', 'Host: localhost', 'X: \0canary'),
    '400 Bad Request',
    'bad-request',
  ],
  [
    'counts its body twice',
    request('POST /', 'Host: localhost', 'Content-Length: 3', 'Content-Length: 7') + 'canary',
    '400 Bad Request',
    'bad-request',
  ],
  [
    'counts its body and sends it in chunks',
    request('POST /', 'Host: localhost', 'Content-Length: 3', 'Transfer-Encoding: chunked') + 'canary',
    '400 Bad Request',
    'bad-request',
  ],
  [
    'asks for a tunnel',
    'CONNECT canary:443 HTTP/1.1\r\nHost: localhost\r\n\r\n',
    '400 Bad Request',
    'bad-request',
  ],
  [
    'has headers over 16 KiB',
    request('GET /', 'Host: localhost', `X-Long: ${'canary'.repeat(3000)}`),
    '431 Request Header Fields Too Large',
    'headers-too-large',
  ],
  [
    'has headers far over 16 KiB',
    request('GET /', 'Host: localhost', `X-Long: ${'canary'.repeat(100_000)}`),
    '431 Request Header Fields Too Large',
    'headers-too-large',
  ],
  [
    'has an address over 16 KiB',
    request(`GET /${'canary'.repeat(3000)}`, 'Host: localhost'),
    '431 Request Header Fields Too Large',
    'headers-too-large',
  ],
];

describe('what never becomes a request, because it', () => {
  test.each(unreadable)('%s, is answered as every refusal is', async (_, text, status, code) => {
    const { headers, problem, seen, ...answer } = await sendOdd(text);
    expect(answer.status).toBe(`HTTP/1.1 ${status}`);
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
  });

  test.each(unreadable)('%s, is one line in the log, and none of its text', async (_, text, status) => {
    const { problem, logged, body } = await sendOdd(text);
    const facts = {
      route: 'none',
      status: Number(status.slice(0, 3)),
      reason: expect.stringMatching(/^(HPE_[A-Z_]+|CONNECT)$/),
      requestId: problem?.requestId,
    };
    expect(logged).toEqual([['info', 'request', facts]]);
    expect(body + JSON.stringify(logged)).not.toMatch(/canary/i);
  });
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
