import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createOutgoing } from '../../../src/server/http/outgoing.ts';
import { createTestDesk } from '../../support/desk.ts';
import { answer, startFaultyService } from '../../support/server/faulty-service.ts';
import { openListener } from '../../support/server/http-listener.ts';
import { sendRaw } from '../../support/server/raw-http.ts';

let port: number;
let cookie: string;
let requests: string[];

/** From a socket to a socket: what comes in goes through no client that would mend it, and what goes out is seen as it is. */
beforeEach(async () => {
  const service = await startFaultyService((socket) => socket.end(answer('{"id":7}')));
  requests = service.requests;
  const outgoing = createOutgoing(service.url);
  onTestFinished(() => outgoing.close());
  const bff = await createTestDesk({ upstream: { exchange: outgoing.exchange, baseUrl: service.url } });
  ({ port } = await openListener(bff.fetch));
  cookie = (await bff.signIn('manager')).cookie();
});

async function statusOf(requestLine: string, ...more: string[]): Promise<number> {
  const headers = [
    'Host: 127.0.0.1:8080',
    'X-CSRF: 1',
    'Sec-Fetch-Site: same-origin',
    `Cookie: ${cookie}`,
    'Connection: close',
    ...more,
  ];
  const text = await sendRaw(port, `${requestLine} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]);
}

const lines = () => requests.map((text) => text.split('\r\n')[0]);

const oddIds = [
  '..',
  '../oauth/token',
  '7/../8/../../oauth/token',
  '%2e%2e%2f',
  '%2e%2e/oauth/token',
  '%252e%252e%252f',
  '%252e',
  '7%2F8',
  '7%5C8',
  '7\\8',
  '/7',
  '7//8',
  '7;x',
  ';x',
  '7%00',
  '7%0d%0aX-Evil:%201',
  '7%23',
  '7%3fUsername=x',
  '7@evil.test',
  'http://evil.test/',
];

describe('a request to the service', () => {
  it('is made for no odd spelling instead of an id', async () => {
    for (const id of oddIds) {
      for (const line of [`DELETE /api/subscribers/${id}`, `POST /api/subscribers/${id}/regenerate-token`])
        expect([400, 404, 405, 422], line).toContain(await statusOf(line));
      // A dot segment leads to another address, which may be one of the BFF's own.
      await statusOf(`GET /api/subscribers/${id}`);
      expect(lines().filter((line) => line !== 'GET /v1/subscribers HTTP/1.1')).toEqual([]);
    }
  });

  it('is made for no odd target', async () => {
    const expected = {
      'GET http://evil.test/api/subscribers/7': 400,
      'GET http://127.0.0.1:8080/api/subscribers/7': 400,
      'GET //api/subscribers/7': 200,
      'GET /api%2Fsubscribers/7': 200,
      'GET //evil.test/api/subscribers/7': 200,
    };
    const statuses = Object.keys(expected).map(async (line) => [line, await statusOf(line)]);
    expect(Object.fromEntries(await Promise.all(statuses))).toEqual(expected);
    expect(requests).toEqual([]);
  });
});
