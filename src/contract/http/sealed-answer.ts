import { changeHeaders } from './change-headers.ts';
import { fromBase64url, toBase64url } from './crypto.ts';
import { Refusal } from './refusal.ts';

/** How long the answer to a change is remembered under its `Idempotency-Key`, in ms. */
export const keyLifetime = 24 * 3_600_000;

/**
 * Checks that a key came with the same request as before.
 *
 * @throws {Refusal} `key-used-before`
 */
export function checkFingerprint(stored: string, sent: string): void {
  if (stored === sent) return;
  throw keyUsedBefore('This key was used for another change. Use a new one for each change.');
}

export function keyUsedBefore(sentence: string): Refusal {
  return new Refusal('key-used-before', sentence, { errors: { [changeHeaders.key]: [sentence] } });
}

/**
 * Encrypts an answer under the caller's `Idempotency-Key`, which is stored nowhere: the answer may hold an access token,
 * and only a caller who sends the key again can read it. AES-GCM, with a key derived by HKDF (RFC 5869).
 *
 * @param answer anything that JSON can hold
 * @param random makes the nonce
 */
export async function sealAnswer(
  key: string,
  answer: unknown,
  random: (bytes: number) => Uint8Array,
): Promise<string> {
  const iv = new Uint8Array(random(nonceLength));
  const plain = new TextEncoder().encode(JSON.stringify(answer));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveKey(key), plain);
  return `${toBase64url(iv)}.${toBase64url(new Uint8Array(sealed))}`;
}

/** @returns undefined where the answer was sealed under another key or by an older version, or was changed since */
export async function unsealAnswer(key: string, sealed: string): Promise<unknown> {
  try {
    const [iv = '', data = ''] = sealed.split('.');
    const algorithm = { name: 'AES-GCM', iv: fromBase64url(iv) };
    const plain = await crypto.subtle.decrypt(algorithm, await deriveKey(key), fromBase64url(data));
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  } catch {
    return undefined;
  }
}

const nonceLength = 12;

async function deriveKey(key: string): Promise<CryptoKey> {
  const text = new TextEncoder();
  const from = await crypto.subtle.importKey('raw', text.encode(key), 'HKDF', false, ['deriveKey']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: text.encode('answer') };
  return crypto.subtle.deriveKey(how, from, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
