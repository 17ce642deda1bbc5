import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { upstreamLimits } from '../../../src/bff/upstream/exchange.ts';
import { createOutgoing, outgoingLimits } from '../../../src/server/http/outgoing.ts';
import { onlyPage } from '../../support/bff/canned.ts';
import { createTestDesk } from '../../support/desk.ts';
import { ask, codeIn } from '../../support/bff/browser.ts';
import { faults, flood, head, mebibyte } from '../../support/server/faults.ts';
import { answer, deadUrl, startFaultyService } from '../../support/server/faulty-service.ts';

const short = { ...outgoingLimits, connect: 200, headers: 150 };
const limits = { ...upstreamLimits, total: 800 };
/** For what is not about time: it must not look so on a busy machine. */
const patient = { outgoing: outgoingLimits, limits: upstreamLimits };

/** A BFF over real connections with short limits, with a manager signed in. */
async function openBffOverUrl(
  url: string,
  options: { outgoing?: typeof short; limits?: typeof limits } = {},
) {
  const outgoing = createOutgoing(url, options.outgoing ?? short);
  onTestFinished(() => outgoing.close());
  return createTestDesk({
    upstream: { exchange: outgoing.exchange, baseUrl: url },
    limits: options.limits ?? limits,
    transport: { kind: 'tab', staff: { name: 'Ann', role: 'manager' } },
  });
}

test.each(faults)(
  'a service that %s is said to have failed, in time and in our words',
  async (_, fault, status) => {
    const service = await startFaultyService(fault);
    const bff = await openBffOverUrl(service.url, status === 504 ? {} : patient);
    const began = performance.now();
    const requests = [ask('GET', '/api/subscribers'), ask('DELETE', '/api/subscribers/7')];
    const answers = await Promise.all(requests.map((request) => bff.fetch(request)));
    // A change that took too long may still be made.
    expect(answers.map((each) => each.status)).toEqual([status, status === 504 ? 503 : status]);
    for (const response of answers) {
      expect(response.headers.get('Content-Type')).toBe('application/problem+json');
      const reported = (await response.text()) + JSON.stringify([[...response.headers], bff.logs]);
      expect(reported).not.toContain('canary');
    }
    expect(performance.now() - began).toBeLessThan(15_000);
    const sent = service.requests.map((text) => text.split(' ')[0]);
    expect(sent.filter((method) => method === 'DELETE')).toHaveLength(1);
    expect(sent.filter((method) => method === 'GET').length).toBeLessThanOrEqual(3);
  },
);

test('a service that is not there is said to be so at once', async () => {
  const bff = await openBffOverUrl(await deadUrl(), patient);
  const response = await bff.fetch(ask('GET', '/api/subscribers'));
  expect([response.status, await codeIn(response)]).toEqual([503, 'upstream-unreachable']);
  expect(bff.logs).toContainEqual(expect.objectContaining({ reason: 'ECONNREFUSED' }));
});

test('a read that the service breaks off is tried again', async () => {
  const service = await startFaultyService((socket, count) => {
    if (count === 1) socket.write(`${head}Content-Length: 9\r\n\r\n{`, () => socket.resetAndDestroy());
    else socket.end(answer(JSON.stringify(onlyPage)));
  });
  const bff = await openBffOverUrl(service.url, patient);
  expect((await bff.fetch(ask('GET', '/api/subscribers'))).status).toBe(200);
  expect(service.requests).toHaveLength(2);
});

test('a service that floods twenty requests at once has no more taken of each than 5 MiB and what the line holds', async () => {
  const sockets: Socket[] = [];
  const service = await startFaultyService((socket) => {
    sockets.push(socket);
    flood(socket);
  });
  const bff = await openBffOverUrl(service.url, patient);
  const pages = Array.from({ length: 20 }, (_, page) => ask('GET', `/api/subscribers?Page=${page + 1}`));
  const answers = await Promise.all(pages.map((request) => bff.fetch(request)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
  expect(sockets).toHaveLength(20);
  for (const socket of sockets) expect(socket.bytesWritten).toBeLessThan(30 * mebibyte);
  await expect.poll(service.open).toBe(0);
});

test('the limits are 2 s to connect, 10 s for a head, 15 s in all, 5 MiB for a list and 512 KiB for a record', () => {
  expect(outgoingLimits).toMatchObject({ connect: 2000, headers: 10_000 });
  expect(upstreamLimits).toMatchObject({ total: 15_000, bytes: 5 * mebibyte, recordBytes: mebibyte / 2 });
  expect(upstreamLimits.token).toBeLessThan(upstreamLimits.total);
});
