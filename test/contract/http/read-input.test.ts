import { describe, expect, test } from 'vitest';
import { api } from '../../../src/contract/service/api.ts';
import { Refusal } from '../../../src/contract/http/refusal.ts';
import { bodyLimit, readInput } from '../../../src/contract/http/router.ts';
import { required } from '../../support/contract/faults.ts';

type Body = NonNullable<ConstructorParameters<typeof Request>[1]>['body'];

const post = (body: Body, type: string | null = 'application/json') =>
  new Request('https://app.example/subscribers', {
    method: 'POST',
    body: body ?? null,
    headers: type === null ? {} : { 'Content-Type': type },
    ...({ duplex: 'half' } as object),
  });

/** The refusal that reading ends in. */
async function refusalOf(reading: Promise<unknown>): Promise<Refusal> {
  const end = await reading.then(
    () => 'it was taken',
    (error: unknown) => error,
  );
  if (end instanceof Refusal) return end;
  throw new Error(`Expected a refusal, but ${String(end)}.`);
}
const create = (request: Request) => readInput(api.createSubscriber, request, {});
const update = (path: string, body: string) => readInput(api.updateSubscriber, post(body), { id: path });

describe('the content type', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    ' application/json ;x=y',
  ])('%j is taken', async (type) => {
    expect(await create(post(JSON.stringify(required), type))).toMatchObject({ body: { username: 'kari' } });
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonp',
    'application/problem+json',
    'text/json',
    '',
  ])('%j is refused with 415', async (type) => {
    expect((await refusalOf(create(post(JSON.stringify(required), type)))).code).toBe('not-json');
  });

  test('that is absent is refused with 415', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(required));
    expect((await refusalOf(create(post(bytes, null)))).code).toBe('not-json');
  });
});

describe('the size of a body', () => {
  const sized = (size: number) => JSON.stringify(required).padEnd(size, ' ');

  test('of exactly 64 KiB is taken', async () => {
    expect(bodyLimit).toBe(65_536);
    expect(await create(post(sized(65_536)))).toMatchObject({ body: { username: 'kari' } });
  });

  test('of one byte more is refused with 413', async () => {
    const refusal = await refusalOf(create(post(sized(65_537))));
    expect(refusal.code).toBe('too-large');
    expect(refusal.message).toBe('The body is larger than 64 KiB. Nothing was changed. Send a smaller one.');
  });

  test('is counted in bytes, not characters', async () => {
    const text = JSON.stringify({ ...required, note: 'é'.repeat(32_760) });
    expect(text.length).toBeLessThan(bodyLimit);
    expect((await refusalOf(create(post(text)))).code).toBe('too-large');
  });

  test('is not read beyond the limit', async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024));
      },
      cancel() {
        cancelled = true;
      },
    });
    expect((await refusalOf(create(post(endless)))).code).toBe('too-large');
    expect(pulled).toBeLessThan(70);
    expect(cancelled).toBe(true);
  });

  test('a body that comes in parts, cut within a character, is put together', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ ...required, note: 'é' }));
    const parts = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await create(post(parts))).toMatchObject({ body: { note: 'é' } });
  });
});

test('a body that breaks off is refused with 400, not as a fault of the server', async () => {
  let parts = 0;
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      parts += 1;
      if (parts === 1) controller.enqueue(new TextEncoder().encode('{"username'));
      else controller.error(new Error('ECONNRESET'));
    },
  });
  const refusal = await refusalOf(create(post(broken)));
  expect([refusal.code, refusal.message]).toEqual([
    'bad-request',
    'The body was cut off. Nothing was changed. Send the request again.',
  ]);
});

describe('a body that cannot be read is refused with 422', () => {
  test.each([
    ['is empty', ''],
    ['breaks off', '{"username": "kari"'],
    ['has something after its end', '{}{}'],
    ['has single quotes', "{'username': 'kari'}"],
    ['has a comma too many', '{"note": "x",}'],
    ['says NaN', '{"maxConnections": NaN}'],
    ['begins with a byte order mark', `\uFEFF${JSON.stringify(required)}`],
    ['holds a bare line break in a text', '{"note": "a\nb"}'],
  ])('when it %s', async (_, text) => {
    const refusal = await refusalOf(create(post(text)));
    expect(refusal.code).toBe('invalid-input');
    expect(refusal.particulars.errors).toEqual({
      body: ['The body is not valid JSON. Check its commas, quotes and brackets.'],
    });
  });

  test.each([
    ['Latin-1', [0x22, 0xe9, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('when it is not UTF-8 but %s', async (_, bytes) => {
    const refusal = await refusalOf(create(post(Uint8Array.from(bytes))));
    expect(refusal.particulars.errors).toEqual({ body: ['The body is not valid UTF-8. Send it in UTF-8.'] });
  });

  test('when it is nested 30,000 deep, without a crash', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    expect((await refusalOf(create(post(deep)))).code).toBe('invalid-input');
    const inside = `{"note": ${deep}}`;
    expect((await refusalOf(update('1', inside))).particulars.errors).toHaveProperty('note');
  });

  test('when it is null, a list or a text', async () => {
    for (const text of ['null', '[]', '"kari"', '7'])
      expect((await refusalOf(create(post(text)))).particulars.errors, text).toEqual({
        body: ['This must be an object.'],
      });
  });
});

describe('the faults of a request', () => {
  test('are all named at once, those of the path and those of the body', async () => {
    const refusal = await refusalOf(update('zero', '{"email": "x", "bundles": [1, 1], "colour": "red"}'));
    expect(Object.keys(refusal.particulars.errors ?? {})).toEqual(['id', 'email', 'bundles.1', 'colour']);
    expect(refusal.message).toBe(
      'Not accepted: id, email, bundles.1, colour. Nothing was changed. Correct them and try again.',
    );
  });

  test('are named up to a limit, so that no answer is much larger than its request', async () => {
    const body = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`f${index}`, 1]));
    const refusal = await refusalOf(update('1', JSON.stringify(body)));
    expect(refusal.message).toBe(
      'Not accepted: f0, f1, f2, f3, f4 and 5995 more. Nothing was changed. Correct them and try again.',
    );
    expect(Object.keys(refusal.particulars.errors ?? {})).toHaveLength(50);
  });

  test('of the same name in path and body are both said', async () => {
    const refusal = await refusalOf(update('zero', '{"id": 7}'));
    expect(refusal.particulars.errors).toEqual({
      id: [
        'Use a whole number from 1 to 9007199254740991.',
        'There is no field with this name. Check its spelling, or remove it.',
      ],
    });
  });

  test('include numbers that JSON cannot represent exactly', async () => {
    const refusal = await refusalOf(
      update('1', '{"maxConnections": 1e400, "bundles": [9007199254740993, -0, 1]}'),
    );
    expect(Object.keys(refusal.particulars.errors ?? {})).toEqual([
      'maxConnections',
      'bundles.0',
      'bundles.1',
    ]);
  });

  test('include a field of the name __proto__', async () => {
    const refusal = await refusalOf(update('1', '{"__proto__": {"isTrial": true}}'));
    expect(Object.keys(refusal.particulars.errors ?? {})).toEqual(['__proto__']);
  });

  test('never repeat what was sent', async () => {
    const refusal = await refusalOf(
      update('s3cret-1', '{"email": "s3cret-2", "maxConnections": "s3cret-3"}'),
    );
    expect(JSON.stringify([refusal.message, refusal.particulars])).not.toContain('s3cret');
  });
});

describe('a form', () => {
  const token = (body: Body, type: string | null = 'application/x-www-form-urlencoded') =>
    readInput(api.issueToken, post(body, type), {});

  test('is read as its fields', async () => {
    expect(await token('grant_type=client_credentials&client_id=a%20b&scope=x+y&other=1')).toEqual({
      body: { grant_type: 'client_credentials', client_id: 'a b', scope: 'x y' },
    });
  });

  test('that is absent, empty or of another type reads as without fields, for OAuth has its own answer to that', async () => {
    expect(await token('')).toEqual({ body: {} });
    expect(await token('{"grant_type":"client_credentials"}', 'application/json')).toEqual({ body: {} });
    expect(await token(null, null)).toEqual({ body: {} });
  });

  test('with a field given twice is refused, as RFC 6749 §3.2 demands', async () => {
    const refusal = await refusalOf(token('grant_type=client_credentials&client_id=a&client_id=b'));
    expect(Object.keys(refusal.particulars.errors ?? {})).toEqual(['client_id']);
  });

  test('over 64 KiB is refused', async () => {
    expect((await refusalOf(token(`scope=${'x'.repeat(bodyLimit)}`))).code).toBe('too-large');
  });
});

describe('a row without a body', () => {
  const regenerate = (body: Body) => readInput(api.regenerateToken, post(body), { id: '7' });

  test.each([null, ''])('takes a request that brings none (%j)', async (body) => {
    expect(await regenerate(body)).toEqual({ params: { id: 7 } });
  });

  test('refuses one that was sent nevertheless', async () => {
    const refusal = await refusalOf(regenerate('{}'));
    expect([refusal.code, refusal.message]).toEqual([
      'invalid-input',
      'This request takes no body. Send it without one.',
    ]);
  });

  test('waits for the end of a body, and refuses one over 64 KiB as everywhere', async () => {
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
    expect((await refusalOf(regenerate(broken))).code).toBe('bad-request');
    expect((await refusalOf(regenerate('x'.repeat(bodyLimit + 1)))).code).toBe('too-large');
  });
});
