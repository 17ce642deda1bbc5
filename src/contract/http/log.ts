/** Writes one line of the log. Facts hold ids, codes, route patterns and figures; never names, tokens, cookies or addresses. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  event: string,
  facts?: Readonly<Record<string, unknown>>,
) => void;
