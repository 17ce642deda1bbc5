import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Fetch } from '../../src/server/http/request-listener.ts';
import { openListener, echo } from '../support/server/http-listener.ts';
import { openSocket, readAll } from '../support/server/raw-http.ts';

/** A handler that says when a request has arrived, and answers when it is told to. */
function createSlow() {
  const arrived = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const fetch: Fetch = async () => {
    arrived.resolve();
    await go.promise;
    return new Response('whole');
  };
  return { fetch, arrived: arrived.promise, go: go.resolve };
}

const isAlive = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('a request under way ends, and none comes after it', async () => {
  const { fetch: slow, arrived, go } = createSlow();
  const { port, close } = await openListener(slow);
  const underWay = fetch(`http://127.0.0.1:${port}/`);
  await arrived;
  const closed = close();
  const connects = () =>
    openSocket(port).then(
      (socket) => !socket.destroy(),
      () => 'refused',
    );
  await expect.poll(connects).toBe('refused');
  go();
  expect(await (await underWay).text()).toBe('whole');
  await closed;
});

test('an answer under way no longer promises to keep the connection', async () => {
  const { fetch: slow, arrived, go } = createSlow();
  const { port, close } = await openListener(slow);
  const socket = await openSocket(port);
  const all = readAll(socket);
  socket.write(isAlive);
  await arrived;
  const closed = close();
  go();
  expect(await all).toMatch(/\r\nConnection: close\r\n/i);
  await closed;
});

test('new connections are still taken for a while, and told to go', async () => {
  const { port, close, isStopping } = await openListener(echo, () => {}, { announce: 300, drain: 15_000 });
  expect(isStopping()).toBe(false);
  const closed = close();
  expect(isStopping()).toBe(true);
  const socket = await openSocket(port);
  const all = readAll(socket);
  socket.write(isAlive);
  expect(await all).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/i);
  await closed;
});

test('a request that takes too long is cut off', async () => {
  const { fetch: stuck, arrived } = createSlow();
  const { port, close } = await openListener(stuck, () => {}, { announce: 0, drain: 20 });
  const underWay = fetch(`http://127.0.0.1:${port}/`);
  await arrived;
  await Promise.all([close(), expect(underWay).rejects.toThrow('fetch failed')]);
});

test('a connection that is only kept alive is not waited for', async () => {
  const { port, close } = await openListener();
  const socket = await openSocket(port);
  const all = readAll(socket);
  socket.write(isAlive);
  await once(socket, 'data');
  await close();
  expect(await all).toMatch(/^HTTP\/1\.1 200 /);
});

test('a client that never ends its request is cut off by the limits that hold at all times', async () => {
  const { port, close, server } = await openListener();
  Object.assign(server, { headersTimeout: 20, requestTimeout: 20 });
  const socket = await openSocket(port);
  const all = readAll(socket);
  socket.write('GET / HTTP/1.1\r\nHost: local');
  await close();
  expect(await all).toMatch(/^HTTP\/1\.1 408 /);
});
