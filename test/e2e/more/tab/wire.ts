/** A request or an answer as it goes between a test and the tab: bytes as a text of as many characters, which is faster than a list. */
export interface Wire {
  /** The method of a request, which also has an address. */
  method?: string;
  url?: string;
  /** The status of an answer. */
  status?: number;
  headers: [string, string][];
  body: string | null;
}

export async function wireOf(message: Request | Response): Promise<Pick<Wire, 'headers' | 'body'>> {
  const bytes = new Uint8Array(await message.arrayBuffer());
  const body = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return { headers: [...message.headers], body: body || null };
}

export const bytesOf = ({ body }: Wire): Uint8Array<ArrayBuffer> | null =>
  body === null ? null : Uint8Array.from(body, (character) => character.charCodeAt(0));
