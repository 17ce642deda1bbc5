import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import {
  equalInConstantTime,
  fromBase64url,
  seal,
  sha256,
  toBase64url,
  unseal,
} from '../../src/lib/crypto.ts';

describe('base64url', () => {
  it('writes bytes and reads them back', () => {
    const texts = { '': [], AA: [0], '--__': [251, 239, 255], Zm9vYg: [102, 111, 111, 98] };
    for (const [text, bytes] of Object.entries(texts)) {
      expect(toBase64url(Uint8Array.from(bytes))).toBe(text);
      expect([...fromBase64url(text)]).toEqual(bytes);
    }
  });

  it('does not read anything else', () => {
    for (const text of ['a+b/', 'a', 'åäö']) expect(() => fromBase64url(text), text).toThrow(SyntaxError);
  });
});

test('sha256 is the digest of a text’s UTF-8', async () => {
  for (const text of ['', 'a token', 'På nytt 🙂'])
    expect(await sha256(text)).toBe(createHash('sha256').update(text).digest('base64url'));
});

test('equalInConstantTime is true for equal texts alone', () => {
  for (const one of ['', 'secret', 'secreT', 'secre'])
    for (const other of ['', 'secret']) expect(equalInConstantTime(one, other)).toBe(one === other);
});

describe('a sealed answer', () => {
  const key = 'a-key-of-this-test-alone';
  const answer = { status: 200, body: 'På nytt 🙂' };
  const sealIt = () => seal('answer', key, answer, (bytes) => crypto.getRandomValues(new Uint8Array(bytes)));

  it('is read with its key, also if an earlier version has sealed it', async () => {
    const earlier =
      'AQEBAQEBAQEBAQEB.FP9Y1AjBuhMvpUCG31JSFLSIatiFL7ZfJB6SAxVoOCCcOe0mgyfsN5i5T47aFdNkoL_peVo';
    for (const sealed of [await sealIt(), earlier])
      expect(await unseal('answer', key, sealed)).toEqual(answer);
  });

  it('reveals nothing of its content, and differs each time', async () => {
    const [one, other] = [await sealIt(), await sealIt()];
    expect(one).not.toBe(other);
    const bytes = one.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(bytes.join('')).not.toContain('status');
  });

  it('is not read with another key, changed, in another format or empty', async () => {
    const sealed = await sealIt();
    expect(await unseal('answer', `${key}!`, sealed)).toBeUndefined();
    for (const text of [
      `${sealed}AAAA`,
      `${sealed}.`,
      `${sealed} `,
      ` ${sealed}`,
      `${sealed}=`,
      'eyJhbGciOiJkaXIifQ..AAAA.AAAA.AAAA',
      '',
    ])
      expect(await unseal('answer', key, text), text).toBeUndefined();
  });
});
