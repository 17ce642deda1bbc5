import { describe, expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { ApiError, createClient } from '../../../src/contract/http/client.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { problemAnswer } from '../../../src/contract/http/problem-answer.ts';
import { Refusal } from '../../../src/contract/http/refusal.ts';

const base = 'https://service.example';
const statuses = [{ id: 1, name: 'Active' }];
const answering = (response: Response) => createClient(api, { base, fetch: async () => response });

/** The error that a call ends in. */
async function errorOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => new Error('The call went well.'),
    (error: unknown) => error,
  );
}
const errorFrom = (response: Response) => errorOf(answering(response).listStatuses({}));

describe('a good answer', () => {
  test('comes parsed, with its ETag', async () => {
    const response = Response.json(statuses, { headers: { ETag: '"5"' } });
    expect(await answering(response).listStatuses({})).toEqual({ data: statuses, etag: '"5"' });
  });

  test('without an ETag says so', async () => {
    expect(await answering(Response.json([])).listStatuses({})).toEqual({ data: [], etag: null });
  });

  test('loses the fields that the contract does not know', async () => {
    const response = Response.json([{ id: 1, name: 'Active', colour: 'green' }]);
    expect((await answering(response).listStatuses({})).data).toEqual(statuses);
  });

  test('of 204 is undefined where the row has no body', async () => {
    const bff = createClient(bffApi, { base, fetch: async () => new Response(null, { status: 204 }) });
    expect(await bff.signOut({})).toEqual({ data: undefined, etag: null });
  });
});

describe('a problem', () => {
  test('becomes an error with its code, sentence, fields and request id', async () => {
    const refusal = new Refusal('invalid-input', 'Correct note.', { errors: { note: ['Too long.'] } });
    expect(await errorFrom(problemAnswer(refusal, 'r7'))).toMatchObject({
      name: 'ApiError',
      code: 'invalid-input',
      message: 'Correct note.',
      status: 422,
      fields: { note: ['Too long.'] },
      requestId: 'r7',
      retryAfter: null,
    });
  });

  test('of another service has the code "other", and its sentence', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Gone',
      status: 410,
      detail: 'It is gone.',
      requestId: 'x',
    };
    expect(await errorFrom(Response.json(problem, { status: 410 }))).toMatchObject({
      code: 'other',
      status: 410,
      message: 'It is gone.',
    });
  });

  test.each([
    ['30', 30],
    ['0', 0],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['soon', null],
  ])('with Retry-After: %s says when', async (value, seconds) => {
    const refusal = new Refusal('too-many-attempts', 'Wait.', { headers: { 'Retry-After': value } });
    expect(await errorFrom(problemAnswer(refusal, 'r'))).toMatchObject({ retryAfter: seconds });
  });
});

describe('an error that is no problem', () => {
  test.each([
    ['HTML', '<html>502 Bad Gateway</html>'],
    ['other JSON', '{"error": "invalid_client"}'],
    ['nothing', ''],
    ['a problem with a wrong field', '{"type":"x","title":"x","status":"502","detail":"x","requestId":"x"}'],
  ])('such as %s is told by its status, and its text is not repeated', async (_, text) => {
    const response = new Response(text, { status: 502, headers: { 'X-Request-Id': 'r9' } });
    const error = await errorFrom(response);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'other', status: 502, requestId: 'r9', fields: {} });
    expect(error).toHaveProperty('message', 'Unexpected error (HTTP 502). Try again in a minute.');
  });
});

describe('an answer that cannot be read', () => {
  const cutOff = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new TypeError('terminated')),
  });

  test.each([
    ['HTML', new Response('<html></html>')],
    ['JSON that breaks off', new Response('[{"id": 1')],
    ['another shape', Response.json({ items: [] })],
    ['a wrong type', Response.json([{ id: '1', name: 'Active' }])],
    ['no body', new Response(null, { status: 204 })],
    ['a body cut off on the way', new Response(cutOff)],
  ])('such as %s is an error of its own', async (_, response) => {
    expect(await errorFrom(response)).toMatchObject({
      name: 'ApiError',
      code: 'unreadable',
      status: response.status,
    });
  });
});

describe('no answer', () => {
  test('is an error of its own, with the cause', async () => {
    const cause = new TypeError('fetch failed');
    const client = createClient(api, { base, fetch: () => Promise.reject(cause) });
    expect(await errorOf(client.listStatuses({}))).toMatchObject({
      code: 'unreachable',
      status: 0,
      cause,
      requestId: null,
    });
  });

  test('after the caller gave up is the caller’s own abort', async () => {
    const stop = new AbortController();
    const client = createClient(api, {
      base,
      fetch: (request) => {
        stop.abort();
        return Promise.reject(request.signal.reason as Error);
      },
    });
    const error = await errorOf(client.listStatuses({}, { signal: stop.signal }));
    expect(error).toHaveProperty('name', 'AbortError');
  });

  test.each([200, 500])(
    'when the caller gives up while the body of a %d comes, is the abort too',
    async (status) => {
      const stop = new AbortController();
      const client = createClient(api, {
        base,
        fetch: async (request) => {
          const body = new ReadableStream(
            {
              pull(controller) {
                stop.abort();
                controller.error(request.signal.reason);
              },
            },
            { highWaterMark: 0 },
          );
          return new Response(body, { status });
        },
      });
      const error = await errorOf(client.listStatuses({}, { signal: stop.signal }));
      expect(error).toHaveProperty('name', 'AbortError');
    },
  );
});
