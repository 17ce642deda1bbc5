/** What a process has and the rooms are given: the time and randomness. */
export const clock = (): number => Date.now();

/** Each byte is given out once. To ask the system for a few costs as much as for thousands, and every request has an id. */
export function random(bytes: number): Uint8Array {
  if (bytes > stock.length) return crypto.getRandomValues(new Uint8Array(bytes));
  if (used + bytes > stock.length) {
    crypto.getRandomValues(stock);
    used = 0;
  }
  const taken = stock.slice(used, used + bytes);
  stock.fill(0, used, used + bytes);
  used += bytes;
  return taken;
}

const stock = new Uint8Array(4096);
let used = stock.length;
