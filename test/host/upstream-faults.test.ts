import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBff } from '../../src/bff/bff.ts';
import { createOutgoing, outgoingLimits } from '../../src/host/outgoing.ts';
import { ask, codeIn } from '../bff/harness/browser.ts';
import { openDesk } from '../bff/harness/desk.ts';
import { answer, deadUrl, startFaultyService, type Fault } from './faulty-service.ts';

const leak = 'canary-upstream-text';
const short = { ...outgoingLimits, connect: 200, headers: 150, total: 400 };
const mebibyte = 1024 ** 2;

/** A desk that somebody uses already, over real connections with short limits. */
async function openDeskOver(url: string, limits = short) {
  const { deps, logs } = await openDesk();
  const outgoing = createOutgoing(url, limits);
  onTestFinished(() => outgoing.close());
  const upstream = { ...deps.upstream, fetch: outgoing.fetch, baseUrl: url };
  const bff = createBff({
    ...deps,
    upstream,
    visitor: { kind: 'tab', staff: { name: 'Ann', role: 'manager' } },
  });
  return { fetch: bff.fetch, logs };
}

const repeat = (socket: Socket, ms: number, text: string) => {
  const timer = setInterval(() => socket.write(text), ms);
  socket.on('close', () => clearInterval(timer));
};
const then =
  (bytes: string | Buffer): Fault =>
  (socket) =>
    socket.end(bytes);
const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

/** Writes for ever, as fast as the other side takes it; the connection counts what it wrote. */
const flood = (socket: Socket) => {
  const part = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
  const more = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  socket.on('drain', more);
  more();
};

const faults: [string, Fault, number][] = [
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

describe('where the service', () => {
  test.each(faults)('%s, staff read in time that it failed, in our words', async (_, fault, status) => {
    const service = await startFaultyService(fault);
    const desk = await openDeskOver(service.url);
    for (const request of [ask('GET', '/api/subscribers'), ask('DELETE', '/api/subscribers/7')]) {
      const began = performance.now();
      const response = await desk.fetch(request);
      expect(performance.now() - began).toBeLessThan(10 * short.total);
      expect(response.status).toBe(status);
      expect(response.headers.get('Content-Type')).toBe('application/problem+json');
      const told = (await response.text()) + JSON.stringify([[...response.headers], desk.logs]);
      expect(told).not.toContain('canary');
    }
    const sent = service.requests.map((text) => text.split(' ')[0]);
    expect(sent.filter((method) => method === 'DELETE')).toHaveLength(1);
    expect(sent.filter((method) => method === 'GET').length).toBeLessThanOrEqual(3);
  });

  test('is not there, staff read it at once', async () => {
    const desk = await openDeskOver(await deadUrl());
    const response = await desk.fetch(ask('GET', '/api/subscribers'));
    expect([response.status, await codeIn(response)]).toEqual([503, 'upstream-unreachable']);
    expect(desk.logs).toContainEqual(expect.objectContaining({ reason: 'ECONNREFUSED' }));
  });

  test('breaks off a read, another attempt may bring it', async () => {
    const service = await startFaultyService((socket, count) => {
      if (count === 1) socket.write(`${head}Content-Length: 9\r\n\r\n{`, () => socket.resetAndDestroy());
      else socket.end(answer('{}'));
    });
    const desk = await openDeskOver(service.url);
    expect((await desk.fetch(ask('GET', '/api/subscribers'))).status).toBe(200);
    expect(service.requests).toHaveLength(2);
  });

  test('floods twenty requests at once, of each no more is taken than 5 MiB and what the line holds', async () => {
    const sockets: Socket[] = [];
    const service = await startFaultyService((socket) => {
      sockets.push(socket);
      flood(socket);
    });
    const desk = await openDeskOver(service.url, outgoingLimits);
    const pages = Array.from({ length: 20 }, (_, page) => ask('GET', `/api/subscribers?Page=${page + 1}`));
    const answers = await Promise.all(pages.map((request) => desk.fetch(request)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
    expect(sockets).toHaveLength(20);
    for (const socket of sockets) expect(socket.bytesWritten).toBeLessThan(30 * mebibyte);
    await expect.poll(service.open).toBe(0);
  });
});

test('the limits are 2 s to connect, 10 s for a head, 15 s in all, and 5 MiB', () => {
  expect(outgoingLimits).toMatchObject({
    connect: 2000,
    headers: 10_000,
    total: 15_000,
    bytes: 5 * mebibyte,
  });
});
