/** Expired means `expiresAt <= now`, as the service has it. Times in ms since the epoch. */
export function isExpired(expiresAt: string, now: number): boolean {
  return Date.parse(expiresAt) <= now;
}
