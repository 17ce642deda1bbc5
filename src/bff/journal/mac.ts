import { fromBase64url, toBase64url } from '../../contract/http/crypto.ts';

/** What a keyed code is for; the same text gives another code for another purpose. */
type Purpose = 'link' | 'anchor' | 'token' | 'fingerprint';

/** A text's code that only the holder of the key can make: HMAC-SHA-256, in base64url. */
export type Mac = (purpose: Purpose, text: string) => Promise<string>;

/** @param secret 32 bytes in base64url */
export function createMac(secret: string): Mac {
  let key: Promise<CryptoKey> | null = null;
  const importKey = () =>
    crypto.subtle.importKey('raw', fromBase64url(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return async (purpose, text) => {
    const data = new TextEncoder().encode(`${purpose}\n${text}`);
    return toBase64url(new Uint8Array(await crypto.subtle.sign('HMAC', await (key ??= importKey()), data)));
  };
}
