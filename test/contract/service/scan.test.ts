import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextWindow, scanById } from '../../../src/contract/service/scan.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

/** A list of `count` rows; `change` changes it just before each page is read. */
function createList(count: number, options: { change?: (ids: number[]) => number[]; largest?: number } = {}) {
  const { change = (same) => same, largest = 200 } = options;
  let ids = upTo(count);
  let reads = 0;
  const always = new Set(ids);
  const ever = new Set(ids);
  return {
    reads: () => reads,
    always,
    ever,
    read: async (page: number, pageSize: number) => {
      reads += 1;
      const before = ids;
      ids = change(before);
      if (ids !== before) {
        const present = new Set(ids);
        for (const id of before) if (!present.has(id)) always.delete(id);
        for (const id of ids) ever.add(id);
      }
      const size = Math.min(pageSize, largest);
      const items = ids.slice((page - 1) * size, page * size).map((id) => ({ id }));
      return { items, totalCount: ids.length };
    },
  };
}

async function scan(list: ReturnType<typeof createList>): Promise<number[]> {
  const found: number[] = [];
  for await (const { rows } of scanById(list.read)) found.push(...rows.map(({ id }) => id));
  return found;
}

describe('a scan of a list that does not change', () => {
  it('finds each row once, in hardly more pages than there are', async () => {
    for (const count of [0, 1, 199, 200, 201, 399, 400, 9310])
      expect(await scan(createList(count))).toEqual(upTo(count));
    const large = createList(100_000);
    expect(await scan(large)).toHaveLength(100_000);
    expect(large.reads()).toBeLessThan(560);
  });

  it('finds each row of a service that answers fewer rows per page', async () => {
    for (const largest of [10, 37, 100])
      expect(await scan(createList(1000, { largest }))).toEqual(upTo(1000));
  });

  it('reads pages that overlap the rows before them and go beyond', () => {
    for (let end = 1; end < 20_000; end += 7) {
      const { page, size, start } = nextWindow(end, 200);
      expect(start).toBe((page - 1) * size);
      expect([size <= 200, start < end, start + size > end]).toEqual([true, true, true]);
    }
  });
});

describe('a scan of a list that changes', () => {
  it('finds each row that exists throughout once, while others are deleted and added between pages', async () => {
    const step = fc.record({
      deletions: fc.array(fc.nat(5000), { maxLength: 40 }),
      burst: fc.option(fc.record({ at: fc.nat(3000), rows: fc.nat(500) }), { freq: 8 }),
      additions: fc.nat(40),
      returns: fc.array(fc.nat(5000), { maxLength: 10 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(3000),
        fc.array(step, { minLength: 1, maxLength: 60 }),
        async (count, steps) => {
          let turn = 0;
          let newest = count;
          const deleted: number[] = [];
          const list = createList(count, {
            change(before) {
              const now = steps[turn++];
              if (!now) return before;
              const ids = [...before];
              for (const at of now.deletions) deleted.push(...ids.splice(at % (ids.length + 1), 1));
              if (now.burst) deleted.push(...ids.splice(now.burst.at, now.burst.rows));
              for (let added = 0; added < now.additions; added += 1) ids.push((newest += 1));
              // Like a subscriber that matches the filter again: in the middle, not at the end.
              for (const at of now.returns) ids.push(...deleted.splice(at % (deleted.length + 1), 1));
              return ids.toSorted((a, b) => a - b);
            },
          });
          const found = await scan(list);
          expect(new Set(found).size).toBe(found.length);
          expect(list.always.difference(new Set(found))).toEqual(new Set());
          expect(found.filter((id) => !list.ever.has(id))).toEqual([]);
        },
      ),
      { seed: 13, numRuns: 200 },
    );
  });

  it('misses no row if as many rows are added as deleted, so that the total stays the same', async () => {
    let next = 2000;
    const list = createList(2000, {
      change: (ids) => (next < 2200 ? [...ids.slice(40), ...upTo(40).map(() => (next += 1))] : ids),
    });
    const found = await scan(list);
    expect(list.always.difference(new Set(found))).toEqual(new Set());
  });

  it('refuses a list that is not sorted by id, because it could miss rows', async () => {
    const list = createList(300, { change: (ids) => ids.toReversed() });
    await expect(scan(list)).rejects.toMatchObject({ code: 'unreadable' });
  });

  it('ends with an error where the list never stops changing', async () => {
    let next = 1_000_000;
    // Before each read, all rows are replaced by new ones.
    const list = createList(1000, { change: (ids) => ids.map(() => (next += 1)) });
    await expect(scan(list)).rejects.toMatchObject({ code: 'busy' });
  });

  it('ends with the error of a page that fails', async () => {
    const read = async (page: number, pageSize: number) => {
      if (page > 1) throw new Error('gone');
      return createList(1000).read(page, pageSize);
    };
    const scanning = async () => {
      for await (const _ of scanById(read));
    };
    await expect(scanning()).rejects.toThrow('gone');
  });
});
