import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createClientAddress } from '../../../src/server/http/client-address.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { createRefuse } from '../../../src/server/http/refuse.ts';
import { createRequestListener } from '../../../src/server/http/request-listener.ts';
import { echo } from '../../support/server/http-listener.ts';

/** What a proxy may say of a request, and somebody without a proxy as well. */
const forwarded = {
  'X-Forwarded-For': '198.51.100.7',
  'X-Forwarded-Host': 'evil.test',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Port': '443',
  'X-Forwarded-Prefix': '/evil',
  'X-Forwarded-Server': 'evil.test',
  'X-Real-IP': '198.51.100.7',
  Forwarded: 'for=198.51.100.7;host=evil.test;proto=https',
};

/** How the server sees a request that comes from this machine through a server with these proxies. */
async function takenFor(trusted: readonly string[], headers: Readonly<Record<string, string>>) {
  const refuse = createRefuse(() => {}, null);
  const clientAddress = createClientAddress(trusted);
  const listener = createRequestListener({ fetch: echo, log: () => {}, clientAddress, refuse });
  const { port, close } = await listen({
    port: 0,
    host: '127.0.0.1',
    listener,
    refuse,
    log: () => {},
    times: { announce: 0, drain: 0 },
  });
  onTestFinished(close);
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/a', agent: false, headers }, (answer) => {
      let all = '';
      answer.on('data', (part) => (all += String(part)));
      answer.on('end', () => resolve(all.replaceAll(String(port), 'PORT')));
    });
    asked.on('error', reject).end();
  });
  return JSON.parse(text);
}

const plain = { url: 'http://127.0.0.1:PORT/a', method: 'GET', body: '' };

test.each(Object.entries(forwarded))('%s changes nothing where no proxy is trusted', async (name, value) => {
  const from = { address: '127.0.0.1' };
  expect(await takenFor([], { [name]: value })).toEqual({ ...plain, from });
  expect(await takenFor(['10.0.0.0/8'], { [name]: value })).toEqual({ ...plain, from });
});

test('from a trusted proxy the address is believed, and nothing else', async () => {
  const from = { address: '198.51.100.7' };
  expect(await takenFor(['127.0.0.0/8'], forwarded)).toEqual({ ...plain, from });
});
