import { describe, expect, onTestFinished, test } from 'vitest';
import type { Log } from '../../src/bff/bff.ts';
import { listen } from '../../src/host/listen.ts';
import { createRequestListener, type Fetch } from '../../src/host/request-listener.ts';
import { openSocket, readAll, sendRaw } from './raw-http.ts';

const echo: Fetch = async (request, from) =>
  Response.json({ url: request.url, method: request.method, body: await request.text(), from });

async function arrange(fetch: Fetch = echo, log: Log = () => {}, drainTime = 15_000) {
  const seen: string[] = [];
  const counted: Fetch = (request, from) => {
    seen.push(request.url);
    return fetch(request, from);
  };
  const listener = createRequestListener({ fetch: counted, log });
  const listening = await listen({ port: 0, host: '127.0.0.1', listener, drainTime });
  onTestFinished(async () => {
    listening.server.closeAllConnections();
    if (listening.server.listening) await listening.close();
  });
  return { ...listening, seen };
}

const request = (target: string, ...headers: string[]) =>
  `${target} HTTP/1.1\r\n${[...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`;

test('a request arrives whole, with the address of the peer', async () => {
  const { port } = await arrange();
  const answer = await fetch(`http://127.0.0.1:${port}/a?b=c`, { method: 'POST', body: 'text' });
  expect(await answer.json()).toEqual({
    url: `http://127.0.0.1:${port}/a?b=c`,
    method: 'POST',
    body: 'text',
    from: { address: '127.0.0.1' },
  });
});

test('a body in chunks arrives as well', async () => {
  const { port } = await arrange();
  const head = request('DELETE /', 'Host: localhost', 'Transfer-Encoding: chunked');
  expect(await sendRaw(port, `${head}4\r\ntext\r\n0\r\n\r\n`)).toContain('"body":"text"');
});

test.each([
  ['DELETE', []],
  ['POST', []],
  ['POST', ['Content-Length: 0']],
])('a %s that brings no body has none: %j', async (method, headers) => {
  const bodies: unknown[] = [];
  const { port } = await arrange(async ({ body }) => {
    bodies.push(body);
    return new Response();
  });
  await sendRaw(port, request(`${method} /`, 'Host: localhost', ...headers));
  expect(bodies).toEqual([null]);
});

test.each(['TRACE', 'OPTIONS', 'PATCH', 'PURGE'])('a %s arrives as what it is', async (method) => {
  const { port } = await arrange();
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
  ])('%s', async (_, text) => {
    const { port, seen } = await arrange();
    expect(await sendRaw(port, text)).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });

  test('with a problem that says what to send', async () => {
    const { port } = await arrange();
    const answer = await sendRaw(port, request('GET http://example.com/', 'Host: localhost'));
    expect(answer).toContain('application/problem+json');
    expect(answer).toContain('Send the path alone as the target of the request.');
  });
});

test('headers over 16 KiB are refused', async () => {
  const { port, seen } = await arrange();
  const fits = await sendRaw(port, request('GET /', 'Host: localhost', `X-Long: ${'x'.repeat(15_000)}`));
  const exceeds = await sendRaw(port, request('GET /', 'Host: localhost', `X-Long: ${'x'.repeat(17_000)}`));
  expect([fits.slice(9, 12), exceeds.slice(9, 12), seen.length]).toEqual(['200', '431', 1]);
});

test('the server keeps the promised times', async () => {
  const { server } = await arrange();
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 15_000]);
});

test('an error nobody foresaw is logged and answered without its text', async () => {
  const logged: unknown[] = [];
  const failing: Fetch = async () => {
    throw new Error('canary');
  };
  const { port } = await arrange(failing, (...line) => logged.push(line));
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain('canary');
  expect(logged).toEqual([['error', 'request-failed', { error: new Error('canary') }]]);
});

describe('closing', () => {
  test('lets a request under way end, then takes no more', async () => {
    const arrived = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    const slow: Fetch = async () => {
      arrived.resolve();
      await go.promise;
      return new Response('whole');
    };
    const { port, close } = await arrange(slow);
    const underWay = fetch(`http://127.0.0.1:${port}/`);
    await arrived.promise;
    const closed = close();
    await expect(openSocket(port)).rejects.toThrow('ECONNREFUSED');
    go.resolve();
    expect(await (await underWay).text()).toBe('whole');
    await closed;
  });

  test('cuts off what takes too long', async () => {
    const arrived = Promise.withResolvers<void>();
    const stuck: Fetch = () => {
      arrived.resolve();
      return new Promise(() => {});
    };
    const { port, close } = await arrange(stuck, () => {}, 20);
    const underWay = fetch(`http://127.0.0.1:${port}/`);
    await arrived.promise;
    await Promise.all([close(), expect(underWay).rejects.toThrow('fetch failed')]);
  });

  test('does not wait for a connection that is only kept alive', async () => {
    const { port, close } = await arrange();
    const socket = await openSocket(port);
    const all = readAll(socket);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    await close();
    expect(await all).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('an address that cannot be had is said in a sentence', () => {
  test('a port in use', async () => {
    const { port } = await arrange();
    await expect(listen({ port, host: '127.0.0.1', listener: () => {} })).rejects.toThrow(
      `Port ${port} is in use. Stop the other program or set PORT to another number.`,
    );
  });

  test('an address of another machine', async () => {
    await expect(listen({ port: 0, host: '192.0.2.1', listener: () => {} })).rejects.toThrow(
      '192.0.2.1 is no address of this machine. Set HOST to one that is, such as 127.0.0.1.',
    );
  });
});
