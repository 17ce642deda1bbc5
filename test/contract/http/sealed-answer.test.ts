import { describe, expect, test } from 'vitest';
import { sealAnswer, unsealAnswer } from '../../../src/contract/http/crypto.ts';
import { checkFingerprint } from '../../../src/contract/http/change-headers.ts';

const key = 'a-key-of-this-test-alone';
const answer = { status: 200, body: 'På nytt 🙂' };
const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

describe('a sealed answer', () => {
  test('is read back with its key', async () => {
    expect(await unsealAnswer(key, await sealAnswer(key, answer, random))).toEqual(answer);
  });

  test('sealed by an earlier version is still read', async () => {
    const sealed = 'AQEBAQEBAQEBAQEB.FP9Y1AjBuhMvpUCG31JSFLSIatiFL7ZfJB6SAxVoOCCcOe0mgyfsN5i5T47aFdNkoL_peVo';
    expect(await unsealAnswer(key, sealed)).toEqual(answer);
  });

  test('reveals nothing of its content, and differs each time', async () => {
    const [one, other] = [await sealAnswer(key, answer, random), await sealAnswer(key, answer, random)];
    expect(one).not.toBe(other);
    const bytes = one.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(bytes.join('')).not.toContain('status');
  });

  test.each([
    ['another key', async () => unsealAnswer(`${key}!`, await sealAnswer(key, answer, random))],
    ['a changed text', async () => unsealAnswer(key, `${await sealAnswer(key, answer, random)}AAAA`)],
    ['a text in another format', async () => unsealAnswer(key, 'eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA')],
    ['an empty text', async () => unsealAnswer(key, '')],
  ])('is not read with %s', async (_, read) => {
    expect(await read()).toBeUndefined();
  });
});

test('checkFingerprint refuses a key that came with another request', () => {
  expect(() => checkFingerprint('one', 'one')).not.toThrow();
  expect(() => checkFingerprint('one', 'other')).toThrow(
    expect.objectContaining({ code: 'key-used-before' }),
  );
});
