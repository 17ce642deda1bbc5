import { once } from 'node:events';
import { describe, expect, it, test } from 'vitest';
import { listen } from '../../../src/server/http/listen.ts';
import { createTestDesk } from '../../support/desk.ts';
import { openListener, echo, request } from '../../support/server/http-listener.ts';
import { sendRaw } from '../../support/server/raw-http.ts';

const logged: unknown[] = [];
const { port, seen, server } = await openListener(echo, (...line) => logged.push(line));
const local = (target: string, ...headers: string[]) => request(target, 'Host: localhost', ...headers);

test('a request arrives whole, with the address of the peer', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/a?b=c`, { method: 'POST', body: 'text' });
  expect(await answer.json()).toEqual({
    url: `http://127.0.0.1:${port}/a?b=c`,
    method: 'POST',
    body: 'text',
    from: { address: '127.0.0.1' },
  });
});

test('a body in chunks arrives as well', async () => {
  const head = local('DELETE /', 'Transfer-Encoding: chunked');
  expect(await sendRaw(port, `${head}4\r\ntext\r\n0\r\n\r\n`)).toContain('"body":"text"');
});

test.each([
  ...['DELETE', 'POST', 'PROPFIND', 'QUERY', 'OPTIONS', 'PATCH'].map((method) => [method]),
  ['POST', 'Content-Length: 0'],
])('a %s that brings no body has none: %s', async (method = '', ...headers) => {
  const bodies: unknown[] = [];
  const bare = await openListener(async ({ body }) => {
    bodies.push(body);
    return new Response();
  });
  await sendRaw(bare.port, local(`${method} /`, ...headers));
  expect(bodies).toEqual([null]);
});

test('an answer that cannot be finished is cut off without an end, and only the log says why', async () => {
  const desk = await createTestDesk({ samples: 2000 });
  const { cookie } = await desk.signIn('manager');
  desk.upstream.operation = async ({ url }, next) =>
    /AfterId=1[0-9]{3}/.test(url) ? new Response(null, { status: 500 }) : next();
  const one = await openListener(desk.fetch);
  const headers = ['Host: 127.0.0.1:8080', 'X-CSRF: 1', `Cookie: ${cookie()}`];
  const text = await sendRaw(one.port, request('GET /bff/export?columns=username', ...headers));
  expect(text).toMatch(/^HTTP\/1\.1 200 /);
  expect(text).not.toMatch(/Error|\r\n0\r\n\r\n$/);
  expect(desk.logs).toContainEqual(
    expect.objectContaining({ event: 'export-cut-off', code: 'bad-upstream' }),
  );
});

test.each(['TRACE', 'OPTIONS', 'PATCH', 'PURGE'])('a %s arrives as what it is', async (method) => {
  expect(await sendRaw(port, local(`${method} /`))).toContain(`"method":"${method}"`);
});

describe('a request that two readers could read differently', () => {
  it.each([
    ['two hosts', local('GET /', 'Host: example.com')],
    ['the same host twice', local('GET /', 'host: localhost')],
    ['no host', request('GET /')],
    ['an odd host', request('GET /', 'Host: a/b')],
    ['a host that is no address', request('GET /', 'Host: 127x.0.0.1')],
    ['an absolute target', local('GET http://example.com/')],
    ['an absolute target of our own', local('GET http://localhost/')],
    ['no path', local('OPTIONS *')],
    ['a backslash', local('GET /\\example.com')],
    ['a way up', local('GET /bff/../api/subscribers')],
    ['a way up at the end', local('GET /bff/..')],
    ['a hidden way up', local('GET /bff/%2E%2e/api/subscribers?x=y')],
    ['a way up by a backslash', local('GET /bff/..\\api')],
    ['a dot', local('GET /bff/./session')],
  ])('is refused before routing: %s', async (_, text) => {
    seen.length = 0;
    expect(await sendRaw(port, text)).toMatch(/^HTTP\/1\.1 400 [^]*application\/problem\+json/);
    expect(seen).toEqual([]);
  });

  it.each([
    [
      'GET http://example.com/',
      'Host: localhost',
      'The target of the request is not a path. Send only the path.',
    ],
    ['GET /', 'Host: a/b', ''],
  ])(
    'is told what to send, in the headers of all data, and has a line in the log: %s, %s',
    async (target, host, sentence) => {
      logged.length = 0;
      const answer = await sendRaw(port, request(target, host));
      expect(answer).toContain(sentence);
      for (const header of [
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        'referrer-policy: no-referrer',
        'cross-origin-resource-policy: same-origin',
      ])
        expect(answer.toLowerCase()).toContain(`\r\n${header}\r\n`);
      const requestId = /\r\nx-request-id: (\S+)\r\n/i.exec(answer)?.[1];
      expect(logged).toEqual([['info', 'request', { route: 'none', status: 400, requestId }]]);
    },
  );
});

test('headers over 16 KiB are refused', async () => {
  seen.length = 0;
  const fits = await sendRaw(port, local('GET /', `X-Long: ${'x'.repeat(15_000)}`));
  const exceeds = await sendRaw(port, local('GET /', `X-Long: ${'x'.repeat(17_000)}`));
  expect([fits.slice(9, 12), exceeds.slice(9, 12), seen.length]).toEqual(['200', '431', 1]);
});

test('the server keeps the promised times', () => {
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 15_000]);
});

test('an error nobody foresaw is logged and answered without its text', async () => {
  const lines: unknown[] = [];
  const failing = await openListener(
    async () => {
      throw new Error('canary');
    },
    (...line) => lines.push(line),
  );
  const answer = await fetch(`http://127.0.0.1:${failing.port}/`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('canary');
  expect(lines).toContainEqual([
    'error',
    'request-failed',
    { error: 'Error', stack: expect.arrayContaining([expect.stringMatching(/^at /)]) },
  ]);
  expect(JSON.stringify(lines)).not.toContain('canary');
});

test('an address that can’t be had is said in a sentence', async () => {
  await expect(listen({ port: 0, host: '192.0.2.1', log: () => {} })).rejects.toThrow(
    '192.0.2.1 is not an address of this machine. Set HOST to one, such as 127.0.0.1.',
  );
});

describe('the signal of a request', () => {
  it('aborts when the client goes before its answer', async () => {
    const arrived = Promise.withResolvers<AbortSignal>();
    const over = Promise.withResolvers<Response>();
    const held = await openListener(async (_, { signal }) => {
      arrived.resolve(signal?.() ?? new AbortController().signal);
      return over.promise;
    });
    const client = new AbortController();
    const requested = fetch(`http://127.0.0.1:${held.port}/`, { signal: client.signal }).catch(() => 'gone');
    const signal = await arrived.promise;
    const aborted = once(signal, 'abort');
    client.abort();
    await aborted;
    expect(await requested).toBe('gone');
    over.resolve(new Response());
  });

  it('does not abort when the answer has been sent', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const answering = await openListener(async (_, { signal }) => {
      signals.push(signal?.());
      return new Response('here');
    });
    const closed = new Promise((resolve) =>
      answering.server.once('connection', (socket) => socket.once('close', resolve)),
    );
    expect(await sendRaw(answering.port, local('GET /'))).toContain('here');
    await closed;
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  });
});
