import { expect, test } from 'vitest';
import { echo, openListener, request } from '../../support/server/http-listener.ts';
import { sendRaw } from '../../support/server/raw-http.ts';

/** Headers of a proxy, and of somebody without a proxy as well. */
const forwarded = [
  'X-Forwarded-For: 198.51.100.7',
  'X-Forwarded-Host: evil.test',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Port: 443',
  'X-Forwarded-Prefix: /evil',
  'X-Forwarded-Server: evil.test',
  'X-Real-IP: 198.51.100.7',
  'Forwarded: for=198.51.100.7;host=evil.test;proto=https',
  'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
];

/** The server's view of a request that comes from this machine through a server with these proxies. */
async function takenFor(trustedProxies: readonly string[], ...headers: string[]) {
  const { port } = await openListener(echo, undefined, undefined, { trustedProxies });
  const answer = await sendRaw(port, request('GET /a', 'Host: 127.0.0.1:8080', ...headers));
  return JSON.parse(/\{.*\}/.exec(answer)?.[0] ?? '');
}

const plain = { url: 'http://127.0.0.1:8080/a', method: 'GET', body: '' };

test('what is said of a request changes nothing where it comes from no trusted proxy', async () => {
  const from = { address: '127.0.0.1' };
  for (const header of forwarded)
    for (const trusted of [[], ['10.0.0.0/8']])
      expect(await takenFor(trusted, header), header).toEqual({ ...plain, from });
});

test('the address and the trace are believed from a trusted proxy, and nothing else', async () => {
  const traceContext = {
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    spanId: '00f067aa0ba902b7',
    sampled: true,
  };
  const from = { address: '198.51.100.7', traceContext };
  expect(await takenFor(['127.0.0.0/8'], ...forwarded)).toEqual({ ...plain, from });
});
