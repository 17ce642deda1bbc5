/**
 * Does work for each item, a few at once.
 *
 * @returns the results in the order of the items
 * @throws what the first failed work throws; what is under way goes on, and nothing more is begun
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  // A generator, unlike the iterator of an array, is ended for all by the loop that fails.
  const entries = (function* () {
    yield* items.entries();
  })();
  const workThrough = async () => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workThrough));
  return results;
}

/** Waits for some ms. */
export type Wait = (ms: number) => Promise<void>;

/** After so many characters others get a turn of the event loop: to parse or write them may take some ms. */
export const mostAtOnce = 65_536;

/**
 * Maps texts to what is in them, and gives others a turn wherever they are long.
 *
 * @param given.sizeOf number of characters of a row
 */
export async function mapInSlices<Row, T>(
  rows: readonly Row[],
  given: { sizeOf: (row: Row) => number; map: (row: Row) => T; wait: Wait },
): Promise<T[]> {
  const results: T[] = [];
  let size = 0;
  for (const row of rows) {
    results.push(given.map(row));
    size += given.sizeOf(row);
    if (size < mostAtOnce) continue;
    size = 0;
    await given.wait(0);
  }
  return results;
}
