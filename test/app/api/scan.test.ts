import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextWindow, scanById } from '../../../src/app/api/scan.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

/** A list that changes just before each of its pages is read; what is there is told by `ids`. */
function createList(count: number, options: { change?: (ids: number[]) => number[]; largest?: number } = {}) {
  const { change = (same) => same, largest = 200 } = options;
  let ids = upTo(count);
  const asked: string[] = [];
  const always = new Set(ids);
  const ever = new Set(ids);
  return {
    asked,
    always,
    ever,
    read: async (page: number, pageSize: number) => {
      asked.push(`${page}/${pageSize}`);
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

describe('a list at rest', () => {
  test.each([0, 1, 199, 200, 201, 399, 400, 9310])('of %i rows gives each once', async (count) => {
    expect(await scan(createList(count))).toEqual(upTo(count));
  });

  test('of 100,000 rows is read in hardly more pages than it has', async () => {
    const list = createList(100_000);
    expect(await scan(list)).toHaveLength(100_000);
    expect(list.asked.length).toBeLessThan(560);
  });

  test.each([10, 37, 100])(
    'whose service gives out %i rows at most is read all the same',
    async (largest) => {
      expect(await scan(createList(1000, { largest }))).toEqual(upTo(1000));
    },
  );
});

test('each page overlaps the rows known before, and goes on beyond them', () => {
  for (let end = 1; end < 20_000; end += 7) {
    const { page, size, start } = nextWindow(end, 200);
    expect([start, size <= 200, start < end, start + size > end]).toEqual([
      (page - 1) * size,
      true,
      true,
      true,
    ]);
  }
});

test('rows deleted and added between any two pages: whichever was there throughout is found, and each once', async () => {
  const step = fc.record({
    deletions: fc.array(fc.nat(5000), { maxLength: 40 }),
    burst: fc.option(fc.record({ at: fc.nat(3000), rows: fc.nat(500) }), { freq: 8 }),
    additions: fc.nat(40),
    returns: fc.array(fc.nat(5000), { maxLength: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.nat(3000), fc.array(step, { minLength: 1, maxLength: 60 }), async (count, steps) => {
      let turn = 0;
      let newest = count;
      const gone: number[] = [];
      const list = createList(count, {
        change(before) {
          const now = steps[turn++];
          if (!now) return before;
          const ids = [...before];
          for (const at of now.deletions) gone.push(...ids.splice(at % (ids.length + 1), 1));
          if (now.burst) gone.push(...ids.splice(now.burst.at, now.burst.rows));
          for (let added = 0; added < now.additions; added += 1) ids.push((newest += 1));
          // As somebody who fits the filter again: in the middle, not at the end.
          for (const at of now.returns) ids.push(...gone.splice(at % (gone.length + 1), 1));
          return ids.toSorted((a, b) => a - b);
        },
      });
      const found = await scan(list);
      expect(new Set(found).size).toBe(found.length);
      expect(list.always.difference(new Set(found))).toEqual(new Set());
      expect(found.filter((id) => !list.ever.has(id))).toEqual([]);
    }),
    { seed: 13, numRuns: 300 },
  );
});

test('a deletion and an addition at once, which leave the total as it was, hide nobody', async () => {
  let next = 2000;
  const list = createList(2000, {
    change: (ids) => (next < 2200 ? [...ids.slice(40), ...upTo(40).map(() => (next += 1))] : ids),
  });
  const found = await scan(list);
  expect(list.always.difference(new Set(found))).toEqual(new Set());
});

test('a list that is not in the order of ids is refused, because some might be missed', async () => {
  const list = createList(300, { change: (ids) => ids.toReversed() });
  await expect(scan(list)).rejects.toMatchObject({ code: 'unreadable' });
});

test('a list that changes without end is given up', async () => {
  let next = 1_000_000;
  // All that is there goes before each read, and as many others come.
  const list = createList(1000, { change: (ids) => ids.map(() => (next += 1)) });
  await expect(scan(list)).rejects.toMatchObject({ code: 'busy' });
});

test('a page that fails ends the scan with its error', async () => {
  const read = async (page: number, pageSize: number) => {
    if (page > 1) throw new Error('gone');
    return createList(1000).read(page, pageSize);
  };
  const scanning = async () => {
    for await (const _ of scanById(read));
  };
  await expect(scanning()).rejects.toThrow('gone');
});
