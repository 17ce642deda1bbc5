const dots = '•'.repeat(12);

/** The shortest token whose last four characters are shown: in a shorter one they would be more than half. */
const leastToTell = 8;

/** Masks a token: dots, and the last four characters to tell tokens apart. */
export function maskedToken(accessToken: string): string {
  if (isMasked(accessToken)) return accessToken;
  return accessToken.length < leastToTell ? dots : `${dots}${accessToken.slice(-4)}`;
}

/** Whether this is a masked token, as viewers get it. */
export function isMasked(accessToken: string): boolean {
  return accessToken.startsWith(dots);
}

/** 32 bytes in base64url, on their own or inside a playlist link. */
const token = /(?<![\w-])[\w-]{43}(?![\w-])/;

/** Long, with digits and letters of both cases, as parts of tokens are and names are not. */
export function isTokenLike(word: string): boolean {
  return /^[\w-]{20,}$/.test(word) && /[a-z]/.test(word) && /[A-Z]/.test(word) && /\d/.test(word);
}

/** The first access token in a text, or null. */
export function tokenInText(text: string): string | null {
  return token.exec(text)?.[0] ?? null;
}
