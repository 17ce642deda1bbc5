import { once } from 'node:events';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { toResponse, problemAnswer } from '../../../src/contract/http/answer.ts';
import { Problem } from '../../../src/contract/http/problem.ts';
import { readInput } from '../../../src/contract/http/router.ts';
import { swallowLimits } from '../../../src/server/http/refuse.ts';
import type { Fetch } from '../../../src/server/http/request-listener.ts';
import { openListener } from '../../support/server/http-listener.ts';
import { openSocket, readAll, sendRaw } from '../../support/server/raw-http.ts';

const { time } = swallowLimits;

// On a busy machine, half a second can pass between two parts of a body.
beforeEach(() => {
  swallowLimits.time = 30_000;
  onTestFinished(() => void (swallowLimits.time = time));
});

/** Answers without reading the body, as middleware that refuses a request. */
const refuseAtOnce: Fetch = async () => new Response('refused', { status: 403 });

/** Reads a body as every route does, and notes what came of it. */
function createReader() {
  const codes: string[] = [];
  const seen = Promise.withResolvers<void>();
  const fetch: Fetch = async (request) => {
    const end: unknown = await readInput(api.updateSubscriber, request, { id: '1' }).catch((error) => error);
    codes.push(end instanceof Problem ? end.code : String(end));
    seen.resolve();
    const refusal = end instanceof Problem ? end : new Problem('internal-error', 'A bug.');
    return toResponse(problemAnswer(refusal, 'r1'));
  };
  return { codes, fetch, seen: seen.promise };
}

const put = (...headers: string[]) =>
  `PUT / HTTP/1.1\r\n${['Host: localhost', 'Content-Type: application/json', ...headers].join('\r\n')}\r\n\r\n`;

test('a refusal before a large body is read arrives, and the connection ends once the body is read away', async () => {
  const { port, server } = await openListener(refuseAtOnce);
  const [answer, [socket]] = await Promise.all([
    sendRaw(port, put('Content-Length: 900000') + 'x'.repeat(900_000)),
    once(server, 'connection'),
  ]);
  expect(answer).toMatch(/^HTTP\/1\.1 403 [^]*\r\nConnection: close\r\n[^]*refused$/i);
  // A reset could take the answer with it.
  expect(socket.bytesRead).toBeGreaterThan(900_000);
});

test('a body that is refused after its limit has its answer arrive as well', async () => {
  const { port } = await openListener(createReader().fetch);
  const answer = await sendRaw(port, put('Content-Length: 900000') + 'x'.repeat(900_000));
  expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n/i);
});

test('a body that never comes is not waited for long', async () => {
  swallowLimits.time = time;
  const { port } = await openListener(refuseAtOnce);
  expect(await sendRaw(port, put('Content-Length: 9'))).toMatch(/^HTTP\/1\.1 403 /);
});

test('a body that was read leaves the connection open', async () => {
  const { port } = await openListener(createReader().fetch);
  const socket = await openSocket(port);
  socket.write(`${put('Content-Length: 1')}{`);
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 422 [^]*\r\nConnection: keep-alive\r\n/i);
  socket.destroy();
});

test.each([
  ['is chunked badly', `${put('Transfer-Encoding: chunked')}zz\r\nab`, false],
  ['is cut off by the end of the connection', `${put('Content-Length: 9')}{`, true],
])('a body that %s is no failure of ours', async (_, text, leave) => {
  const { codes, fetch, seen } = createReader();
  const { port } = await openListener(fetch);
  const socket = await openSocket(port);
  const all = readAll(socket).catch(() => '');
  socket.write(text);
  if (leave) socket.resetAndDestroy();
  await seen;
  expect(codes).toEqual(['bad-request']);
  if (!leave) await all;
});
