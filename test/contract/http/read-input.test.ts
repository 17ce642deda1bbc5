import { describe, expect, it, test } from 'vitest';
import { bffApi } from '../../../src/contract/bff/api.ts';
import { api } from '../../../src/contract/service/api.ts';
import { Problem } from '../../../src/contract/http/problem.ts';
import { bodyLimit, readInput } from '../../../src/contract/http/router.ts';
import { expectOutcomes } from '../../support/contract/outcomes.ts';
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
async function refusalOf(reading: Promise<unknown>): Promise<Problem> {
  const end = await reading.then(
    () => 'it was accepted',
    (error: unknown) => error,
  );
  if (end instanceof Problem) return end;
  throw new Error(`Expected a refusal, but ${String(end)}.`);
}
const codeOf = async (reading: Promise<unknown>) => (await refusalOf(reading)).code;
const errorsOf = async (reading: Promise<unknown>) => (await refusalOf(reading)).particulars.errors ?? {};

const create = (body: Body, type?: string | null) => readInput(api.createSubscriber, post(body, type), {});
const update = (id: string, body: string) => readInput(api.updateSubscriber, post(body), { id });
const json = JSON.stringify(required);

/** A body that comes in these parts, and breaks off after them if it is told to. */
function inParts(parts: readonly Uint8Array<ArrayBuffer>[], breaksOff = false): ReadableStream {
  const remaining = [...parts];
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const part = remaining.shift();
      if (part) controller.enqueue(part);
      else if (breaksOff) controller.error(new Error('ECONNRESET'));
      else controller.close();
    },
  });
}

describe('a body', () => {
  it('is accepted as JSON alone', async () => {
    const accepted = [
      'application/json',
      'APPLICATION/JSON',
      'application/json; charset=utf-8',
      ' application/json ;x=y',
    ];
    for (const type of accepted)
      expect(await create(json, type), type).toMatchObject({ body: { username: 'kari' } });
    const texts = ['text/plain', 'text/json', 'application/jsonp', 'application/problem+json', ''];
    const refused = [...texts, 'application/x-www-form-urlencoded', 'multipart/form-data'];
    await expectOutcomes({ 'not-json': refused }, (type) => codeOf(create(json, type)));
    expect(await codeOf(create(new TextEncoder().encode(json), null))).toBe('not-json');
  });

  it('is accepted up to 64 KiB, counted in bytes', async () => {
    expect(bodyLimit).toBe(65_536);
    expect(await create(json.padEnd(65_536, ' '))).toMatchObject({ body: { username: 'kari' } });
    const refusal = await refusalOf(create(json.padEnd(65_537, ' ')));
    expect(refusal.code).toBe('too-large');
    expect(refusal.message).toBe('The body is larger than 64 KiB. Nothing was changed. Send a smaller one.');
    const text = JSON.stringify({ ...required, note: 'é'.repeat(32_760) });
    expect(text.length).toBeLessThan(bodyLimit);
    expect(await codeOf(create(text))).toBe('too-large');
  });

  it('is accepted up to 20 KiB from strangers, which the longest sign-in fits into', async () => {
    const signIn = (body: string) => readInput(bffApi.signIn, post(body), {});
    const [id, part] = ['a'.repeat(1364), 'a'.repeat(4000)];
    const response = { clientDataJSON: part + part, authenticatorData: part, signature: part };
    const passkey = {
      id,
      rawId: id,
      type: 'public-key',
      response: { ...response, userHandle: 'a'.repeat(100) },
    };
    const longest = JSON.stringify({ name: 'n'.repeat(64), password: 'p'.repeat(128), passkey });
    expect(await signIn(longest.padEnd(20_480, ' '))).toMatchObject({ body: { passkey } });
    const refusal = await refusalOf(signIn(longest.padEnd(20_481, ' ')));
    expect(refusal.code).toBe('too-large');
    expect(refusal.message).toBe('The body is larger than 20 KiB. Nothing was changed. Send a smaller one.');
  });

  it('is not read beyond the limit', async () => {
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
    expect(await codeOf(create(endless))).toBe('too-large');
    expect(pulled).toBeLessThan(70);
    expect(cancelled).toBe(true);
  });

  it('is put together from its parts, also where they are cut within a character', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ ...required, note: 'é' }));
    const parts = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await create(inParts(parts))).toMatchObject({ body: { note: 'é' } });
  });

  it('is refused with 400 where it breaks off, not as a fault of the server', async () => {
    const broken = inParts([new TextEncoder().encode('{"username')], true);
    const { code, message } = await refusalOf(create(broken));
    expect([code, message]).toEqual([
      'bad-request',
      'The body was cut off. Nothing was changed. Send the request again.',
    ]);
  });

  it('is refused with 422 where it cannot be read', async () => {
    await expectOutcomes<Body>(
      {
        'invalid-input The body is not valid JSON. Check its commas, quotes and brackets.': [
          '{}{}',
          '{"maxConnections": NaN}',
          `\uFEFF${json}`,
        ],
        'invalid-input The body is not valid UTF-8. Send it in UTF-8.': [
          // Latin-1, an encoded surrogate, an overlong form, UTF-16.
          Uint8Array.of(0x22, 0xe9, 0x22),
          Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
          Uint8Array.of(0x22, 0xc0, 0xaf, 0x22),
          Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
        ],
        'invalid-input This must be an object.': ['null'],
      },
      async (body) => {
        const { code, particulars } = await refusalOf(create(body));
        return `${code} ${String(particulars.errors?.['body'])}`;
      },
    );
  });

  it('is refused where it has more than 10,000 values, with one sentence', async () => {
    const lists = (count: number) => JSON.stringify({ ...required, bundles: Array(count).fill('') });
    expect(await errorsOf(create(lists(9_000)))).toHaveProperty('bundles');
    expect(await errorsOf(create(lists(10_000)))).toEqual({
      body: ['The body has more than 10000 values. Nothing was changed. Send fewer.'],
    });
  });

  it('is refused where it is nested 30,000 deep, without a crash', async () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    expect(await codeOf(create(deep))).toBe('invalid-input');
    expect(await errorsOf(update('1', `{"note": ${deep.slice(25_000, -25_000)}}`))).toHaveProperty('note');
  });

  it('is refused where the row has none, once it has ended', async () => {
    const regenerate = (body: Body) => readInput(api.regenerateToken, post(body), { id: '7' });
    for (const none of [null, '']) expect(await regenerate(none)).toEqual({ params: { id: 7 } });
    const { code, message } = await refusalOf(regenerate('{}'));
    expect([code, message]).toEqual(['invalid-input', 'This request takes no body. Send it without one.']);
    expect(await codeOf(regenerate(inParts([], true)))).toBe('bad-request');
    expect(await codeOf(regenerate('x'.repeat(bodyLimit + 1)))).toBe('too-large');
  });
});

describe('the faults of a request', () => {
  test('the faults of a request are all named at once, those of the path and those of the body', async () => {
    const refusal = await refusalOf(update('zero', '{"email": "x", "bundles": [1, 1], "colour": "red"}'));
    expect(Object.keys(refusal.particulars.errors ?? {})).toEqual(['id', 'email', 'bundles.1', 'colour']);
    expect(refusal.message).toBe(
      'Not accepted: id, email, bundles.1, colour. Nothing was changed. Correct them and try again.',
    );
    expect(await errorsOf(update('zero', '{"id": 7}'))).toEqual({
      id: [
        'Use a whole number from 1 to 9007199254740991.',
        'There is no field with this name. Check its spelling, or remove it.',
      ],
    });
  });

  test('the faults of a request are named up to a limit, so that no answer is much larger than its request', async () => {
    const body = Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`f${index}`, 1]));
    const refusal = await refusalOf(update('1', JSON.stringify(body)));
    expect(refusal.message).toBe(
      'Not accepted: f0, f1, f2, f3, f4 and many more. Nothing was changed. Correct them and try again.',
    );
    expect(Object.keys(refusal.particulars.errors ?? {})).toHaveLength(50);
  });

  test('the faults of a request are counted as long as they are few', async () => {
    const body = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`f${index}`, 1]));
    expect((await refusalOf(update('1', JSON.stringify(body)))).message).toContain('f4 and 55 more.');
  });

  test('the faults of a request include numbers that JSON cannot represent exactly, and a field of the name __proto__', async () => {
    const numbers = '{"maxConnections": 1e400, "bundles": [9007199254740993, -0, 1]}';
    const named = ['maxConnections', 'bundles.0', 'bundles.1'];
    expect(Object.keys(await errorsOf(update('1', numbers)))).toEqual(named);
    const prototype = '{"__proto__": {"isTrial": true}}';
    expect(Object.keys(await errorsOf(update('1', prototype)))).toEqual(['__proto__']);
  });

  test('the faults of a request never repeat what was sent', async () => {
    const refusal = await refusalOf(
      update('s3cret-1', '{"email": "s3cret-2", "maxConnections": "s3cret-3"}'),
    );
    expect(JSON.stringify([refusal.message, refusal.particulars])).not.toContain('s3cret');
  });
});

describe('a form', () => {
  const token = (body: Body, type: string | null = 'application/x-www-form-urlencoded') =>
    readInput(api.issueToken, post(body, type), {});

  it('is read as its fields', async () => {
    expect(await token('grant_type=client_credentials&client_id=a%20b&scope=x+y&other=1')).toEqual({
      body: { grant_type: 'client_credentials', client_id: 'a b', scope: 'x y' },
    });
  });

  it('has no fields where it is absent, empty or of another type, for OAuth has its own answer to that', async () => {
    for (const [body, type] of [
      ['', undefined],
      ['{"client_id":"a"}', 'application/json'],
      [null, null],
    ] as const)
      expect(await token(body, type)).toEqual({ body: {} });
  });

  it('has no fields where it has more than any form of ours, which would take long to read', async () => {
    const long = (others: number) => token(`client_id=a${'&a'.repeat(others)}`);
    expect(await long(99)).toEqual({ body: { client_id: 'a' } });
    for (const others of [100, 10_000]) expect(await long(others)).toEqual({ body: {} });
  });

  it('is refused with a field given twice, as RFC 6749 §3.2 demands, and over 20 KiB', async () => {
    const twice = token('grant_type=client_credentials&client_id=a&client_id=b');
    expect(Object.keys(await errorsOf(twice))).toEqual(['client_id']);
    expect(await token('scope='.padEnd(20_480, 'x'))).toHaveProperty('body.scope');
    expect(await codeOf(token('scope='.padEnd(20_481, 'x')))).toBe('too-large');
  });
});
