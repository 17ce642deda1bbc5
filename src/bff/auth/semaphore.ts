/** Runs at most so many tasks at once; the others wait in the order they came. */
export function createSemaphore(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (task) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // The place passes straight to the next in line, so that no newcomer slips in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
