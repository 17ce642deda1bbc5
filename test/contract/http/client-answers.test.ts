import { describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { createClient } from '../../../src/contract/http/client.ts';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { firstReads } from '../../../src/contract/bff/paths.ts';
import { toResponse, problemAnswer } from '../../../src/contract/http/answer.ts';
import { Problem } from '../../../src/contract/http/problem.ts';

const base = 'https://service.example';
const statuses = [{ id: 1, name: 'Active' }];

/** The answer of a call, or the error that it ends in. */
const resultOf = (fetch: (request: Request) => Promise<Response>, signal?: AbortSignal): Promise<unknown> =>
  createClient(api, { base, fetch })
    .listStatuses({}, signal ? { signal } : {})
    .catch((error: unknown) => error);
const resultFrom = (response: Response) => resultOf(async () => response);

describe('a good answer', () => {
  it('comes parsed, with its ETag if it has one, and without the fields that the contract does not know', async () => {
    const tagged = Response.json(statuses, { headers: { ETag: '"5"' } });
    expect(await resultFrom(tagged)).toEqual({ data: statuses, etag: '"5"' });
    expect(await resultFrom(Response.json([]))).toEqual({ data: [], etag: null });
    const more = Response.json([{ id: 1, name: 'Active', colour: 'green' }]);
    expect(await resultFrom(more)).toEqual({ data: statuses, etag: null });
  });

  it('is undefined for a 204 where the row has no body', async () => {
    const bff = createClient(bffApi, { base, fetch: async () => new Response(null, { status: 204 }) });
    expect(await bff.signOut({})).toEqual({ data: undefined, etag: null });
  });
});

describe('an answer to a row without schemas', () => {
  const answerOf = (response: Response): Promise<unknown> =>
    createClient<typeof api>({ ...api, ...firstReads.service }, { base, fetch: async () => response })
      .listStatuses({})
      .catch((error: unknown) => error);
  const headers = { 'X-Request-Id': 'r1' };

  it('is taken as our own server writes it', async () => {
    expect(await answerOf(Response.json(statuses, { headers }))).toEqual({ data: statuses, etag: null });
  });

  it('has the code "unreadable" where something else answers in its place', async () => {
    const expected = { code: 'unreadable', status: 200 };
    expect(await answerOf(Response.json({ signIn: 'https://network.example' }))).toMatchObject(expected);
    expect(await answerOf(new Response('<html></html>', { headers }))).toMatchObject(expected);
  });
});

describe('an error', () => {
  it('has the code, sentence, fields and request id of a problem', async () => {
    const refusal = new Problem('invalid-input', 'Correct note.', { errors: { note: ['Too long.'] } });
    expect(await resultFrom(toResponse(problemAnswer(refusal, 'r7')))).toMatchObject({
      name: 'ApiError',
      code: 'invalid-input',
      message: 'Correct note.',
      status: 422,
      fields: { note: ['Too long.'] },
      requestId: 'r7',
      retryAfter: null,
    });
  });

  it('has the code "other" and the sentence of a problem of another service', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Gone',
      status: 410,
      detail: 'It is gone.',
      requestId: 'x',
    };
    const expected = { code: 'other', status: 410, message: 'It is gone.' };
    expect(await resultFrom(Response.json(problem, { status: 410 }))).toMatchObject(expected);
  });

  it('says when to try again where Retry-After is a number of seconds', async () => {
    for (const [value, retryAfter] of [
      ['30', 30],
      ['0', 0],
      ['Wed, 21 Oct 2026 07:28:00 GMT', null],
      ['soon', null],
    ] as const) {
      const refusal = new Problem('too-many-attempts', 'Wait.', { headers: { 'Retry-After': value } });
      expect(await resultFrom(toResponse(problemAnswer(refusal, 'r'))), value).toMatchObject({ retryAfter });
    }
  });

  it('has only the status of an answer that is no problem, and repeats nothing of its text', async () => {
    const wrongField = '{"type":"x","title":"x","status":"502","detail":"x","requestId":"x"}';
    for (const text of ['<html>502 Bad Gateway</html>', '{"error": "invalid_client"}', '', wrongField])
      expect(
        await resultFrom(new Response(text, { status: 502, headers: { 'X-Request-Id': 'r9' } })),
        text,
      ).toMatchObject({
        name: 'ApiError',
        code: 'other',
        status: 502,
        requestId: 'r9',
        fields: {},
        message: 'Unexpected error (HTTP 502). Try again in a minute.',
      });
  });

  it('has the code "unreadable" for an answer that cannot be read', async () => {
    const cutOff = new ReadableStream<Uint8Array>({
      start: (controller) => controller.error(new TypeError('terminated')),
    });
    for (const [what, response] of Object.entries({
      HTML: new Response('<html></html>'),
      'JSON that breaks off': new Response('[{"id": 1'),
      'another shape': Response.json({ items: [] }),
      'a wrong type': Response.json([{ id: '1', name: 'Active' }]),
      'no body': new Response(null, { status: 204 }),
      'a body cut off on the way': new Response(cutOff),
    })) {
      const expected = { name: 'ApiError', code: 'unreadable', status: response.status };
      expect(await resultFrom(response), what).toMatchObject(expected);
    }
  });

  it('has the code "unreachable" and the cause where there is no answer', async () => {
    const cause = new TypeError('fetch failed');
    const expected = { code: 'unreachable', status: 0, cause, requestId: null };
    expect(await resultOf(() => Promise.reject(cause))).toMatchObject(expected);
  });
});

describe('a call that its caller gives up', () => {
  it('ends as aborted before the answer', async () => {
    const stop = new AbortController();
    const fetch = (request: Request) => {
      stop.abort();
      return Promise.reject(request.signal.reason as Error);
    };
    expect(await resultOf(fetch, stop.signal)).toHaveProperty('name', 'AbortError');
  });

  it.each([200, 500])('ends as aborted while the body of a %d comes', async (status) => {
    const stop = new AbortController();
    const fetch = async (request: Request) => {
      const source = {
        pull(controller: ReadableStreamDefaultController) {
          stop.abort();
          controller.error(request.signal.reason);
        },
      };
      return new Response(new ReadableStream(source, { highWaterMark: 0 }), { status });
    };
    expect(await resultOf(fetch, stop.signal)).toHaveProperty('name', 'AbortError');
  });
});
