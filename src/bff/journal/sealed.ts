import { fromBase64url, toBase64url } from '../../contract/http/crypto.ts';

/**
 * Encrypts an answer under a key that the desk does not keep: the caller's own, by which alone it is asked for again.
 * AES-GCM, with a key derived by HKDF (RFC 5869).
 *
 * @param random makes the nonce
 */
export async function seal(
  key: string,
  text: string,
  random: (bytes: number) => Uint8Array,
): Promise<string> {
  const iv = new Uint8Array(random(nonceLength));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv },
    await derive(key),
    new TextEncoder().encode(text),
  );
  return `${toBase64url(iv)}.${toBase64url(new Uint8Array(sealed))}`;
}

/** @throws where the text was not sealed under this key, or was changed since */
export async function unseal(key: string, sealed: string): Promise<string> {
  const [iv = '', data = ''] = sealed.split('.');
  const algorithm = { name: 'AES-GCM', iv: fromBase64url(iv) };
  return new TextDecoder().decode(
    await crypto.subtle.decrypt(algorithm, await derive(key), fromBase64url(data)),
  );
}

const nonceLength = 12;

async function derive(key: string): Promise<CryptoKey> {
  const text = new TextEncoder();
  const from = await crypto.subtle.importKey('raw', text.encode(key), 'HKDF', false, ['deriveKey']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: text.encode('answer') };
  return crypto.subtle.deriveKey(how, from, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
