/**
 * Does work for each item, a few at once.
 *
 * @returns the results in the order of the items
 * @throws what the first failed work throws; the others go on
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  const workThrough = async () => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, workThrough));
  return results;
}
