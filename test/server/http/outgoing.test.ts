import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createServer } from 'node:https';
import { gzipSync } from 'node:zlib';
import { createServer as createPlainServer, type IncomingMessage, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished, test, vi } from 'vitest';
import type { UpstreamRequest } from '../../../src/bff/upstream/exchange.ts';
import {
  createOutgoing,
  createOutgoingFetch,
  outgoingFetchLimits,
  outgoingLimits,
} from '../../../src/server/http/outgoing.ts';
import { listenOnFreePort } from '../../support/server/free-port.ts';
import { selfSigned, trusted } from '../../support/server/self-signed.ts';

/** A request for nothing but its address, unless told otherwise. */
const to = (url: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  method: 'GET',
  url,
  headers: {},
  body: null,
  signal: new AbortController().signal,
  maxBytes: 1000,
  ...more,
});

/** A server that answers what it is told and keeps what came in. */
async function openServer(listener: RequestListener = (_, answer) => void answer.end('{}')) {
  const seen: IncomingMessage[] = [];
  const bodies: string[] = [];
  const server = createPlainServer((request, answer) => {
    seen.push(request);
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      bodies.push(body);
      listener(request, answer);
    });
  });
  const url = `http://127.0.0.1:${await listenOnFreePort(server)}`;
  const outgoing = createOutgoing(`${url}/base`, { ...outgoingLimits, headers: 300 });
  onTestFinished(async () => {
    await outgoing.close();
    server.closeAllConnections();
    server.close();
  });
  return { url, seen, bodies, exchange: outgoing.exchange };
}

describe('a request that goes out', () => {
  it('has what was put into it and nothing else', async () => {
    const { url, seen, bodies, exchange } = await openServer();
    const headers = {
      Accept: 'application/json',
      Authorization: 'Bearer x',
      'Content-Type': 'application/json',
    };
    await exchange(to(`${url}/base/a%2Fb?x=%20y`, { method: 'PUT', headers, body: '{"note":"Å"}' }));
    const [request] = seen;
    expect([request?.method, request?.url, bodies]).toEqual(['PUT', '/base/a%2Fb?x=%20y', ['{"note":"Å"}']]);
    expect(request?.headers).toEqual({
      host: new URL(url).host,
      connection: 'keep-alive',
      accept: 'application/json',
      'accept-encoding': 'identity',
      authorization: 'Bearer x',
      'content-type': 'application/json',
      'content-length': '13',
    });
  });

  it('keeps its connection for the next, and no cookies', async () => {
    const { url, seen, exchange } = await openServer((_, answer) => {
      answer.setHeader('Set-Cookie', 'a=1');
      answer.end('{}');
    });
    for (let count = 0; count < 20; count += 1) await exchange(to(url));
    // A second one may be opened while the first is being made free.
    expect(new Set(seen.map(({ socket }) => socket.remotePort)).size).toBeLessThanOrEqual(2);
    expect(seen.filter(({ headers }) => headers.cookie !== undefined)).toEqual([]);
  });

  it('follows no redirect', async () => {
    const { url, seen, exchange } = await openServer((_, answer) =>
      answer.writeHead(307, { Location: '/b' }).end(),
    );
    expect((await exchange(to(url))).status).toBe(307);
    expect(seen).toHaveLength(1);
  });

  it('goes to no other origin', async () => {
    const [one, other] = [await openServer(), await openServer()];
    await expect(one.exchange(to(other.url))).rejects.toThrow('another origin');
    expect(other.seen).toEqual([]);
  });

  it('ends with its signal, and its connection too', async () => {
    const { url, seen, exchange } = await openServer(() => undefined);
    const aborted = new AbortController();
    const requested = exchange(to(url, { signal: aborted.signal }));
    await expect.poll(() => seen).toHaveLength(1);
    aborted.abort();
    await expect(requested).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => seen[0]?.socket.destroyed).toBe(true);
  });

  it('rejects with a TimeoutError where no answer comes in time', async () => {
    const { url, exchange } = await openServer(() => undefined);
    await expect(exchange(to(url))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a fetch to any origin', () => {
  it('reaches each origin, follows no redirect, and sends its form', async () => {
    const [one, other] = [
      await openServer(),
      await openServer((_, answer) => answer.writeHead(302, { Location: '/b' }).end()),
    ];
    const { fetch, close } = createOutgoingFetch();
    onTestFinished(close);
    const body = new URLSearchParams({ code: 'a b' });
    expect(await (await fetch(new Request(`${one.url}/token?x=1`, { method: 'POST', body }))).json()).toEqual(
      {},
    );
    expect((await fetch(new Request(`${other.url}/keys`))).status).toBe(302);
    expect([one.seen[0]?.url, one.bodies, other.seen[0]?.url]).toEqual(['/token?x=1', ['code=a+b'], '/keys']);
    expect(one.seen[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded;charset=UTF-8');
  });

  it.each([
    ['with more in it than any honest one', JSON.stringify(Array.from({ length: 30_000 }, () => ({})))],
    ['longer than any honest one', JSON.stringify('x'.repeat(300_000))],
  ])('takes no answer that is %s, which would be parsed whole', async (_, text) => {
    const { url } = await openServer((_request, answer) => answer.end(text));
    const { fetch, close } = createOutgoingFetch();
    onTestFinished(close);
    await expect(fetch(new Request(url))).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('ends at its time limit', async () => {
    const { url } = await openServer(() => undefined);
    const { fetch, close } = createOutgoingFetch({ ...outgoingFetchLimits, total: 200 });
    onTestFinished(close);
    await expect(fetch(new Request(url))).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('an answer', () => {
  it('comes with its status, its headers and its bytes', async () => {
    const { url, exchange } = await openServer((_, answer) =>
      answer.writeHead(422, { ETag: '"v1"', 'Content-Type': 'application/problem+json' }).end('{"a":"Å"}'),
    );
    const response = await exchange(to(url));
    expect([
      response.status,
      response.headers.get('ETag'),
      JSON.parse(Buffer.from(response.bytes).toString()),
    ]).toEqual([422, '"v1"', { a: 'Å' }]);
  });

  it('may be as large as the limit and no larger', async () => {
    const { url, exchange } = await openServer(
      ({ url: path }, answer) => void answer.end('x'.repeat(Number(path?.slice(1)))),
    );
    const maxBytes = 1_000_000;
    expect((await exchange(to(`${url}/${maxBytes}`, { maxBytes }))).bytes.length).toBe(maxBytes);
    const more = exchange(to(`${url}/${maxBytes + 1}`, { maxBytes }));
    await expect(more).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('is unpacked if the server packs it unasked, within the limit', async () => {
    const packed = gzipSync(`"${'x'.repeat(900)}"`);
    const { url, exchange } = await openServer((request, answer) => {
      answer.setHeader('Content-Encoding', 'gzip');
      if (request.url === '/empty') answer.writeHead(204).end();
      else answer.end(request.url === '/torn' ? packed.subarray(0, 20) : packed);
    });
    const { bytes, headers } = await exchange(to(url));
    expect([bytes.length, headers.get('Content-Encoding')]).toEqual([902, null]);
    await expect(exchange(to(url, { maxBytes: 901 }))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(exchange(to(`${url}/torn`))).rejects.toMatchObject({ code: 'BROKEN_OFF' });
    expect(await exchange(to(`${url}/empty`))).toMatchObject({ status: 204, bytes: Buffer.alloc(0) });
  });

  it.each(['http', 'https'])('comes by HTTP/2 over %s where the dialect says so', async (scheme) => {
    const listener = (request: Http2ServerRequest, answer: Http2ServerResponse) => {
      answer.setHeader('X-Seen', `${request.httpVersion} ${request.method} ${request.headers.authorization}`);
      request.pipe(answer);
    };
    const server =
      scheme === 'http' ? createHttp2Server(listener) : createSecureServer(await trusted(), listener);
    const url = `${scheme}://127.0.0.1:${await listenOnFreePort(server)}`;
    const outgoing = createOutgoing(url, outgoingLimits, true);
    onTestFinished(async () => {
      await outgoing.close();
      server.close();
    });
    const headers = { Authorization: 'Bearer x' };
    const answer = await outgoing.exchange(to(url, { method: 'PUT', headers, body: '{"note":"Å"}' }));
    expect(answer.headers.get('X-Seen')).toBe('2.0 PUT Bearer x');
    expect(new TextDecoder().decode(answer.bytes)).toBe('{"note":"Å"}');
    await expect(outgoing.exchange(to(url, { body: 'x'.repeat(1001), method: 'PUT' }))).rejects.toMatchObject(
      {
        code: 'TOO_LARGE',
      },
    );
  });

  it.each([
    ['as HTTP/1.1 and needs no word in the dialect', false, '1.1'],
    ['as HTTP/2 where the dialect says so', true, '2.0'],
  ])('comes from a server with both versions over TLS %s, packed or not', async (_, http2, version) => {
    const pair = await trusted();
    const server = createSecureServer({ ...pair, allowHTTP1: true }, ({ httpVersion, url }, answer) => {
      answer.setHeader('X-Seen', httpVersion);
      if (url === '/packed') answer.setHeader('Content-Encoding', 'gzip');
      answer.end(url === '/packed' ? gzipSync('"Å"') : '"Å"');
    });
    const url = `https://127.0.0.1:${await listenOnFreePort(server)}`;
    const outgoing = createOutgoing(url, outgoingLimits, http2);
    onTestFinished(async () => {
      await outgoing.close();
      server.close();
    });
    for (const path of ['/packed', '/plain']) {
      const { headers, bytes } = await outgoing.exchange(to(`${url}${path}`));
      expect([headers.get('X-Seen'), Buffer.from(bytes).toString()]).toEqual([version, '"Å"']);
    }
  });

  it.each([204, 304])('has no body with %i', async (status) => {
    const { url, exchange } = await openServer((_, answer) => answer.writeHead(status).end());
    expect((await exchange(to(url))).bytes).toHaveLength(0);
  });
});

test('a self-signed certificate is refused, even where the environment would accept it', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => void vi.unstubAllEnvs());
  let requested = 0;
  const server = createServer(await selfSigned(), (_, answer) => {
    requested += 1;
    answer.end('{}');
  });
  const url = `https://127.0.0.1:${await listenOnFreePort(server)}`;
  const outgoing = createOutgoing(url);
  onTestFinished(async () => {
    await outgoing.close();
    server.closeAllConnections();
    server.close();
  });
  await expect(outgoing.exchange(to(url))).rejects.toMatchObject({
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  });
  expect(requested).toBe(0);
});
