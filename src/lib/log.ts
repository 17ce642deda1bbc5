/** Writes one line of the log. Fields hold ids, codes, route patterns and figures; never names, tokens, cookies or addresses. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  event: string,
  fields?: Readonly<Record<string, unknown>>,
) => void;

/** Fields of a log line that describe an error: where it came from, not its message, which may quote a person's data or a secret. */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    error: error.name,
    ...('code' in error && { code: error.code }),
    // The number of SQLite's result code (https://sqlite.org/rescode.html).
    ...('errcode' in error && { errcode: error.errcode }),
    stack: frames.map((line) => line.trim()),
  };
}
