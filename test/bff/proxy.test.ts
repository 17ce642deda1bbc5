import { beforeEach, describe, expect, it } from 'vitest';
import { sentenceLimits } from '../../src/bff/upstream/answer.ts';
import { type ProblemBody } from '../../src/contract/http/problem.ts';
import { createTestDesk, type TestDesk } from '../support/desk.ts';
import { masked } from '../../src/contract/bff/access-token.ts';
import { listNames } from '../../src/contract/service/limits.ts';
import { wholeSubscriber } from '../support/bff/canned.ts';
import { ask, codeIn, outcomeOf } from '../support/bff/browser.ts';
import { upstreamBase } from '../support/bff/upstream.ts';
import { problems } from '../../src/contract/http/problem-codes.ts';

let bff: TestDesk;
let headers: { Cookie: string };

beforeEach(async () => {
  bff = await createTestDesk({ service: 'canned' });
  headers = { Cookie: (await bff.signIn('manager')).cookie() };
});

const problemType = { 'Content-Type': 'application/problem+json' };

const problem = (code: string, status: number, extra: object = {}) =>
  Response.json(
    {
      type: `urn:subscriber-desk:problem:${code}`,
      title: 'canary title',
      status,
      detail: 'canary detail',
      requestId: 'canary id',
      ...extra,
    },
    { status, headers: problemType },
  );

const change = (more: Record<string, string> = {}) =>
  bff.fetch(ask('PUT', '/api/subscribers/7', { headers: { ...headers, ...more }, body: { note: 'x' } }));

describe('a request upstream', () => {
  it('has these headers and no others', async () => {
    await change({
      'If-Match': '"v1"',
      'X-Request-Id': 'mine',
      Authorization: 'Bearer mine',
      'X-Forwarded-For': '192.0.2.1',
      'Accept-Language': 'no',
      'Content-Type': 'application/json; charset=utf-16',
    });
    expect(bff.upstream.calls.map((call) => call.headers)).toEqual([
      {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: 'Bearer canary-bearer-1',
        'x-request-id': expect.stringMatching(/^[\w-]{16}$/),
        traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
        'if-match': '"v1"',
      },
    ]);
  });

  it('holds what was parsed: known parameters, trimmed values and defaults', async () => {
    const query = '?Username=%C3%A5&Expired=true&Page=2&Other=1&Email=&SortBy=username_desc';
    await bff.fetch(ask('GET', `/api/subscribers${query}`, { headers }));
    const body = { username: ' ann ', email: 'ann@example.com', expiresAt: '2027-01-01T01:00:00+01:00' };
    await bff.fetch(ask('POST', '/api/subscribers', { headers, body }));
    expect(bff.upstream.calls.map((call) => call.url)).toEqual([
      `${upstreamBase}/subscribers?Username=%C3%A5&Expired=true&SortBy=username_desc&Page=2`,
      `${upstreamBase}/subscribers`,
    ]);
    expect(JSON.parse(bff.upstream.calls[1]?.body ?? '')).toMatchObject({
      username: 'ann',
      expiresAt: '2027-01-01T00:00:00.000Z',
      maxConnections: 1,
      bundles: [],
    });
  });

  it('has no body where the row has none', async () => {
    await bff.fetch(ask('DELETE', '/api/subscribers/7', { headers }));
    expect(bff.upstream.calls).toMatchObject([{ method: 'DELETE', body: '' }]);
    expect(bff.upstream.calls[0]?.headers).not.toHaveProperty('content-type');
  });

  it.each([
    ['DELETE', '/api/subscribers/7', { sneaked: true }, 422],
    ['GET', '/api/subscribers?Page=0', undefined, 422],
    ['PUT', '/api/subscribers/7', { accessToken: 'mine' }, 422],
    ['PUT', '/api/subscribers/7', { note: 'x'.repeat(70_000) }, 413],
  ])('is not made for invalid input: %s %s', async (method, path, body, status) => {
    expect((await bff.fetch(ask(method, path, { headers, body }))).status).toBe(status);
    expect(bff.upstream.calls).toEqual([]);
  });
});

describe('an answer', () => {
  it('passes with the fields of the contract, the headers on the list and ours', async () => {
    const changed = { ...wholeSubscriber, note: 'x' };
    const text = JSON.stringify({ unknown: 1.5, ...changed }, null, 2);
    bff.upstream.operation = () =>
      new Response(text, {
        headers: {
          'Content-Type': 'application/json; charset=utf-8',
          ETag: '"v2"',
          'Set-Cookie': 'theirs=1',
          'Cache-Control': 'public',
          'X-Request-Id': 'theirs',
          Location: 'http://evil.test/',
          'Access-Control-Allow-Origin': '*',
          Server: 'theirs',
        },
      });
    const response = await change();
    expect(await response.json()).toEqual(masked(changed));
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'application/json',
      etag: '"v2"',
      'x-journal-entry': expect.stringMatching(/^[\w-]{22}$/),
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-request-id': bff.upstream.calls[0]?.headers['x-request-id'],
    });
  });

  it.each([
    ['no-such-subscriber', 404],
    ['invalid-input', 422],
  ] as const)('keeps the contract’s own %s, but none of the service’s words', async (code, status) => {
    bff.upstream.operation = () => problem(code, status, { trace: 'canary' });
    const response = await change({ 'If-Match': '"v1"' });
    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    expect(await response.json()).toEqual({
      type: `urn:subscriber-desk:problem:${code}`,
      title: problems[code][1],
      status,
      detail: expect.stringMatching(/^[A-Z](?!.*canary).*\.$/),
      requestId: response.headers.get('X-Request-Id'),
    });
  });

  it.each([
    ['no-such-address', 404],
    ['no-such-account', 404],
    ['invalid-input', 404],
    ['not-signed-in', 412],
    ['no-such-subscriber', 422],
  ])('counts as bad if it says %s with a %i', async (code, status) => {
    bff.upstream.operation = () => problem(code, status, { errors: { note: ['canary'] } });
    expect(await outcomeOf(change())).toBe('502 bad-upstream');
  });

  describe('an answer with errors by field', () => {
    const errorsOf = async (errors: object) => {
      bff.upstream.operation = () => problem('invalid-input', 422, { errors });
      const answer: ProblemBody = await (await change()).json();
      return answer;
    };

    it('passes on the sentences', async () => {
      const errors = {
        username: ['This name is taken.'],
        'bundles.2': ['There is no such bundle.', 'Choose one.'],
      };
      expect(await errorsOf(errors)).toMatchObject({
        detail: 'Not accepted: username, bundles.2. Nothing was changed. Correct them and try again.',
        errors,
      });
    });

    it('passes on sentences up to a limit', async () => {
      const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field${index}`, ['No.']]));
      expect(Object.keys((await errorsOf(many)).errors ?? {})).toHaveLength(50);
      const long = await errorsOf({ note: Array.from({ length: 10 }, () => '😀'.repeat(1000)) });
      expect(long.errors?.['note']).toEqual(
        Array<string>(sentenceLimits.perField).fill(`${'😀'.repeat(sentenceLimits.characters - 1)}…`),
      );
      expect(JSON.stringify(await errorsOf({ ['x'.repeat(1_000_000)]: ['No.'] })).length).toBeLessThan(500);
    });

    it('passes on lines of plain text', async () => {
      const odd = { note: ['one\r\ntwo\u2028three\0four\u202efive \ud800', ' ', ''], '<b>': ['No.'] };
      expect((await errorsOf(odd)).errors).toEqual({
        note: ['one two three\ufffdfour five \ufffd'],
        body: ['No.'],
      });
    });
  });

  it.each([
    [404, 'no-such-subscriber'],
    [412, 'changed-meanwhile'],
    [422, 'invalid-input'],
  ])('has our own code for another service’s %i: %s', async (status, code) => {
    for (const body of ['Not here', '{"message":"nope"}', '']) {
      bff.upstream.operation = () => new Response(body, { status, headers: problemType });
      const response = await change();
      expect([response.status, await codeIn(response)]).toEqual([status, code]);
    }
  });

  it('has no-such-subscriber for a 410, which some services answer for a deleted subscriber', async () => {
    bff.upstream.operation = () => new Response(null, { status: 410 });
    expect(await outcomeOf(change())).toBe('404 no-such-subscriber');
  });

  it.each(['text/html; charset=utf-8', 'text/plain'])(
    'does not have no-such-subscriber for a 404 of a gateway in %s',
    async (type) => {
      const notFound = () => new Response('Not here', { status: 404, headers: { 'Content-Type': type } });
      bff.upstream.operation = notFound;
      const read = () => bff.fetch(ask('GET', '/api/subscribers/7', { headers }));
      expect([await outcomeOf(read()), await outcomeOf(change())]).toEqual([
        '502 bad-upstream',
        '502 bad-upstream',
      ]);
    },
  );

  it('has no-such-subscriber for a 404 without our code, also where the first subscriber of the list cannot be read', async () => {
    bff.upstream.operation = ({ url }) =>
      url.includes('/subscribers?')
        ? Response.json({ items: [{ id: 'broken' }], totalCount: 1, page: 1, pageSize: 1, totalPages: 1 })
        : Response.json({ message: 'Not here' }, { status: 404 });
    expect(await outcomeOf(bff.fetch(ask('GET', '/api/subscribers/7', { headers })))).toBe(
      '404 no-such-subscriber',
    );
  });

  it('does not have no-such-subscriber for a 404 to the list', async () => {
    bff.upstream.operation = () => new Response('Not here', { status: 404 });
    expect(await outcomeOf(bff.fetch(ask('GET', '/api/subscribers', { headers })))).toBe('502 bad-upstream');
  });
});

describe('the search by token', () => {
  const find = (body: unknown) => bff.fetch(ask('POST', '/bff/find-by-token', { headers, body }));

  it('asks for each list once: another service may have a request for each', async () => {
    const include = [...listNames, 'bundles'];
    expect(await outcomeOf(find({ accessToken: 'token', include }))).toBe('422 invalid-input');
    expect(bff.upstream.calls).toEqual([]);
  });

  it('takes the token out of the body and asks the service, with the lists that are wanted', async () => {
    await find({ accessToken: 'abc', include: ['bundles', 'countries'] });
    await find({ accessToken: 'abc' });
    expect(bff.upstream.calls.map(({ method, url, body }) => ({ method, url, body }))).toEqual([
      {
        method: 'GET',
        url: `${upstreamBase}/subscribers/by-token/abc?include=bundles%2Ccountries`,
        body: '',
      },
      { method: 'GET', url: `${upstreamBase}/subscribers/by-token/abc`, body: '' },
    ]);
  });
});
