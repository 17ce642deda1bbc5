/** SHA-256 of a text, in base64url. */
export async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64url(new Uint8Array(hash));
}

/** Computes HMAC-SHA-256 with one key, of 32 bytes in base64url; in base64url. */
export type CreateHmac = (key: string) => (text: string) => string | Promise<string>;

/** By Web Crypto, which a page has as well. */
export const createWebHmac: CreateHmac = (key) => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  let imported: Promise<CryptoKey> | undefined;
  return async (text) => {
    imported ??= crypto.subtle.importKey('raw', fromBase64url(key), algorithm, false, ['sign']);
    const mac = await crypto.subtle.sign('HMAC', await imported, new TextEncoder().encode(text));
    return toBase64url(new Uint8Array(mac));
  };
};

/** Bytes as text that fits into an address, a header or a cookie (RFC 4648 section 5), without padding. */
export function toBase64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** @throws {SyntaxError} where the text is not base64url */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.fromBase64(text, { alphabet: 'base64url' });
}

/** Compares two texts in a time that does not depend on where they differ. */
export function equalInConstantTime(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1)
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

/** Purpose of an encryption: under the same key, a text sealed for one cannot be unsealed for another. */
type SealPurpose =
  | 'answer'
  | 'refresh-token'
  | 'second-factor'
  | 'second-factor-setup'
  | 'passkey'
  | 'passkey-challenge'
  | 'return-path';

/**
 * Encrypts anything that JSON can hold: AES-GCM, with a key derived by HKDF (RFC 5869).
 *
 * @param random makes the nonce
 */
export async function seal(
  purpose: SealPurpose,
  key: string,
  value: unknown,
  random: (bytes: number) => Uint8Array,
): Promise<string> {
  const iv = new Uint8Array(random(nonceLength));
  const plain = new TextEncoder().encode(JSON.stringify(value));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await deriveKey(purpose, key), plain);
  return `${toBase64url(iv)}.${toBase64url(new Uint8Array(sealed))}`;
}

/**
 * Decrypts what `seal` encrypted. Only the text that it wrote is read, so that what was used up under this text can't be used again
 * under another one for the same bytes.
 *
 * @returns undefined where it was sealed under another key or for another purpose, or was changed since
 */
export async function unseal(purpose: SealPurpose, key: string, sealed: string): Promise<unknown> {
  try {
    const [iv = '', data = ''] = sealed.split('.');
    const [nonce, bytes] = [fromBase64url(iv), fromBase64url(data)];
    if (`${toBase64url(nonce)}.${toBase64url(bytes)}` !== sealed) return undefined;
    const algorithm = { name: 'AES-GCM', iv: nonce };
    const plain = await crypto.subtle.decrypt(algorithm, await deriveKey(purpose, key), bytes);
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  } catch {
    return undefined;
  }
}

const nonceLength = 12;

async function deriveKey(purpose: SealPurpose, key: string): Promise<CryptoKey> {
  const text = new TextEncoder();
  const from = await crypto.subtle.importKey('raw', text.encode(key), 'HKDF', false, ['deriveKey']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: text.encode(purpose) };
  return crypto.subtle.deriveKey(how, from, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
