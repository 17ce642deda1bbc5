/** Expired means `expiresAt <= now`, as in the service. Times in ms since the epoch. */
export function isExpired(expiresAt: string, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}
