/** SHA-256 of a text, in base64url. */
export async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toBase64url(new Uint8Array(hash));
}

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
