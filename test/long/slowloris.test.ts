import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openListener } from '../support/server/http-listener.ts';
import { openSocket } from '../support/server/raw-http.ts';

const sockets = 500;
/** The limit for headers is 10 s, the server checks it every second, and that for a whole request is later than this. */
const limit = 15_000;

test('500 connections that send a byte now and then are ended in time, and a real caller is answered', async () => {
  const { port } = await openListener(async () => new Response('real'));
  const slow = await Promise.all(Array.from({ length: sockets }, () => openSocket(port)));
  for (const socket of slow) {
    socket.resume().on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  }
  const opened = performance.now();
  const drip = setInterval(() => {
    for (const socket of slow) if (socket.writable) socket.write('x');
  }, 1000);
  const ended = Promise.all(slow.map((socket) => once(socket, 'close')));
  const times: number[] = [];
  const over = new AbortController();
  const real = (async () => {
    while (!over.signal.aborted) {
      const requested = performance.now();
      expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('real');
      times.push(performance.now() - requested);
    }
  })();
  await ended;
  const took = performance.now() - opened;
  over.abort();
  clearInterval(drip);
  await real;
  expect(took).toBeGreaterThan(5000);
  expect(took).toBeLessThan(limit);
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)];
  expect(p99).toBeLessThan(500);
}, 60_000);
