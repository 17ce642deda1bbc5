import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { createCaller } from '../../../src/bff/upstream/caller.ts';
import { exchangeByFetch, upstreamLimits, withDeadline, within } from '../../../src/bff/upstream/exchange.ts';
import { badUpstream, GivenUp } from '../../../src/bff/upstream/failures.ts';
import { createTestDesk, journalKey, type TestDesk } from '../../support/desk.ts';
import { ask, outcomeOf } from '../../support/bff/browser.ts';
import { onlyPage, subscriber, tokenAnswer } from '../../support/bff/canned.ts';
import { asUpstream } from '../../support/bff/upstream.ts';

const json = { 'Content-Type': 'application/json' };
const leak = 'canary-upstream-text';

/** A body that does not end until it is cancelled or the connection breaks. */
function streamOf(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  return new ReadableStream<Uint8Array>({ pull });
}

const leakyProblem = { type: leak, title: leak, status: 500, detail: leak, requestId: leak };

/** `faults.ts` has those of a connection. */
const faults: [string, () => Response | Promise<Response>, number][] = [
  ['refuses the connection', () => Promise.reject(new TypeError(`connect ECONNREFUSED ${leak}`)), 503],
  ['throws something odd', () => Promise.reject(new Error(leak)), 503],
  ['answers 500 with a problem', () => Response.json(leakyProblem, { status: 500 }), 502],
  ['answers 400', () => Response.json({ detail: leak }, { status: 400 }), 502],
  ['answers 403', () => Response.json({ detail: leak }, { status: 403 }), 502],
  ['answers 201', () => Response.json({ leak }, { status: 201 }), 502],
  ['answers an opaque redirect', () => Response.error(), 502],
  // The change may still be made, or be made and not be seen yet, so its outcome is unknown.
  ['answers 204', () => new Response(null, { status: 204 }), 503],
  ['is behind a gateway whose wait times out', () => new Response(leak, { status: 504 }), 503],
  ['answers HTML', () => new Response(`<p>${leak}`, { headers: { 'Content-Type': 'text/html' } }), 502],
  ['sends JSON as text', () => new Response('{}', { headers: { 'Content-Type': 'text/plain' } }), 502],
  ['gives no content type', () => new Response(new TextEncoder().encode('{}')), 502],
  [
    'compresses its answer unasked',
    () => new Response('{}', { headers: { ...json, 'Content-Encoding': 'gzip' } }),
    502,
  ],
  ['cuts a list off', () => new Response(`[{"note":"${leak}"},`, { headers: json }), 502],
  [
    'cuts JSON off after a record',
    () => new Response(`{"items":[{"note":"${leak}"}`, { headers: json }),
    502,
  ],
  ['answers nothing', () => new Response('', { headers: json }), 502],
  [
    'answers bytes that are not UTF-8',
    () => new Response(new Uint8Array([0x5b, 0x22, 0xff, 0x22, 0x5d]), { headers: json }),
    502,
  ],
];

describe('a faulty answer of the service', () => {
  let bff: TestDesk;
  let headers: { Cookie: string };

  beforeEach(async () => {
    bff = await createTestDesk({ service: 'canned' });
    headers = { Cookie: (await bff.signIn('manager')).cookie() };
  });

  test.each(faults)(
    'the BFF answers with a problem in its own words if the service %s',
    async (_, answer, status) => {
      bff.upstream.operation = answer;
      const response = await bff.fetch(ask('POST', '/api/subscribers/7/regenerate-token', { headers }));
      const text = await response.text();
      expect(response.status).toBe(status);
      expect(response.headers.get('Content-Type')).toBe('application/problem+json');
      expect(text + JSON.stringify([...response.headers]) + JSON.stringify(bff.logs)).not.toMatch(
        /canary|evil/,
      );
      // What an answer lacks may be read; the change is sent once.
      expect(bff.upstream.calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    },
  );

  test.each([
    ['answers 500', () => new Response(leak, { status: 500 }), { event: 'upstream-answered', status: 500 }],
    [
      'refuses the connection',
      () => Promise.reject(Object.assign(new TypeError(leak), { cause: { code: 'ECONNREFUSED' } })),
      { event: 'upstream-failed', code: 'upstream-unreachable', reason: 'ECONNREFUSED' },
    ],
    [
      'breaks off in the middle',
      () =>
        new Response(
          streamOf((line) => line.error(new Error(leak))),
          { headers: json },
        ),
      { event: 'upstream-failed', code: 'bad-upstream', reason: 'BROKEN_OFF' },
    ],
  ])('the log has the reason if the service %s', async (_, answer, details) => {
    bff.upstream.operation = answer;
    const response = await bff.fetch(ask('GET', '/api/subscribers', { headers }));
    const requestId = response.headers.get('X-Request-Id');
    expect(bff.logs).toContainEqual({ level: 'warn', operation: 'listSubscribers', requestId, ...details });
  });

  test.each([
    ['201', () => Response.json(subscriber, { status: 201 })],
    ['204', () => new Response(null, { status: 204 })],
  ])('the log has no warning of a change that the service answers with %s', async (_, answer) => {
    bff.upstream.operation = answer;
    await bff.fetch(ask('POST', '/api/subscribers/7/regenerate-token', { headers }));
    expect(bff.logs).not.toContainEqual(expect.objectContaining({ event: 'upstream-answered' }));
  });

  test('the BFF stops reading an endless body just after the limit', async () => {
    const sent = { bytes: 0, cancelled: false };
    const part = new Uint8Array(64 * 1024).fill(0x20);
    const endless = new ReadableStream<Uint8Array>({
      pull(line) {
        sent.bytes += part.byteLength;
        line.enqueue(part);
      },
      cancel: () => void (sent.cancelled = true),
    });
    bff.upstream.operation = () => new Response(endless, { headers: json });
    expect(await outcomeOf(bff.fetch(ask('GET', '/api/subscribers', { headers })))).toBe('502 bad-upstream');
    expect(sent.cancelled).toBe(true);
    expect(sent.bytes).toBeLessThan(upstreamLimits.bytes + 4 * part.byteLength);
  });

  const rowOf = (note: string) => ({ ...subscriber, note });
  const biggestNote = upstreamLimits.recordBytes - JSON.stringify(rowOf('')).length;

  test('the BFF passes on a page as large as the limit', async () => {
    const rows = Array.from({ length: 10 }, (_, index) => ({
      ...rowOf('x'.repeat(biggestNote - 10)),
      id: index + 1,
    }));
    const text = JSON.stringify({ ...onlyPage, items: rows }).padEnd(upstreamLimits.bytes);
    bff.upstream.operation = () => new Response(text, { headers: json });
    expect((await bff.fetch(ask('GET', '/api/subscribers', { headers }))).status).toBe(200);
    bff.upstream.operation = () => new Response(`${text} `, { headers: json });
    expect((await bff.fetch(ask('GET', '/api/subscribers', { headers }))).status).toBe(502);
  });

  test('the BFF passes on a record and a row as large as the limit, and refuses larger ones', async () => {
    const outcomes = async (note: string) => {
      const record = rowOf(note);
      bff.upstream.operation = () => Response.json(record);
      const one = await outcomeOf(await bff.fetch(ask('GET', '/api/subscribers/7', { headers })));
      bff.upstream.operation = () => Response.json({ ...onlyPage, items: [record] });
      return [one, await outcomeOf(await bff.fetch(ask('GET', '/api/subscribers', { headers })))];
    };
    const largest = 'x'.repeat(biggestNote);
    expect(await outcomes(largest)).toEqual(['200', '200']);
    expect(await outcomes(`${largest}x`)).toEqual(['502 bad-upstream', '502 bad-upstream']);
  });
});

describe('a call to a service that never finishes', () => {
  const never = () => new Promise<Response>(() => undefined);
  const drip = () => new Response(new ReadableStream(), { headers: json });
  const context = { role: 'viewer', requestId: 'r', ifMatch: null } as const;

  /** Makes a call with limits of a few ms to a service that answers the token call and the operation in these ways. */
  async function callWith(token: () => Response | Promise<Response>, operation: typeof token) {
    const requests: Request[] = [];
    const fetch = async (request: Request) => {
      requests.push(request);
      return request.url.endsWith('/oauth/token') ? token() : operation();
    };
    const limits = { ...upstreamLimits, total: 500, token: 10 };
    const caller = createCaller({
      journalKey,
      upstream: asUpstream(fetch),
      clock: () => 0,
      log: () => undefined,
      random: (bytes) => new Uint8Array(bytes),
      limits,
    });
    const outcome = await caller.call('listStatuses', {}, context).catch((error: unknown) => error);
    return { outcome, ended: requests.at(-1)?.signal.aborted };
  }

  it.each([
    ['before its token', never, drip],
    ['within its token', drip, drip],
    ['before its answer', () => tokenAnswer(1), never],
    ['within its answer', () => tokenAnswer(1), drip],
  ])('ends with upstream-timeout in time if the service never finishes %s', async (_, token, operation) => {
    expect(await callWith(token, operation)).toMatchObject({
      outcome: { code: 'upstream-timeout' },
      ended: true,
    });
  });
});

describe('an exchange with a service in this process', () => {
  it('tells the service when nobody waits any more, also after memory was collected', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    let signal: AbortSignal | null = null;
    const exchange = exchangeByFetch((request) => {
      ({ signal } = request);
      return promise;
    });
    const deleted = new AbortController();
    const answer = exchange({
      operation: 'listStatuses',
      method: 'GET',
      url: 'http://service.test/',
      headers: {},
      body: null,
      signal: deleted.signal,
      maxBytes: 10,
    });
    await collectGarbage();
    deleted.abort();
    expect(signal).toMatchObject({ aborted: true });
    resolve(new Response('[]'));
    await answer.catch(() => undefined);
  });
});

/** Collects what no code can reach and runs its finalizers. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('This engine has no gc().');
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a call ends by the first of its deadlines, or with what waits for it', async () => {
  const endOf = (ms: number, given?: AbortSignal) => {
    const wait = (signal: AbortSignal) => within(signal, new Promise(() => undefined), badUpstream);
    return withDeadline(ms, wait, given);
  };
  const inner = withDeadline(1, (signal) => endOf(60_000, signal));
  await expect(inner).rejects.toMatchObject({ code: 'upstream-timeout' });
  await expect(endOf(60_000, AbortSignal.abort())).rejects.toThrow(GivenUp);
});
