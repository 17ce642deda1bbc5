const dots = '•'.repeat(12);

/** Of a token shorter than this, four characters would be more than half. */
const leastToTell = 8;

/** A token as it may stand on the screen: dots, and the last four characters to tell one from another. */
export function maskedToken(accessToken: string): string {
  if (isMasked(accessToken)) return accessToken;
  return accessToken.length < leastToTell ? dots : `${dots}${accessToken.slice(-4)}`;
}

/** Whether this is all of a token that the desk gives away, as to a viewer. */
export function isMasked(accessToken: string): boolean {
  return accessToken.startsWith(dots);
}
