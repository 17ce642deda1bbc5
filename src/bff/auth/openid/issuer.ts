/**
 * True if nobody signs in with an account any more: its provider is not the configured one, which therefore can't say
 * whether the person may still be here. A slash at the end is ignored, because providers write their address with and
 * without one.
 *
 * @param issuer that of the account; null for a local one
 * @param configured the issuer of the configured provider
 */
export const isOfOtherProvider = (issuer: string | null, configured: string | undefined): boolean =>
  issuer !== null && (configured === undefined || URL.parse(issuer)?.href !== URL.parse(configured)?.href);
