/** 32 bytes in base64url, standing alone: also inside a playlist link. */
const token = /(?<![\w-])[\w-]{43}(?![\w-])/;

/** The access token that a text holds, as it stands there; null where it holds none. */
export function tokenInText(text: string): string | null {
  return token.exec(text)?.[0] ?? null;
}
