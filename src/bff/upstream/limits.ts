/** Times in ms: a whole call with all it needs, the token call within it; and the largest answer, in bytes. */
export const upstreamLimits = { total: 15_000, token: 5_000, bytes: 5 * 1024 * 1024 };
export type UpstreamLimits = typeof upstreamLimits;
