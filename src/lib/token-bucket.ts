export type TokenBucket = ReturnType<typeof createTokenBucket>;

/**
 * Creates a bucket of tokens that fills again with time, or with what else grows, such as the calls of which one in ten earns a
 * token.
 *
 * @param most tokens that it holds
 * @param pause until it has one more, in ms
 * @param began now, in ms since 1970
 * @param first tokens that it holds at first
 */
export function createTokenBucket(most: number, pause: number, began: number, first = most) {
  let tokens = first;
  let countedAt = began;
  const fill = (now: number) => {
    tokens = Math.min(most, tokens + (now - countedAt) / pause);
    countedAt = now;
  };
  return {
    /** Takes tokens. @returns 0, or how long it takes until they are there, in ms; then none was taken */
    take(now: number, count = 1): number {
      fill(now);
      if (tokens < count) return (count - tokens) * pause;
      tokens -= count;
      return 0;
    },
    /** Takes a token that there may not be yet. @returns how long it takes until there is, in ms */
    borrow(now: number): number {
      fill(now);
      tokens -= 1;
      return Math.max(0, -tokens * pause);
    },
    giveBack: () => void (tokens = Math.min(most, tokens + 1)),
  };
}
