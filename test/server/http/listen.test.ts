import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { listen } from '../../../src/server/http/listen.ts';
import { createRefuse } from '../../../src/server/http/refuse.ts';
import type { Fetch } from '../../../src/server/http/request-listener.ts';
import { openListener, echo, request } from '../../support/server/http-listener.ts';
import { sendRaw } from '../../support/server/raw-http.ts';

test('a request arrives whole, with the address of the peer', async () => {
  const { port } = await openListener();
  const answer = await fetch(`http://127.0.0.1:${port}/a?b=c`, { method: 'POST', body: 'text' });
  expect(await answer.json()).toEqual({
    url: `http://127.0.0.1:${port}/a?b=c`,
    method: 'POST',
    body: 'text',
    from: { address: '127.0.0.1' },
  });
});

test('a body in chunks arrives as well', async () => {
  const { port } = await openListener();
  const head = request('DELETE /', 'Host: localhost', 'Transfer-Encoding: chunked');
  expect(await sendRaw(port, `${head}4\r\ntext\r\n0\r\n\r\n`)).toContain('"body":"text"');
});

test.each([
  ['DELETE', []],
  ['POST', []],
  ['POST', ['Content-Length: 0']],
])('a %s that brings no body has none: %j', async (method, headers) => {
  const bodies: unknown[] = [];
  const { port } = await openListener(async ({ body }) => {
    bodies.push(body);
    return new Response();
  });
  await sendRaw(port, request(`${method} /`, 'Host: localhost', ...headers));
  expect(bodies).toEqual([null]);
});

test.each(['PROPFIND', 'QUERY', 'OPTIONS', 'PATCH', 'POST'])(
  'a %s that brings no body is none with one',
  async (method) => {
    const { port } = await openListener(async ({ body }) => Response.json({ bare: body === null }));
    expect(await sendRaw(port, request(`${method} /`, 'Host: localhost'))).toContain('{"bare":true}');
  },
);

test.each(['TRACE', 'OPTIONS', 'PATCH', 'PURGE'])('a %s arrives as what it is', async (method) => {
  const { port } = await openListener();
  const answer = await sendRaw(port, request(`${method} /`, 'Host: localhost'));
  expect(answer).toContain(`"method":"${method}"`);
});

describe('a request that two readers could read differently is refused before routing', () => {
  test.each([
    ['two hosts', request('GET /', 'Host: localhost', 'Host: example.com')],
    ['the same host twice', request('GET /', 'Host: localhost', 'host: localhost')],
    ['no host', request('GET /')],
    ['an odd host', request('GET /', 'Host: a/b')],
    ['an absolute target', request('GET http://example.com/', 'Host: localhost')],
    ['an absolute target of our own', request('GET http://localhost/', 'Host: localhost')],
    ['no path', request('OPTIONS *', 'Host: localhost')],
    ['a backslash', request('GET /\\example.com', 'Host: localhost')],
    ['a way up', request('GET /bff/../api/subscribers', 'Host: localhost')],
    ['a way up at the end', request('GET /bff/..', 'Host: localhost')],
    ['a hidden way up', request('GET /bff/%2E%2e/api/subscribers?x=y', 'Host: localhost')],
    ['a way up by a backslash', request('GET /bff/..\\api', 'Host: localhost')],
    ['a dot', request('GET /bff/./session', 'Host: localhost')],
  ])('%s', async (_, text) => {
    const { port, seen } = await openListener();
    expect(await sendRaw(port, text)).toMatch(/^HTTP\/1\.1 400 [^]*application\/problem\+json/);
    expect(seen).toEqual([]);
  });

  test('with a problem that says what to send', async () => {
    const { port } = await openListener();
    const answer = await sendRaw(port, request('GET http://example.com/', 'Host: localhost'));
    expect(answer).toContain('application/problem+json');
    expect(answer).toContain('The target of the request is not a path. Send only the path.');
  });

  test.each([
    ['GET http://example.com/', 'Host: localhost'],
    ['GET /', 'Host: a/b'],
  ])('in the headers of all data, and with a line in the log: %s, %s', async (target, host) => {
    const logged: unknown[] = [];
    const { port } = await openListener(echo, (...line) => logged.push(line));
    const answer = (await sendRaw(port, request(target, host))).toLowerCase();
    for (const header of [
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'referrer-policy: no-referrer',
      'cross-origin-resource-policy: same-origin',
    ])
      expect(answer).toContain(`\r\n${header}\r\n`);
    const requestId = /\r\nx-request-id: (\S+)\r\n/.exec(answer)?.[1];
    expect(logged).toEqual([['info', 'request', { route: 'none', status: 400, requestId }]]);
  });
});

test('headers over 16 KiB are refused', async () => {
  const { port, seen } = await openListener();
  const fits = await sendRaw(port, request('GET /', 'Host: localhost', `X-Long: ${'x'.repeat(15_000)}`));
  const exceeds = await sendRaw(port, request('GET /', 'Host: localhost', `X-Long: ${'x'.repeat(17_000)}`));
  expect([fits.slice(9, 12), exceeds.slice(9, 12), seen.length]).toEqual(['200', '431', 1]);
});

test('the server keeps the promised times', async () => {
  const { server } = await openListener();
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 15_000]);
});

test('an error nobody foresaw is logged and answered without its text', async () => {
  const logged: unknown[] = [];
  const failing: Fetch = async () => {
    throw new Error('canary');
  };
  const { port } = await openListener(failing, (...line) => logged.push(line));
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('canary');
  expect(logged).toContainEqual([
    'error',
    'request-failed',
    { error: 'Error', stack: expect.arrayContaining([expect.stringMatching(/^at /)]) },
  ]);
  expect(JSON.stringify(logged)).not.toContain('canary');
});

const listenInVain = (where: { port: number; host: string }) =>
  listen({ ...where, listener: () => {}, refuse: createRefuse(() => {}, null), log: () => {} });

describe('an address that cannot be had is said in a sentence', () => {
  test('a port in use', async () => {
    const { port } = await openListener();
    await expect(listenInVain({ port, host: '127.0.0.1' })).rejects.toThrow(
      `Port ${port} is in use. Stop the other program or set PORT to another number.`,
    );
  });

  test('an address of another machine', async () => {
    await expect(listenInVain({ port: 0, host: '192.0.2.1' })).rejects.toThrow(
      '192.0.2.1 is not an address of this machine. Set HOST to one, such as 127.0.0.1.',
    );
  });
});

describe('the signal of a request', () => {
  test('aborts when the client goes before its answer', async () => {
    const arrived = Promise.withResolvers<AbortSignal>();
    const over = Promise.withResolvers<Response>();
    const { port } = await openListener(async (_, { signal }) => {
      arrived.resolve(signal?.() ?? new AbortController().signal);
      return over.promise;
    });
    const client = new AbortController();
    const asked = fetch(`http://127.0.0.1:${port}/`, { signal: client.signal }).catch(() => 'gone');
    const signal = await arrived.promise;
    const aborted = once(signal, 'abort');
    client.abort();
    await aborted;
    expect(await asked).toBe('gone');
    over.resolve(new Response());
  });

  test('does not abort when the answer has been sent', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { port, server } = await openListener(async (_, { signal }) => {
      signals.push(signal?.());
      return new Response('here');
    });
    const closed = new Promise((resolve) =>
      server.once('connection', (socket) => socket.once('close', resolve)),
    );
    expect(await sendRaw(port, request('GET /', 'Host: localhost'))).toContain('here');
    await closed;
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
  });
});
