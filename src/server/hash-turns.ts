import type { HashRank } from '../bff/deps.ts';

/** How many of the lowest rank are taken in a row while others wait. */
const mostInARow = 3;

/** The order in which waiting passwords are hashed: by rank, but every fourth turn goes to the other ranks. */
export function createHashTurns<Item>() {
  const waiting: Record<HashRank, Item[]> = { 0: [], 1: [], 2: [] };
  const ranks = [0, 1, 2] as const;
  let inARow = 0;
  const first = (among: readonly HashRank[]) => among.find((rank) => waiting[rank].length > 0);
  return {
    size: () => ranks.map((rank) => waiting[rank].length).reduce((one, other) => one + other),
    add: (item: Item, rank: HashRank) => void waiting[rank].push(item),
    take(): Item | undefined {
      const lowest = first(ranks);
      if (lowest === undefined) return undefined;
      const other = inARow >= mostInARow ? first(ranks.filter((rank) => rank !== lowest)) : undefined;
      inARow = other === undefined ? inARow + 1 : 0;
      return waiting[other ?? lowest].shift();
    },
  };
}
