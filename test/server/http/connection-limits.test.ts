import { once } from 'node:events';
import { describe, expect, it, test } from 'vitest';
import type { ConnectionLimits } from '../../../src/server/http/connection-limits.ts';
import { connectionLimits } from '../../../src/server/http/connection-limits.ts';
import type { Fetch } from '../../../src/server/http/request-listener.ts';
import { openListener } from '../../support/server/http-listener.ts';
import { openSocket, readAll, sendRaw } from '../../support/server/raw-http.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const answersIn = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];

async function open(
  limits: Partial<ConnectionLimits> = {},
  fetch: Fetch = async () => new Response('here'),
  trustedProxies: readonly string[] = [],
) {
  const lines: unknown[][] = [];
  const connections = { connections: 100, perClient: 100, silence: 20_000, ...limits };
  const options = { connections, trustedProxies };
  const listener = await openListener(fetch, (...line) => lines.push(line), undefined, options);
  const limitLines = () => lines.filter(([, event]) => event === 'connections-limited');
  return { ...listener, limitLines };
}

/** Waits until the count has been logged: at most once a second. */
async function logged(limitLines: () => unknown[][], count: object): Promise<void> {
  await expect.poll(limitLines).toEqual([['warn', 'connections-limited', count]]);
}

/** An answer whose second half comes when it is let go. */
function createHalves() {
  const begun = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  const fetch: Fetch = async () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('begin '));
          begun.resolve();
          await rest.promise;
          controller.enqueue(new TextEncoder().encode('end'));
          controller.close();
        },
      }),
    );
  return { fetch, begun: begun.promise, letGo: rest.resolve };
}

describe('a request behind another on one connection', () => {
  it('is dropped, and the connection closes after the first answer', async () => {
    const { port, seen, limitLines } = await open();
    const text = await sendRaw(port, get('/first') + get('/second').repeat(900));
    expect(answersIn(text)).toEqual(['HTTP/1.1 200']);
    expect(text).toContain('Connection: close');
    expect(seen).toEqual([expect.stringContaining('/first')]);
    await logged(limitLines, { pipelined: 1 });
  });

  it('is dropped where the first one’s answer has begun', async () => {
    const { fetch, begun, letGo } = createHalves();
    const { port, seen, limitLines } = await open({}, fetch);
    const socket = await openSocket(port);
    const all = readAll(socket);
    socket.write(get('/first'));
    await begun;
    await once(socket, 'data');
    socket.write(get('/second') + get('/third'));
    await logged(limitLines, { pipelined: 1 });
    letGo();
    expect(answersIn(await all)).toEqual(['HTTP/1.1 200']);
    expect(seen.filter((url) => !url.endsWith('/first'))).toEqual([]);
  });

  it('is answered when it comes after the answer', async () => {
    const { port, seen, limitLines } = await open();
    const socket = await openSocket(port);
    let text = '';
    socket.on('data', (part) => (text += String(part)));
    for (const [index, path] of ['/1', '/2', '/3'].entries()) {
      socket.write(get(path));
      await expect.poll(() => text.split('here')).toHaveLength(index + 2);
    }
    socket.destroy();
    expect(seen).toHaveLength(3);
    expect(limitLines()).toEqual([]);
  });

  it('does not cut off a body that comes in parts', async () => {
    const { port } = await open({}, async (request) => new Response(await request.text()));
    const socket = await openSocket(port);
    const all = readAll(socket);
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\nConnection: close\r\n\r\nGET /',
    );
    socket.write(' \r\n\r\nGE');
    expect(await all).toContain('GET / \r\n\r\nGE');
  });
});

describe('a connection over a limit', () => {
  it('is refused with 503 beside others of one client, and taken when another has ended', async () => {
    const { port, limitLines } = await open({ perClient: 2 });
    const [one] = await Promise.all([openSocket(port), openSocket(port)]);
    const refused = await sendRaw(port, get('/'));
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused.toLowerCase()).toContain('\r\nretry-after: 5\r\n');
    expect(refused).toContain('urn:subscriber-desk:problem:busy');
    await logged(limitLines, { overShare: 1 });
    one.destroy();
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  });

  it('is refused beside those of all, and the refusals are one line of counts', async () => {
    const { port, limitLines } = await open({ connections: 1 });
    await openSocket(port);
    const answers = await Promise.all(Array.from({ length: 20 }, () => sendRaw(port, get('/'))));
    expect(answers.filter((text) => !text.startsWith('HTTP/1.1 503'))).toEqual([]);
    const counted = () => limitLines().reduce((sum, [, , count]) => sum + Object(count).overLimit, 0);
    await expect.poll(counted).toBe(20);
    // At most one a second, whatever that takes.
    expect(limitLines().length).toBeLessThan(20);
  });

  it('is taken beside others of one client where that is a trusted proxy', async () => {
    const { port } = await open({ perClient: 1 }, undefined, ['127.0.0.0/8']);
    await Promise.all([openSocket(port), openSocket(port)]);
    const third = await sendRaw(port, 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(answersIn(third)).toEqual(['HTTP/1.1 200']);
  });
});

describe('a request through a trusted proxy', () => {
  const from = (client: string, rest = 'Connection: close\r\n\r\n') =>
    `POST / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n${rest}`;
  const stalled = 'Content-Length: 2\r\n\r\n1';

  it('is refused beside too many others of one client that are under way, and others are answered', async () => {
    const { port, seen } = await open(
      { perClient: 2 },
      async (request) => new Response(await request.text()),
      ['127.0.0.0/8'],
    );
    const [one, two] = await Promise.all([openSocket(port), openSocket(port)]);
    for (const socket of [one, two]) socket.write(from('192.0.2.7', stalled));
    await expect.poll(() => seen).toHaveLength(2);
    const refused = await sendRaw(port, from('192.0.2.7'));
    expect(refused).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused).toContain('urn:subscriber-desk:problem:busy');
    expect(await sendRaw(port, from('192.0.2.8'))).toMatch(/^HTTP\/1\.1 200 /);
    one.write('2');
    await once(one, 'data');
    expect(await sendRaw(port, from('192.0.2.7'))).toMatch(/^HTTP\/1\.1 200 /);
    two.destroy();
  });
});

test('a client that does not read its answer is cut off after the time of silence, and others are answered', async () => {
  const big = new Uint8Array(64 * 1024 * 1024);
  const { port, limitLines, server } = await open(
    { silence: 500 },
    async ({ url }) => new Response(url.endsWith('/big') ? big : 'small'),
  );
  const socket = await openSocket(port);
  socket.pause();
  socket.write(get('/big'));
  await logged(limitLines, { unread: 1 });
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('small');
  const openConnections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  await expect.poll(openConnections).toBeLessThanOrEqual(1);
  socket.destroy();
});

test('a client that has read all of an answer so far is waited for, until the rest of it comes', async () => {
  const { fetch, letGo } = createHalves();
  const { port, server } = await open({ silence: 300 }, fetch);
  const socket = await openSocket(port);
  const all = readAll(socket);
  socket.write(get('/slow').replace('Host', 'Connection: close\r\nHost'));
  for (const _ of [1, 2, 3]) await once(server, 'timeout');
  letGo();
  expect(await all).toMatch(/begin[^]*end/);
});

test('a client whose answer has not begun is waited for, however long a change waits for others', async () => {
  const held = Promise.withResolvers<void>();
  const { port, server, limitLines } = await open({ silence: 300 }, async () => {
    await held.promise;
    return new Response('late');
  });
  const socket = await openSocket(port);
  const all = readAll(socket);
  socket.write(get('/slow').replace('Host', 'Connection: close\r\nHost'));
  await once(server, 'timeout');
  held.resolve();
  expect(await all).toContain('late');
  expect(limitLines()).toEqual([]);
});

test('the limits leave descriptors for databases and files', () => {
  expect(connectionLimits(1024)).toEqual({ connections: 768, perClient: 384, silence: 20_000 });
  expect(connectionLimits(Infinity)).toEqual({ connections: 4096, perClient: 512, silence: 20_000 });
  expect(connectionLimits(128).connections).toBe(64);
});
