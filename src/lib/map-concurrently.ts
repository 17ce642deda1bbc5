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
