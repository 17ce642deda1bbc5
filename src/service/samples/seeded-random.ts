export type SeededRandom = ReturnType<typeof createSeededRandom>;

/** Creates a seeded random generator: the same seed gives the same numbers. Not for secrets. */
export function createSeededRandom(seed: number) {
  const number = mulberry32(seed);
  const whole = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
  return {
    /** A number from 0, below 1. */
    number,
    /** A whole number from `least` to `most`, both included. */
    whole,
    chance: (probability: number) => number() < probability,
    /** @throws if there is nothing to choose from */
    one<T>(list: readonly T[]): T {
      const [chosen] = list.slice(whole(0, list.length - 1));
      if (chosen === undefined) throw new Error('There is nothing to choose from.');
      return chosen;
    },
    /** Some of a list, each once, in the list's order. */
    some<T>(list: readonly T[], count: number): T[] {
      const indexes = new Set<number>();
      while (indexes.size < Math.min(count, list.length)) indexes.add(whole(0, list.length - 1));
      return list.filter((_, index) => indexes.has(index));
    },
    weighted<T>(choices: readonly [readonly [number, T], ...(readonly [number, T])[]]): T {
      let remaining = number() * choices.reduce((sum, [weight]) => sum + weight, 0);
      return (choices.find(([weight]) => (remaining -= weight) < 0) ?? choices[0])[1];
    },
    /** About the bell curve, mean 0, deviation 1, never beyond 6. */
    bell: () => Array.from({ length: 12 }, number).reduce((sum, part) => sum + part, -6),
    bytes: (count: number) => Uint8Array.from({ length: count }, () => whole(0, 255)),
  };
}

/** Tommy Ettinger's Mulberry32: 32 bits of state, good enough to look natural. */
function mulberry32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
