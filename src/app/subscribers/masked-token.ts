/** A token as it may stand on the screen: dots, and the last four characters to tell one from another. */
export function maskedToken(accessToken: string): string {
  return `${'•'.repeat(12)}${accessToken.slice(-4)}`;
}
