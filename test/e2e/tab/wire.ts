/** A request or an answer as it goes between a test and the tab: bytes as a list of numbers. */
export interface Wire {
  /** Of a request: its method and address. */
  method?: string;
  url?: string;
  /** Of an answer. */
  status?: number;
  headers: [string, string][];
  body: number[] | null;
}

export async function wireOf(message: Request | Response): Promise<Pick<Wire, 'headers' | 'body'>> {
  const bytes = new Uint8Array(await message.arrayBuffer());
  return { headers: [...message.headers], body: bytes.length > 0 ? [...bytes] : null };
}

export const bytesOf = ({ body }: Wire): Uint8Array<ArrayBuffer> | null =>
  body === null ? null : new Uint8Array(body);
