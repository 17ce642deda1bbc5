/**
 * Work that ends in time: its signal is aborted after so many ms. Unlike with `AbortSignal.timeout`, nothing is kept of
 * it once it is done, which at thousands of calls a second would be most of the memory.
 */
export async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new DOMException('The service took too long.', 'TimeoutError')),
    ms,
  );
  try {
    return await work(deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}
